import { memo, useCallback, useMemo, useState } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import {
  isComplete,
  type ExplorerSearch,
  isBlank,
  listPath,
  mapPath,
} from "./explorer-search.ts";
import {
  ListPage,
  rangeText,
  type ListAnswer,
  type ListMeta,
} from "./list-page.tsx";
import { NoResults } from "./no-results.tsx";
import { NearMe } from "./question/near-me.tsx";
import { ResultFrame } from "./result-frame.tsx";
import { ResultsMap } from "./results-map.tsx";
import type { Facet, MapMeta, MapRow } from "../../contract/explorer/map.ts";
import type { ApiFailure, ApiSuccess } from "../api/api.ts";
import { useQuery } from "../api/use-query.ts";
import type { Entry } from "./entry-list.tsx";

const NO_FACETS: readonly Facet[] = [];

/** Shows the results of a search: one page of them in the list, and the map. */
export const ResultsView = memo(function ResultsView({
  hasAlternatives,
  results: { all, facets, failure, isLoading, list, listed, retry, total },
  search,
}: {
  readonly search: ExplorerSearch;
  readonly results: Results;
  /** True if the page already says what else may be meant. */
  readonly hasAlternatives: boolean;
}) {
  if (!isComplete(search))
    return (
      <EmptyState title="Where?">
        Type a city or ZIP code. <NearMe search={search} />
      </EmptyState>
    );
  const count = list?.data.length ?? 0;
  const isEmpty = list === null ? failure !== null : count === 0;
  const isNothing = list !== null && count === 0 && list.meta.page === 1;
  return (
    <ResultFrame
      search={search}
      failure={failure}
      isLoading={isLoading}
      onRetry={retry}
      // While it loads, the list still has the results of the previous search.
      summary={
        list === null || isLoading
          ? null
          : rangeText(count, list.meta, isNothing ? 0 : total)
      }
      total={isEmpty ? (total ?? 0) : total}
      facets={isNothing ? NO_FACETS : facets}
      map={
        isNothing || (list === null && failure !== null) ? null : (
          <ResultsMap search={search} list={list} all={all} />
        )
      }
    >
      {list === null || (isNothing && isLoading) ? null : isNothing ? (
        <NoResults search={search} hasAlternatives={hasAlternatives} />
      ) : (
        <ListPage search={listed} list={list} total={total} />
      )}
    </ResultFrame>
  );
});

/** The answers to a search, for the list and for the map. */
export interface Results {
  /** A page of the list; null before the first answer. While it loads, that of the previous search. */
  readonly list: ListAnswer | null;
  /** The search that the list answers. */
  readonly listed: ExplorerSearch;
  /** The ZIPs of all results; null while unknown. */
  readonly all: ApiSuccess<MapRow[], MapMeta> | null;
  /** Ways to narrow the search; none while unknown. */
  readonly facets: readonly Facet[];
  /** The number of results; null while unknown. */
  readonly total: number | null;
  readonly failure: ApiFailure | null;
  /** True if the list loads. */
  readonly isLoading: boolean;
  readonly retry: () => void;
}

export function useResults(search: ExplorerSearch): Results {
  const isAsked = isComplete(search) && !isBlank(search);
  const list = useQuery<Entry[], ListMeta>(isAsked ? listPath(search) : null);
  const { answer: page, failure: listFailure, isLoading } = list;
  const [listed, setListed] = useState(search);
  if (!isLoading && listed !== search) setListed(search);
  // The list comes first: users read it, and the map needs more bytes.
  const mapped = isLoading ? page && listed : search;
  const map = useQuery<MapRow[], MapMeta>(
    isAsked && mapped !== null ? mapPath(mapped) : null,
  );
  const { retry: retryList } = list;
  const { failure: mapFailure, retry: retryMap } = map;
  // Retries only what failed: with a tight rate limit, one of two requests would always be refused.
  const retry = useCallback(() => {
    if (listFailure !== null || mapFailure === null) retryList();
    if (mapFailure !== null || listFailure === null) retryMap();
  }, [listFailure, mapFailure, retryList, retryMap]);
  const { answer: all, isLoading: isMapLoading } = map;
  // The same object while nothing changes: typing in the box doesn't draw the results again.
  return useMemo(
    () => ({
      list: page,
      listed,
      all,
      facets: isMapLoading ? NO_FACETS : (all?.facets ?? NO_FACETS),
      // While the map loads, its previous answer is for another search.
      total:
        page?.meta.total ?? (isMapLoading ? null : (all?.meta.total ?? null)),
      failure: listFailure ?? mapFailure,
      isLoading,
      retry,
    }),
    [
      all,
      isLoading,
      isMapLoading,
      listFailure,
      listed,
      mapFailure,
      page,
      retry,
    ],
  );
}
