import { useMemo } from "react";
import type { NearbyAnswer, SearchAnswer } from "../../contract/answers.ts";
import type { ApiSuccess } from "../api/api.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { Pagination } from "../components/pagination.tsx";
import { providerCount, formatCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import { EntryList, type Entry } from "./entry-list.tsx";
import { pageHref, type ExplorerSearch } from "./explorer-search.ts";
import { matcherOf } from "./matches.ts";
import { goToResults } from "./result-frame.tsx";

type PageMeta = Pick<SearchAnswer["meta"], "limit" | "page">;

/** Of a search, or of a search by distance, which has no total. */
export type ListMeta = PageMeta &
  Partial<Pick<SearchAnswer["meta"], "total">> &
  Partial<Pick<NearbyAnswer["meta"], "center" | "radius_miles">>;

/** One page of results. */
export type ListAnswer = ApiSuccess<Entry[], ListMeta>;

/** Writes `26–50 of 12,345 providers`, or `12 providers` if that is all; the total is null while unknown. */
export function rangeText(
  count: number,
  { limit, page }: PageMeta,
  total: number | null,
): string {
  if (total === 0) return "No providers found";
  if (total === null && count === 0) return "No results on this page";
  if (total !== null && (count === 0 || count === total))
    return providerCount(total);
  const first = (page - 1) * limit + 1;
  const range = `${formatCount(first)}–${formatCount(first + count - 1)}`;
  return total === null ? range : `${range} of ${providerCount(total)}`;
}

/** Shows one page of results with its pagination, or the way back from a page past the end. */
export function ListPage({
  list: {
    data: entries,
    meta: { limit, page },
    compared,
    notes,
  },
  search,
  total,
}: {
  readonly search: ExplorerSearch;
  readonly list: ListAnswer;
  /** Null while unknown. */
  readonly total: number | null;
}) {
  const first = pageHref(search, 1);
  const matcher = useMemo(
    () => matcherOf(search.parameters, compared),
    [compared, search],
  );
  if (entries.length === 0)
    return (
      <EmptyState title="No results on this page">
        Go to the <Link href={first}>first page</Link>.
      </EmptyState>
    );
  const lastPage = total === null ? null : Math.ceil(total / limit);
  return (
    <>
      <EntryList
        entries={entries}
        first={(page - 1) * limit + 1}
        matcher={matcher}
        notes={notes}
      />
      <Pagination
        page={page}
        hasNext={lastPage === null ? entries.length === limit : page < lastPage}
        lastPage={lastPage}
        onTurn={goToResults}
        hrefOf={(to) => pageHref(search, to)}
      />
    </>
  );
}
