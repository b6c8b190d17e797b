import countiesUrl from "us-atlas/counties-10m.json?url";
import statesUrl from "us-atlas/states-10m.json?url";
import { feature, mesh } from "topojson-client";

/** The Census Bureau's shapes, as map sources. */
export interface Shapes {
  readonly areas: GeoJSON.FeatureCollection;
  readonly borders: GeoJSON.Geometry;
  /** A point in each area, with the area's name. */
  readonly names: GeoJSON.FeatureCollection;
}

type Areas = Extract<
  NonNullable<Parameters<typeof mesh>[1]>,
  { type: "GeometryCollection" }
>;
type Atlas = Parameters<typeof mesh>[0] & {
  readonly objects: Readonly<Record<"states" | "counties", Areas>>;
};

export async function loadStates(): Promise<Shapes> {
  return shapes(await load(statesUrl), "states");
}

/** About 200 KB, so loaded only when zoomed in. */
export async function loadCounties(): Promise<Shapes> {
  return shapes(await load(countiesUrl), "counties");
}

async function load(url: string): Promise<Atlas> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`The map's shapes can't be loaded: ${response.status}.`);
  return response.json();
}

function shapes(atlas: Atlas, kind: "states" | "counties"): Shapes {
  const object = atlas.objects[kind];
  const areas = feature(atlas, object);
  return {
    areas,
    borders: mesh(atlas, object),
    names: {
      type: "FeatureCollection",
      features: areas.features.flatMap(({ geometry, properties }) =>
        labelOf(geometry, properties),
      ),
    },
  };
}

/** The label of an area, in the middle of its largest part. */
function labelOf(
  geometry: GeoJSON.Geometry,
  properties: GeoJSON.GeoJsonProperties,
): GeoJSON.Feature[] {
  const polygons =
    geometry.type === "Polygon"
      ? [geometry.coordinates]
      : geometry.type === "MultiPolygon"
        ? geometry.coordinates
        : [];
  const [largest] = polygons
    .map(([ring = []]) => centroidOf(ring))
    .sort((a, b) => b.area - a.area);
  if (largest === undefined) return [];
  const coordinates = [largest.x, largest.y];
  return [
    {
      type: "Feature",
      properties,
      geometry: { type: "Point", coordinates },
    },
  ];
}

/** A ring's centroid and its area, in square degrees (good enough for comparing). */
function centroidOf(ring: readonly GeoJSON.Position[]): {
  readonly x: number;
  readonly y: number;
  readonly area: number;
} {
  let [twice, x, y] = [0, 0, 0];
  for (const [index, [toX = 0, toY = 0]] of ring.entries()) {
    const [fromX = 0, fromY = 0] = ring[index - 1] ?? ring.at(-1) ?? [];
    const cross = fromX * toY - toX * fromY;
    twice += cross;
    x += (fromX + toX) * cross;
    y += (fromY + toY) * cross;
  }
  return { x: x / (3 * twice), y: y / (3 * twice), area: Math.abs(twice) };
}
