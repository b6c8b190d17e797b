import { useCallback } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import type { MapMeta, MapRow } from "../../contract/explorer/map.ts";
import { useQuery } from "../api/use-query.ts";
import type { Entry } from "./entry-list.tsx";
import { Filters } from "./filters.tsx";
import { ListPage, rangeText, type ListMeta } from "./list-page.tsx";
import {
  listPath,
  isComplete,
  mapPath,
  type ExplorerSearch,
} from "./explorer-search.ts";
import { ResultFrame } from "./result-frame.tsx";
import { ResultsMap } from "./results-map.tsx";

const ADVICE = {
  search: "Try fewer words or filters, or just the first letters of a name.",
  nearby: "Try a larger distance or fewer filters.",
} as const;

/** The results of a search: one page of them in the list, and the map. */
export function ResultsView({ search }: { readonly search: ExplorerSearch }) {
  const canSearch = isComplete(search);
  const list = useQuery<Entry[], ListMeta>(canSearch ? listPath(search) : null);
  const map = useQuery<MapRow[], MapMeta>(
    canSearch && search.kind === "nearby" ? mapPath(search) : null,
  );
  const { answer } = list;
  const failure = list.failure ?? map.failure;
  const { failure: listFailure, retry: retryList } = list;
  const { failure: mapFailure, retry: retryMap } = map;
  // Retries only what failed: with a tight rate limit, one of two requests would always be refused.
  const retry = useCallback(() => {
    if (listFailure !== null || mapFailure === null) retryList();
    if (mapFailure !== null || listFailure === null) retryMap();
  }, [listFailure, mapFailure, retryList, retryMap]);
  const entries = answer?.data ?? [];
  const mapTotal = map.answer?.meta.total ?? null;
  // The previous answer is for another search.
  const total = answer?.meta.total ?? (map.isLoading ? null : mapTotal);
  return (
    <>
      <Filters
        search={search}
        error={failure?.kind === "refused" ? failure.error : null}
        near={answer?.meta.center?.zip ?? null}
        onSame={retry}
      />
      {canSearch ? (
        <ResultFrame
          search={search}
          failure={failure}
          isLoading={list.isLoading}
          onRetry={retry}
          summary={answer && rangeText(entries.length, answer.meta, total)}
          total={entries.length === 0 ? (total ?? 0) : total}
          map={<ResultsMap search={search} list={answer} all={map.answer} />}
        >
          {answer && (
            <ListPage
              search={search}
              entries={entries}
              meta={answer.meta}
              total={total}
              advice={ADVICE[search.kind]}
            />
          )}
        </ResultFrame>
      ) : (
        <EmptyState title="Search near where?">
          Enter a ZIP code, or let your browser find your location.
        </EmptyState>
      )}
    </>
  );
}
