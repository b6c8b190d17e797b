import { useMemo } from "react";
import type { SearchAnswer } from "../../contract/answers.ts";
import { MapPanel } from "../map/map-panel.tsx";
import { keyOfPlace, pointsOfEntries } from "../map/map-points.ts";
import { providerCount } from "../format.ts";
import { useQuery } from "../api/use-query.ts";
import type { Entry } from "./entry-list.tsx";
import { Filters } from "./filters.tsx";
import { ListPage, rangeText } from "./list-page.tsx";
import { PlaceCard } from "./map-cards.tsx";
import { listPath, type ExplorerSearch } from "./explorer-search.ts";
import { ResultFrame } from "./result-frame.tsx";

/** Search by name, location and specialty: one page of results, in the list and on the map. */
export function SearchView({ search }: { readonly search: ExplorerSearch }) {
  const { answer, failure, isLoading, retry } = useQuery<
    Entry[],
    SearchAnswer["meta"]
  >(listPath(search));
  const points = useMemo(() => pointsOfEntries(answer?.points ?? []), [answer]);
  const entries = answer?.data ?? [];
  return (
    <>
      <Filters
        search={search}
        error={failure?.kind === "refused" ? failure.error : null}
        near={null}
        onSame={retry}
      />
      <ResultFrame
        search={search}
        failure={failure}
        isLoading={isLoading}
        onRetry={retry}
        summary={
          answer && rangeText(entries.length, answer.meta, answer.meta.total)
        }
        total={answer?.meta.total ?? 0}
        map={
          <MapPanel
            label="Map of the providers on this page"
            includesCountry={search.parameters.size === 0}
            points={points}
            renderCard={(key) => {
              const here = entries.filter((_, index) => {
                const place = answer?.points[index];
                return place && keyOfPlace(place) === key;
              });
              return (
                <PlaceCard
                  title={`${providerCount(here.length)} on this page`}
                  entries={here}
                />
              );
            }}
          />
        }
      >
        {answer && (
          <ListPage
            search={search}
            entries={entries}
            meta={answer.meta}
            total={answer.meta.total}
            advice="Try fewer words or filters, or just the first letters of a name."
          />
        )}
      </ResultFrame>
    </>
  );
}
