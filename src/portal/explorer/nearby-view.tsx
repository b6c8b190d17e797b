import { useCallback, useMemo } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { MapPanel } from "../map/map-panel.tsx";
import {
  keyOfPlace,
  pointsOfZips,
  type ZipRow,
  type ZipsMeta,
} from "../map/map-points.ts";
import { providers } from "../quantities.ts";
import { useAsk } from "../use-ask.ts";
import type { Entry } from "./entry-list.tsx";
import { Filters } from "./filters.tsx";
import { ListPage, rangeText, type PageMeta } from "./list-page.tsx";
import { PlaceCard } from "./place-card.tsx";
import {
  addressOf,
  asKind,
  explorePath,
  isComplete,
  mapPath,
  type Question,
} from "./question.ts";
import { ResultFrame } from "./result-frame.tsx";

interface NearbyMeta extends PageMeta {
  readonly radius_miles: number;
  readonly center: {
    readonly zip: string;
    readonly lat: number;
    readonly lng: number;
  };
}

/** Who is within a distance, the nearest first: a page of them, and all of them on the map. */
export function NearbyView({ question }: { readonly question: Question }) {
  const isAsked = isComplete(question);
  const list = useAsk<Entry[], NearbyMeta>(
    isAsked ? explorePath(question) : null,
  );
  const map = useAsk<ZipRow[], ZipsMeta>(isAsked ? mapPath(question) : null);
  const { answer } = list;
  const { answer: all } = map;
  const failure = list.failure ?? map.failure;
  const { retry: retryList } = list;
  const { retry: retryMap } = map;
  const retry = useCallback(() => {
    retryList();
    retryMap();
  }, [retryList, retryMap]);
  const points = useMemo(() => pointsOfZips(all?.data ?? []), [all]);
  const circle = useMemo(() => {
    if (answer === null) return null;
    const { center, radius_miles: miles } = answer.meta;
    return { lat: center.lat, lng: center.lng, miles };
  }, [answer]);
  const entries = answer?.data ?? [];
  const total = all?.meta.total ?? null;
  return (
    <>
      <Filters
        question={question}
        error={failure?.kind === "refused" ? failure.error : null}
        near={answer?.meta.center.zip ?? null}
      />
      {isAsked ? (
        <ResultFrame
          question={question}
          failure={failure}
          isLoading={list.isLoading}
          onRetry={retry}
          summary={answer && rangeText(entries.length, answer.meta, total)}
          map={
            <MapPanel
              label="Map of all that were found"
              points={points}
              circle={circle}
              renderCard={(zip) => (
                <ZipCard
                  zip={zip}
                  rows={all?.data ?? []}
                  entries={entries.filter((_, index) =>
                    isAt(zip, all?.data ?? [], answer?.points[index] ?? null),
                  )}
                  question={question}
                />
              )}
            />
          }
        >
          {answer && (
            <ListPage
              question={question}
              entries={entries}
              meta={answer.meta}
              total={total}
              advice="Look within a larger distance, or with fewer filters."
            />
          )}
        </ResultFrame>
      ) : (
        <EmptyState title="Where shall the distance begin?">
          Type a ZIP code, or let your browser tell where you are.
        </EmptyState>
      )}
    </>
  );
}

function ZipCard({
  entries,
  question,
  rows,
  zip,
}: {
  readonly zip: string;
  readonly rows: readonly ZipRow[];
  readonly entries: readonly Entry[];
  readonly question: Question;
}) {
  const [, , , count = 0] = rows.find(([each]) => each === zip) ?? [];
  const hasSecondary = question.parameters.get("location_scope") === "any";
  return (
    <PlaceCard
      title={`${providers(count)} at ZIP ${zip}`}
      entries={entries}
      // A search by ZIP looks at primary locations alone.
      {...(!hasSecondary && {
        more: {
          href: addressOf(asKind("search", question, { zip })),
          text: `List all at ZIP ${zip}`,
        },
      })}
    />
  );
}

/** Whether a point is that of a ZIP. */
function isAt(
  zip: string,
  rows: readonly ZipRow[],
  point: readonly [number, number] | null,
): boolean {
  const row = rows.find(([each]) => each === zip);
  return (
    row !== undefined &&
    point !== null &&
    keyOfPlace(point) === keyOfPlace([row[1], row[2]])
  );
}
