/** The oracle for the list of taxonomies: counts every provider for every code. */

import type {
  ProviderCounts,
  TaxonomyEntry,
} from "../../../../src/contract/answers.ts";
import type { Provider } from "../../../../src/contract/provider.ts";
import { words } from "../../../../src/text/fold.ts";
import { referenceFold } from "./reference-fold.ts";
import { compareText } from "./reference-place.ts";
import type { TaxonomyTable } from "./reference-provider.ts";

/**
 * All taxonomies in the order of the list. `codes` has those of all slots of each NPI; null if only primary ones are
 * stored.
 */
export function referenceTaxonomies(
  providers: readonly Provider[],
  codes: ReadonlyMap<string, readonly string[]> | null,
  table: TaxonomyTable,
): TaxonomyEntry[] {
  const has = providers.map((provider) => {
    const own = provider.primary_taxonomy?.code.toUpperCase() ?? "";
    const others = codes?.get(provider.npi) ?? [];
    return {
      provider,
      primary: own,
      any: [own, ...others.map((code) => code.toUpperCase())],
    };
  });
  const primaryOf = Map.groupBy(has, ({ primary }) => primary);
  const anyOf = new Map<string, typeof has>();
  for (const each of has)
    for (const code of new Set(each.any))
      anyOf
        .set(code, anyOf.get(code) ?? [])
        .get(code)
        ?.push(each);
  const listed = new Set([
    ...table.keys(),
    ...[...anyOf.keys()].filter((code) => /^[0-9A-Z]{10}$/.test(code)),
  ]);
  return Array.from(listed, (code): TaxonomyEntry => {
    const primary = primaryOf.get(code) ?? [];
    const any = anyOf.get(code) ?? [];
    return {
      code,
      description: table.get(code) ?? null,
      grouping: null,
      classification: null,
      specialization: null,
      active_providers: {
        primary: activeAmong(primary),
        any: codes === null ? null : activeAmong(any),
      },
    };
  }).sort((a, b) => size(b) - size(a) || compareText(a.code, b.code));
}

/** Those that `q` finds. */
export function matchingTaxonomies(
  all: readonly TaxonomyEntry[],
  q: string,
): TaxonomyEntry[] {
  return all.filter(({ code, description }) =>
    words(referenceFold(q)).every((typed) =>
      words(referenceFold(`${code} ${description ?? ""}`)).some((word) =>
        word.startsWith(typed),
      ),
    ),
  );
}

function activeAmong(has: readonly { provider: Provider }[]): ProviderCounts {
  const active = has.filter(({ provider }) => provider.status === "active");
  const count = (type: Provider["entity_type"]): number =>
    active.filter(({ provider }) => provider.entity_type === type).length;
  return {
    individuals: count("individual"),
    organizations: count("organization"),
  };
}

function size({ active_providers: { primary } }: TaxonomyEntry): number {
  return primary.individuals + primary.organizations;
}
