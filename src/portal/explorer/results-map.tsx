import { useEffect, useMemo, useState } from "react";
import type { ApiSuccess } from "../api/api.ts";
import { useQuery } from "../api/use-query.ts";
import { MAX_RADIUS_MILES } from "../../contract/filters.ts";
import type {
  MapBounds,
  MapMeta,
  MapRow,
} from "../../contract/explorer/map.ts";
import { choose, usePointed } from "./matches.ts";
import {
  type MapArea,
  boundsOf,
  keyOfPlace,
  pointsOfRows,
} from "../map/map-points.ts";
import { MapPanel } from "../map/map-panel.tsx";
import { Link } from "../shell/router.tsx";
import {
  mapPath,
  searchHref,
  toKind,
  type ExplorerSearch,
  listPath,
} from "./explorer-search.ts";
import type { ListAnswer } from "./list-page.tsx";
import styles from "../map/map.module.css";
import {
  formatCount,
  placeText,
  providerCount,
  providerName,
} from "../format.ts";
import type { Entry } from "./entry-list.tsx";

const NO_ROWS: readonly MapRow[] = [];

/** Shows all results of a search on a map. */
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
  const circle = useCircle(list);
  // The same for every page and part of a search, so that the map stays where the user moved it.
  const bounds = useMemo(
    () => boundsOf(pointsOfRows(all?.data ?? NO_ROWS), circle),
    [all, circle],
  );
  const area = useAreaOf(bounds);
  const rows = useFinerRows(search, all, area.shown);
  const points = useMemo(() => pointsOfRows(rows), [rows]);
  const marked = useMarkedPlace(list);
  useEffect(() => () => choose([]), []);
  const entriesAt = (keys: readonly string[]) =>
    (list?.data ?? []).filter((_, index) => {
      const place = list?.points[index];
      return place && keys.includes(keyOfPlace(place));
    });
  return (
    <MapPanel
      label="Map of all results"
      points={points}
      circle={circle}
      bounds={bounds}
      marked={marked}
      onMove={area.show}
      onChoose={(keys) => choose(entriesAt(keys).map(({ npi }) => npi))}
      renderCard={(keys) => (
        <ZipCard
          key={keys.join()}
          rows={rows.filter(([, lat, lng]) =>
            keys.includes(keyOfPlace([lat, lng])),
          )}
          entries={entriesAt(keys)}
          search={search}
        />
      )}
    >
      {area.shown !== null && <AreaLink area={area.shown} search={search} />}
    </MapPanel>
  );
}

/** Leads to the same search by distance around the middle of the map, as far as its corners. */
function AreaLink({
  area: { lat, lng, miles },
  search,
}: {
  readonly area: MapArea;
  readonly search: ExplorerSearch;
}) {
  if (miles > MAX_RADIUS_MILES)
    return (
      <p className={styles.areaHint}>
        Too large an area to search: zoom in until its corners are less than{" "}
        {MAX_RADIUS_MILES} miles from its middle
      </p>
    );
  const around = {
    zip: "",
    lat: lat.toFixed(4),
    lng: lng.toFixed(4),
    radius: String(miles),
  };
  const href = searchHref(toKind("nearby", search, around));
  return (
    <Link className={`button ${styles.areaLink}`} href={href}>
      Search this area
    </Link>
  );
}

/** Returns the area to which the user has moved the map since it showed these bounds; null if the user hasn't. */
function useAreaOf(bounds: MapBounds): {
  readonly shown: MapArea | null;
  readonly show: (area: MapArea) => void;
} {
  const [moved, setMoved] = useState<{ area: MapArea; from: MapBounds } | null>(
    null,
  );
  return {
    shown: moved !== null && moved.from === bounds ? moved.area : null,
    show: (area) => setMoved({ area, from: bounds }),
  };
}

/** Returns the rows to show: if ZIPs are grouped, each ZIP of the area to which the user has moved. */
function useFinerRows(
  search: ExplorerSearch,
  all: ApiSuccess<MapRow[], MapMeta> | null,
  area: MapArea | null,
): readonly MapRow[] {
  const isGrouped = all?.meta.grouped_by === "zip3";
  const finer = useQuery<MapRow[], MapMeta>(
    isGrouped && area !== null ? mapPath(search, within(area.bounds)) : null,
  );
  return finer.answer?.data ?? all?.data ?? NO_ROWS;
}

/** Writes MapBounds as the API takes them, slightly larger. */
function within([west, south, east, north]: MapBounds): string {
  return [
    Math.max(-180, west - 0.01),
    Math.max(-90, south - 0.01),
    Math.min(180, east + 0.01),
    Math.min(90, north + 0.01),
  ]
    .map((degrees) => degrees.toFixed(2))
    .join();
}

function useCircle(list: ListAnswer | null) {
  const { lat, lng } = list?.meta.center ?? {};
  const miles = list?.meta.radius_miles;
  return useMemo(
    () =>
      lat === undefined || lng === undefined || miles === undefined
        ? null
        : { lat, lng, miles },
    [lat, lng, miles],
  );
}

/** Returns the place of the entry that the user points at. */
function useMarkedPlace(list: ListAnswer | null) {
  const npi = usePointed();
  const index = list?.data.findIndex((entry) => entry.npi === npi) ?? -1;
  return list?.points[index] ?? null;
}

/** The number of providers that a card names. */
const NAMED = 5;
const MAX_ZIPS = 8;

/** Shows who is at a point of the map: the first providers of its ZIP by name, or its ZIPs if it has several. */
function ZipCard({
  entries,
  rows,
  search,
}: {
  /** Those of the list's page that are there. */
  readonly entries: readonly Entry[];
  readonly rows: readonly MapRow[];
  readonly search: ExplorerSearch;
}) {
  const [only] = rows;
  const zips = rows.map(([zip]) => zip);
  const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
  // A search by ZIP matches primary locations only.
  const isListed = search.parameters.get("location_scope") !== "any";
  const first = useQuery<Entry[]>(
    isListed && rows.length === 1 && only !== undefined
      ? listPath(inZip(search, only[0], { limit: String(NAMED) }))
      : null,
  );
  const named = first.answer?.data ?? entries.slice(0, NAMED);
  const [sample] = first.answer?.data ?? [];
  return (
    <>
      <p className={styles.mapCardTitle}>
        {providerCount(total)} in ZIP {zips.slice(0, MAX_ZIPS).join(", ")}
        {zips.length > MAX_ZIPS && " …"}
      </p>
      {sample !== undefined && (
        <p className="fine">
          <bdi>{placeText(sample.city, sample.state)}</bdi>
        </p>
      )}
      <ul>
        {named.map((entry) => (
          <li key={entry.npi}>
            <Link href={`/npi/${entry.npi}`}>
              <bdi>{providerName(entry)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {isListed &&
        rows.slice(0, MAX_ZIPS).map(([zip, , , count]) => (
          <p key={zip}>
            <Link href={searchHref(inZip(search, zip))}>
              {`See all in ${zip} (${formatCount(count)})`}
            </Link>
          </p>
        ))}
    </>
  );
}

/** Returns the same search in one ZIP. */
function inZip(
  search: ExplorerSearch,
  zip: string,
  others: Readonly<Record<string, string>> = {},
): ExplorerSearch {
  return toKind("search", search, { zip, ...others });
}
