import { useCallback, useMemo } from "react";
import type { NearbyAnswer } from "../../contract/answers.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { MapPanel } from "../map/map-panel.tsx";
import {
  keyOfPlace,
  pointsOfZips,
  type ZipRow,
  type ZipsMeta,
} from "../map/map-points.ts";
import { useQuery } from "../api/use-query.ts";
import type { Entry } from "./entry-list.tsx";
import { Filters } from "./filters.tsx";
import { ListPage, rangeText } from "./list-page.tsx";
import {
  listPath,
  isComplete,
  mapPath,
  type ExplorerSearch,
} from "./explorer-search.ts";
import { ResultFrame } from "./result-frame.tsx";
import { ZipCard } from "./map-cards.tsx";

/** Providers within a distance, nearest first: one page in the list, all of them on the map. */
export function NearbyView({ search }: { readonly search: ExplorerSearch }) {
  const canSearch = isComplete(search);
  const list = useQuery<Entry[], NearbyAnswer["meta"]>(
    canSearch ? listPath(search) : null,
  );
  const map = useQuery<ZipRow[], ZipsMeta>(canSearch ? mapPath(search) : null);
  const { answer } = list;
  const { answer: all } = map;
  const failure = list.failure ?? map.failure;
  const { failure: listFailure, retry: retryList } = list;
  const { failure: mapFailure, retry: retryMap } = map;
  // Retries only what failed: with a tight rate limit, one of two requests would always be refused.
  const retry = useCallback(() => {
    if (listFailure !== null || mapFailure === null) retryList();
    if (mapFailure !== null || listFailure === null) retryMap();
  }, [listFailure, mapFailure, retryList, retryMap]);
  const points = useMemo(() => pointsOfZips(all?.data ?? []), [all]);
  const { lat, lng } = answer?.meta.center ?? {};
  const miles = answer?.meta.radius_miles;
  // Equal on every page, so that the map stays where the user moved it.
  const circle = useMemo(
    () =>
      lat === undefined || lng === undefined || miles === undefined
        ? null
        : { lat, lng, miles },
    [lat, lng, miles],
  );
  const entries = answer?.data ?? [];
  // The previous answer is for another search.
  const total = map.isLoading ? null : (all?.meta.total ?? null);
  return (
    <>
      <Filters
        search={search}
        error={failure?.kind === "refused" ? failure.error : null}
        near={answer?.meta.center.zip ?? null}
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
          map={
            <MapPanel
              label="Map of all results"
              points={points}
              circle={circle}
              renderCard={(key) => (
                <ZipCard
                  rows={(all?.data ?? []).filter(
                    ([, atLat, atLng]) => keyOfPlace([atLat, atLng]) === key,
                  )}
                  entries={entries.filter((_, index) => {
                    const place = answer?.points[index];
                    return place && keyOfPlace(place) === key;
                  })}
                  search={search}
                />
              )}
            />
          }
        >
          {answer && (
            <ListPage
              search={search}
              entries={entries}
              meta={answer.meta}
              total={total}
              advice="Try a larger distance or fewer filters."
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
