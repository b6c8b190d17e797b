import { kindMask } from "../../snapshot/postings/kinds.ts";
import {
  AnyTaxonomyFilter,
  PrimaryTaxonomies,
} from "../filters/taxonomy-filters.ts";
import {
  NamePairs,
  type NamePairColumns,
  type Ranges,
} from "../filters/name-pairs.ts";
import { OneNameFilter } from "../filters/one-name-filter.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
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
  const { names: others, officials, slots } = snapshot.extended;
  const filters: TextFilter[] = [];
  let kinds = kindMask(query.enumerationType, "active");
  if (names?.first !== undefined || names?.last !== undefined) {
    const isOfficial = names.purpose === "official";
    const owned = isOfficial ? officials : others;
    kinds &= kindMask(isOfficial ? "organization" : "individual", undefined);
    filters.push(
      new OneNameFilter(
        workspace,
        names.purpose,
        isOfficial ? null : personPairs(snapshot, names),
        owned && { owners: owned.owners, pairs: personPairs(owned, names) },
      ),
    );
  }
  if (organizationName !== undefined) {
    kinds &= kindMask("organization", undefined);
    filters.push(
      new OneNameFilter(
        workspace,
        "organization",
        organizationPairs(snapshot, organizationName),
        others && {
          owners: others.owners,
          pairs: organizationPairs(others, organizationName),
        },
      ),
    );
  }
  if (place !== undefined)
    filters.push(new AddressFilter(snapshot, workspace, place));
  if (taxonomies !== undefined) {
    const codes = new Set(taxonomies.map((code) => code.trim().toUpperCase()));
    const primary = taxonomyFilters.primary.ofCodes(codes);
    const inSlots = taxonomyFilters.others?.ofCodes(codes);
    filters.push(
      slots === null || inSlots === undefined
        ? new PrimaryTaxonomies(snapshot, workspace, primary)
        : new AnyTaxonomyFilter(snapshot, slots, workspace, primary, inSlots),
    );
  }
  return {
    ranges: rangesOf(planning, number),
    kinds,
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

/** Finds the names of a person that a query asks for. */
function personPairs(
  index: NamePairColumns & Pick<NameIndex, "firstNames" | "lastNames">,
  { last, ...names }: RegistryNames,
): NamePairs {
  const lasts = last === undefined ? null : numbersOf(index.lastNames, last);
  return new NamePairs(index, lasts, firstNames(index.firstNames, names));
}

function organizationPairs(index: NameIndex, text: FieldText): NamePairs {
  const { count } = index.lastNames;
  const ranges = numbersOf(index.organizations, text).map(({ from, to }) => ({
    from: from + count,
    to: to + count,
  }));
  return new NamePairs(index, ranges, null);
}

function firstNames(
  dictionary: Dictionary,
  { first, useAliases }: Pick<RegistryNames, "first" | "useAliases">,
): Ranges | null {
  if (first === undefined) return null;
  if (first.isPrefix || !useAliases) return numbersOf(dictionary, first);
  const folded = dictionary.folding.fold(first.text);
  return numbersOfFolded(dictionary, [folded, ...aliasesOf(folded)], false);
}
