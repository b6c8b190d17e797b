import { kindMask } from "../../snapshot/postings/kinds.ts";
import { AnyTaxonomyFilter } from "../filters/any-taxonomy-filter.ts";
import { NamePairs, type Ranges } from "../filters/name-pairs.ts";
import { OneNameFilter } from "../filters/one-name-filter.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Planning } from "../plan/planning.ts";
import type { QueryPlan } from "../plan/query-plan.ts";
import { AddressFilter } from "./address-filter.ts";
import { numbersOf, numbersOfFolded } from "../filters/field-numbers.ts";
import type {
  FieldText,
  RegistryNames,
  RegistryQuery,
} from "./registry-query.ts";

/**
 * Resolves a registry query into a plan. Parts that the snapshot doesn't have are not searched: `partsSearched` says
 * which ones a query needs.
 */
export function planRegistryQuery(
  planning: Planning,
  query: RegistryQuery,
): QueryPlan {
  const { snapshot, taxonomyFilters, workspace } = planning;
  const { names, number, organizationName, place, taxonomies } = query;
  const filters: TextFilter[] = [];
  let kinds = kindMask(query.enumerationType, "active");
  if (names?.first !== undefined || names?.last !== undefined) {
    const isOfficial = names.purpose === "official";
    kinds &= kindMask(isOfficial ? "organization" : "individual", undefined);
    filters.push(
      isOfficial
        ? officialFilter(planning, names)
        : nameFilter(planning, names),
    );
  }
  if (organizationName !== undefined) {
    kinds &= kindMask("organization", undefined);
    filters.push(organizationFilter(planning, organizationName));
  }
  if (place !== undefined)
    filters.push(new AddressFilter(snapshot, workspace, place));
  let primary: Uint32Array | null = null;
  if (taxonomies !== undefined) {
    const codes = new Set(taxonomies.map((code) => code.trim().toUpperCase()));
    primary = taxonomyFilters.primary.ofCodes(codes);
    const { slots } = snapshot.extended;
    const others = taxonomyFilters.others?.ofCodes(codes);
    if (slots !== null && others !== undefined) {
      filters.push(
        new AnyTaxonomyFilter(snapshot, slots, workspace, primary, others),
      );
      primary = null;
    }
  }
  return {
    ranges: rangesOf(planning, number),
    kinds,
    taxonomies: primary,
    filters,
    rules: [],
    isRanked: false,
  };
}

function rangesOf({ snapshot }: Planning, number: string | undefined) {
  const { count } = snapshot;
  if (number === undefined) return count === 0 ? [] : [{ from: 0, to: count }];
  const doc = snapshot.npiIndex.find(Number(number));
  return doc < 0 ? [] : [{ from: doc, to: doc + 1 }];
}

/** The name of an individual, or one of its other names. */
function nameFilter(
  { snapshot, workspace }: Planning,
  names: RegistryNames,
): OneNameFilter {
  const others = snapshot.extended.names;
  const pairs = (index: typeof snapshot | NonNullable<typeof others>) =>
    new NamePairs(
      index,
      names.last === undefined ? null : numbersOf(index.lastNames, names.last),
      firstNames(index.firstNames, names),
    );
  return new OneNameFilter(
    workspace,
    "provider",
    pairs(snapshot),
    others && { owners: others.owners, pairs: pairs(others) },
  );
}

function officialFilter(
  { snapshot, workspace }: Planning,
  names: RegistryNames,
): OneNameFilter {
  const { officials } = snapshot.extended;
  return new OneNameFilter(
    workspace,
    "official",
    null,
    officials && {
      owners: officials.owners,
      pairs: new NamePairs(
        officials,
        names.last === undefined
          ? null
          : numbersOf(officials.lastNames, names.last),
        firstNames(officials.firstNames, names),
      ),
    },
  );
}

function organizationFilter(
  { snapshot, workspace }: Planning,
  text: FieldText,
): OneNameFilter {
  const others = snapshot.extended.names;
  const pairs = (index: typeof snapshot | NonNullable<typeof others>) => {
    const { count } = index.lastNames;
    const ranges = numbersOf(index.organizations, text).map(({ from, to }) => ({
      from: from + count,
      to: to + count,
    }));
    return new NamePairs(index, ranges, null);
  };
  return new OneNameFilter(
    workspace,
    "organization",
    pairs(snapshot),
    others && { owners: others.owners, pairs: pairs(others) },
  );
}

function firstNames(
  dictionary: Dictionary,
  { first, useAliases }: RegistryNames,
): Ranges | null {
  if (first === undefined) return null;
  if (first.isPrefix || !useAliases) return numbersOf(dictionary, first);
  const folded = dictionary.folding.fold(first.text);
  return numbersOfFolded(dictionary, [folded, ...aliasesOf(folded)], false);
}
