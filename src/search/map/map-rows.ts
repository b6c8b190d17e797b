import type { MapBounds, MapRow } from "../../contract/explorer/map.ts";
import type { DisplayPoints } from "./display-points.ts";

/** The rows of a map. */
export interface MapRows {
  readonly rows: MapRow[];
  readonly groupedBy: "zip" | "zip3";
  /** The number of providers that are in the rows. */
  readonly shown: number;
}

/**
 * Makes a row for each ZIP in the bounds that has providers or, if there are more than `most`, for each first three
 * digits: at the ZIP nearest to the center of those with providers, so never in water. `zips` and `counts` are by index
 * of the centroid.
 */
export function mapRows(
  zips: Uint32Array,
  points: DisplayPoints,
  counts: Uint32Array,
  bounds: MapBounds | null,
  most: number,
): MapRows {
  const isIn = withinBounds(points, bounds);
  const inBounds: number[] = [];
  let shown = 0;
  for (let index = 0; index < counts.length; index++) {
    if (counts[index] === 0 || !isIn(index)) continue;
    inBounds.push(index);
    shown += counts[index]!;
  }
  const rowAt = (name: string, index: number, count: number): MapRow => [
    name,
    points.lat[index]!,
    points.lng[index]!,
    count,
  ];
  if (inBounds.length <= most) {
    const rows = inBounds.map((index) =>
      rowAt(String(zips[index]).padStart(5, "0"), index, counts[index]!),
    );
    return { rows, groupedBy: "zip", shown };
  }
  const groups = Map.groupBy(inBounds, (index) =>
    Math.floor(zips[index]! / 100),
  );
  const rows = Array.from(groups, ([digits, indexes]) =>
    rowAt(
      String(digits).padStart(3, "0"),
      points.middleOf(indexes, counts),
      indexes.reduce((sum, index) => sum + counts[index]!, 0),
    ),
  );
  return { rows, groupedBy: "zip3", shown };
}

function withinBounds(
  { lat, lng }: DisplayPoints,
  bounds: MapBounds | null,
): (index: number) => boolean {
  if (bounds === null) return () => true;
  const [west, south, east, north] = bounds;
  return (index) => {
    const y = lat[index]!;
    const x = lng[index]!;
    if (y < south || y > north) return false;
    return west <= east ? x >= west && x <= east : x >= west || x <= east;
  };
}
