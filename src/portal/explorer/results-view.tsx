import { memo } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { isComplete, type ExplorerSearch } from "./explorer-search.ts";
import { ListPage, rangeText } from "./list-page.tsx";
import { NoResults } from "./no-results.tsx";
import { NearMe } from "./question/near-me.tsx";
import { ResultFrame } from "./result-frame.tsx";
import { ResultsMap } from "./results-map.tsx";
import type { Results } from "./use-results.ts";

/** Shows the results of a search: one page of them in the list, and the map. */
export const ResultsView = memo(function ResultsView({
  hasAlternatives,
  results: { all, failure, isLoading, list, listed, retry, total },
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
      map={<ResultsMap search={search} list={list} all={all} />}
    >
      {list === null ? null : isNothing ? (
        !isLoading && (
          <NoResults search={search} hasAlternatives={hasAlternatives} />
        )
      ) : (
        <ListPage search={listed} list={list} total={total} />
      )}
    </ResultFrame>
  );
});
