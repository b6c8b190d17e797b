import { narrowed } from "../../../site/narrowed.ts";
import { withChanges, type ExplorerSearch } from "../explorer-search.ts";

/** A search with what was typed in addition (`narrowed`), its parameters in the order of an address. */
export function narrowedSearch(
  search: ExplorerSearch,
  typed: ExplorerSearch,
): ExplorerSearch {
  return withChanges(narrowed(search, typed), {});
}
