import { useMemo } from "react";
import type { ApiSuccess } from "../api/api.ts";
import type { MapMeta, MapRow } from "../../contract/explorer/map.ts";
import { providerCount } from "../format.ts";
import { MapPanel } from "../map/map-panel.tsx";
import {
  keyOfPlace,
  pointsOfEntries,
  pointsOfZips,
} from "../map/map-points.ts";
import type { ExplorerSearch } from "./explorer-search.ts";
import type { ListAnswer } from "./list-page.tsx";
import { PlaceCard, ZipCard } from "./map-cards.tsx";

/** All results of a search on a map; without the answer for the map, those on the list's page. */
export function ResultsMap({
  all,
  list,
  search,
}: {
  readonly search: ExplorerSearch;
  /** The list's page; null before the first answer. */
  readonly list: ListAnswer | null;
  /** The ZIPs of all results; null while unknown. */
  readonly all: ApiSuccess<MapRow[], MapMeta> | null;
}) {
  const isNearby = search.kind === "nearby";
  const points = useMemo(
    () =>
      isNearby
        ? pointsOfZips(all?.data ?? [])
        : pointsOfEntries(list?.points ?? []),
    [all, isNearby, list],
  );
  const { lat, lng } = list?.meta.center ?? {};
  const miles = list?.meta.radius_miles;
  // Equal on every page, so that the map stays where the user moved it.
  const circle = useMemo(
    () =>
      lat === undefined || lng === undefined || miles === undefined
        ? null
        : { lat, lng, miles },
    [lat, lng, miles],
  );
  return (
    <MapPanel
      label={
        isNearby ? "Map of all results" : "Map of the providers on this page"
      }
      includesCountry={search.parameters.size === 0}
      points={points}
      circle={circle}
      renderCard={(keys) => {
        const here = (list?.data ?? []).filter((_, index) => {
          const place = list?.points[index];
          return place && keys.includes(keyOfPlace(place));
        });
        return isNearby ? (
          <ZipCard
            rows={(all?.data ?? []).filter(([, atLat, atLng]) =>
              keys.includes(keyOfPlace([atLat, atLng])),
            )}
            entries={here}
            search={search}
          />
        ) : (
          <PlaceCard
            title={`${providerCount(here.length)} on this page`}
            entries={here}
          />
        );
      }}
    />
  );
}
