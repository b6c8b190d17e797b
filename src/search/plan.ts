import { fold, words } from "../text/fold.ts";
import { kindMask } from "../snapshot/kinds.ts";
import { isGiven, placeRanges } from "./doc-ranges.ts";
import { NameFilter } from "./name-filter.ts";
import {
  matchOrganizations,
  OrganizationFilter,
} from "./organization-filter.ts";
import { PrefixFilter, type TextFilter } from "./text-filter.ts";
import type { Dictionary, NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SearchQuery } from "./query.ts";
import type { TaxonomyFilter } from "./taxonomy-filter.ts";

/** A query, resolved against a snapshot: every filter in numbers. A document matches when it passes all of them. */
export interface Plan {
  /** The documents admitted by place, ascending. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The taxonomies admitted, ascending; null for any and none. */
  taxonomies: Uint32Array | null;
  texts: readonly TextFilter[];
}

export function planSearch(
  snapshot: Snapshot,
  taxonomyFilter: TaxonomyFilter,
  query: SearchQuery,
): Plan {
  return {
    ranges: placeRanges(snapshot, query),
    kinds: kindMask(query.entityType, query.status),
    taxonomies: taxonomyFilter.numbers(query),
    texts: textFilters(snapshot, query),
  };
}

function textFilters(snapshot: Snapshot, query: SearchQuery): TextFilter[] {
  const { firstName, firstNameDocs, firstNames, lastNames, name, nameDocs } =
    snapshot;
  const filters: TextFilter[] = [];
  if (isGiven(query.name)) {
    const folded = fold(query.name);
    filters.push(new NameFilter(snapshot, folded, words(folded)));
  }
  if (isGiven(query.firstName)) {
    const { range, exact } = beginningWith(firstNames, query.firstName);
    filters.push(new PrefixFilter(firstName, firstNameDocs, range, exact));
  }
  if (isGiven(query.lastName)) {
    const { range, exact } = beginningWith(lastNames, query.lastName);
    filters.push(new PrefixFilter(name, nameDocs, range, exact));
  }
  if (isGiven(query.organization)) {
    const folded = fold(query.organization);
    const distinct = [...new Set(words(folded))];
    filters.push(
      new OrganizationFilter(
        snapshot,
        matchOrganizations(snapshot, folded, distinct),
      ),
    );
  }
  return filters;
}

/** Folding drops a trailing `*`, the registry's own sign for "begins with", which every value means here anyway. */
function beginningWith(
  dictionary: Dictionary,
  value: string,
): { range: NumberRange; exact: NumberRange } {
  const folded = Buffer.from(fold(value));
  return {
    range: dictionary.withPrefix(folded),
    exact: dictionary.equalTo(folded),
  };
}
