import type { Bounds, MapPoint } from "./map-points.ts";

/** The picture's own width and height. */
export const STILL_SIZE = [800, 600] as const;
const PADDING = 40;
/** Circles nearer to each other become one. */
const CLUSTER_SIZE = 44;

/** Where a place is in the picture. */
export type Projection = (lng: number, lat: number) => [x: number, y: number];

/** One or more points that are drawn as one circle. */
export interface StillCluster {
  readonly keys: readonly string[];
  readonly count: number;
  readonly x: number;
  readonly y: number;
}

/** Mercator's projection, as the map has it, so that these bounds fill the picture. */
export function projectionOf([west, south, east, north]: Bounds): Projection {
  const [width, height] = STILL_SIZE;
  const top = northing(north);
  const high = top - northing(south);
  const scale = Math.min(
    (width - 2 * PADDING) / (east - west),
    (height - 2 * PADDING) / high,
  );
  const left = (width - (east - west) * scale) / 2;
  const above = (height - high * scale) / 2;
  return (lng, lat) => [
    left + (lng - west) * scale,
    above + (top - northing(lat)) * scale,
  ];
}

/** An SVG path of a geometry, without polygons and lines that are outside of the picture. */
export function pathOf(
  geometry: GeoJSON.Geometry,
  projection: Projection,
): string {
  return linesOf(geometry)
    .map((line) => {
      const drawn = line.map(([lng = 0, lat = 0]) => projection(lng, lat));
      const ending = geometry.type.endsWith("Polygon") ? "Z" : "";
      return isSeen(drawn)
        ? `M${drawn.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}${ending}`
        : "";
    })
    .join("");
}

/** The points with their places in the picture; those in one cell of a grid become one. */
export function clustersOf(
  points: readonly MapPoint[],
  projection: Projection,
): StillCluster[] {
  const cells = new Map<string, StillCluster>();
  for (const { count, key, lat, lng } of points) {
    const [x, y] = projection(lng, lat);
    const cell = [x, y].map((at) => Math.floor(at / CLUSTER_SIZE)).join();
    const before = cells.get(cell);
    cells.set(cell, {
      keys: [...(before?.keys ?? []), key],
      count: count + (before?.count ?? 0),
      x: before?.x ?? x,
      y: before?.y ?? y,
    });
  }
  return [...cells.values()];
}

/** The radius of a circle that shows this many providers. */
export function radiusOf(count: number): number {
  return 6 + 5 * Math.log10(count);
}

function linesOf(geometry: GeoJSON.Geometry): readonly GeoJSON.Position[][] {
  switch (geometry.type) {
    case "Polygon":
    case "MultiLineString":
      return geometry.coordinates;
    case "MultiPolygon":
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

/** True if a line's frame and the picture overlap. */
function isSeen(line: readonly (readonly [number, number])[]): boolean {
  const [width, height] = STILL_SIZE;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of line) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left < width && right > 0 && top < height && bottom > 0;
}

/** In degrees, so that a degree is as high as it is wide at the equator. */
function northing(lat: number): number {
  const angle = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
  return (Math.asinh(Math.tan(angle)) * 180) / Math.PI;
}
