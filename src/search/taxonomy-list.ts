import type { ProviderCounts, TaxonomyEntry } from "../contract/answers.ts";
import { openTaxonomyTable } from "../snapshot/dictionary/taxonomy-names.ts";
import type { TaxonomySlots } from "../snapshot/extended/taxonomy-slots.ts";
import { itemsOf } from "../snapshot/postings/postings.ts";
import {
  COUNTS_PER_TAXONOMY,
  countPrimaryTaxonomies,
  spellingsByCode,
} from "../snapshot/postings/taxonomy-counts.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { fold, words } from "../text/fold.ts";

/** The form of a code that `taxonomy` accepts, in upper case. */
export const TAXONOMY_CODE = /^[0-9A-Z]{10}$/;
const NO_PROVIDERS: ProviderCounts = { individuals: 0, organizations: 0 };

/** A taxonomy that providers have, as the primary one or in another slot. */
interface UsedTaxonomy extends ProviderCounts {
  readonly name: string | null;
}

interface ListedTaxonomy {
  readonly entry: TaxonomyEntry;
  /** The code and the words of the name, folded. */
  readonly words: readonly string[];
}

/**
 * The taxonomies of a snapshot: those of NUCC's table, and those of any provider. Snapshots of earlier versions of this
 * program have neither the table nor the counts: their primary taxonomies are counted here.
 */
export class TaxonomyList {
  readonly #byCode: ReadonlyMap<string, TaxonomyEntry>;
  /** Those that most active providers have as the primary one first, then by code. */
  readonly #all: readonly ListedTaxonomy[];

  constructor(snapshot: Snapshot) {
    const { slots } = snapshot.extended;
    const kinds = snapshot.kinds.column;
    const primary = usedTaxonomies(
      snapshot,
      snapshot.taxonomyCounts ??
        countPrimaryTaxonomies(snapshot.taxonomies, snapshot.taxonomy, kinds),
    );
    const others = slots?.taxonomyCounts
      ? usedTaxonomies(slots, slots.taxonomyCounts)
      : null;
    const table = new Map(
      (openTaxonomyTable(snapshot.sections) ?? []).map((row) => [
        row.code,
        row,
      ]),
    );
    const codes = new Set([
      ...table.keys(),
      ...primary.keys(),
      ...(others?.keys() ?? []),
    ]);
    const entries = Array.from(codes, (code): TaxonomyEntry => {
      const row = table.get(code);
      const asPrimary = primary.get(code);
      const asOther = others?.get(code);
      return {
        code,
        description: row?.name ?? asPrimary?.name ?? asOther?.name ?? null,
        grouping: row?.grouping ?? null,
        classification: row?.classification ?? null,
        specialization: row?.specialization ?? null,
        active_providers: {
          primary: sumOf(asPrimary, undefined),
          any: others && sumOf(asPrimary, asOther),
        },
      };
    });
    this.#byCode = new Map(entries.map((entry) => [entry.code, entry]));
    this.#all = entries
      .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.code < b.code ? -1 : 1))
      .map((entry) => ({
        entry,
        words: words(fold(`${entry.code} ${entry.description ?? ""}`)),
      }));
  }

  /** Finds the taxonomy with a code, in any case; null if there is none. */
  find(code: string): TaxonomyEntry | null {
    return this.#byCode.get(code.toUpperCase()) ?? null;
  }

  /** Finds the taxonomies whose code or name has, for each word of a text, a word that starts with it. */
  matching(text: string): TaxonomyEntry[] {
    const typed = words(fold(text));
    return this.#all
      .filter((each) =>
        typed.every((part) => each.words.some((word) => word.startsWith(part))),
      )
      .map(({ entry }) => entry);
  }
}

/** Lists used taxonomies by code, in upper case: spellings that differ only in case are one. */
function usedTaxonomies(
  lists: Pick<TaxonomySlots, "taxonomies" | "taxonomyDocs" | "taxonomyNames">,
  counts: Uint32Array,
): Map<string, UsedTaxonomy> {
  const { taxonomies, taxonomyDocs, taxonomyNames } = lists;
  return new Map(
    [...spellingsByCode(taxonomies)]
      .filter(
        ([code, spellings]) =>
          TAXONOMY_CODE.test(code) &&
          // A week can leave a code without providers in the dictionary.
          spellings.some((number) => itemsOf(taxonomyDocs, number).length > 0),
      )
      .map(([code, [first = 0]]) => {
        // The first spelling has the counts of all.
        const at = first * COUNTS_PER_TAXONOMY;
        const used = {
          name: taxonomyNames[first] ?? null,
          individuals: counts[at]!,
          organizations: counts[at + 1]!,
        };
        return [code, used];
      }),
  );
}

function sumOf(
  one: ProviderCounts | undefined,
  other: ProviderCounts | undefined,
): ProviderCounts {
  const a = one ?? NO_PROVIDERS;
  const b = other ?? NO_PROVIDERS;
  return {
    individuals: a.individuals + b.individuals,
    organizations: a.organizations + b.organizations,
  };
}

function sizeOf({ active_providers: { primary } }: TaxonomyEntry): number {
  return primary.individuals + primary.organizations;
}
