import type {
  GeoJSONSource,
  Map as MapLibreMap,
  MapGeoJSONFeature,
} from "maplibre-gl";
import { providerCount } from "../format.ts";
import { COUNTS, POINTS } from "./point-layers.ts";

const MAX_LEAVES = 1_000;
/** The zooms by which the map gets closer to show the ZIPs of a group. */
const GROUP_ZOOM = 2;

interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** A user's choice on the map: points by their keys, or a cluster to zoom into. */
export type Choice =
  | { readonly kind: "points"; readonly keys: readonly string[] }
  | {
      readonly kind: "cluster";
      readonly center: [number, number];
      readonly zoom: number;
    };

/** Returns the choice at a pixel; null if nothing is there. */
export async function choiceAt(
  map: MapLibreMap,
  { x, y }: Pixel,
): Promise<Choice | null> {
  const [feature] = map.queryRenderedFeatures([x, y], {
    layers: [POINTS, COUNTS],
  });
  return feature === undefined ? null : choiceOf(map, feature);
}

/** Returns the choice nearest to the middle of the map, for users of a keyboard; null if nothing is visible. */
export async function choiceInMiddle(map: MapLibreMap): Promise<Choice | null> {
  const middle = map.project(map.getCenter());
  const [nearest] = map
    .queryRenderedFeatures({ layers: [POINTS] })
    .map((feature) => ({
      feature,
      away: map.project(positionOf(feature)).dist(middle),
    }))
    .sort((a, b) => a.away - b.away);
  return nearest === undefined ? null : choiceOf(map, nearest.feature);
}

/** Describes the visible points to screen readers. */
export function describeMap(map: MapLibreMap): void {
  const drawn = new Map<unknown, number>();
  // A point at the edge of a tile is drawn in both tiles.
  for (const { properties } of map.queryRenderedFeatures({ layers: [POINTS] }))
    drawn.set(
      properties["key"] ?? properties["cluster_id"],
      Number(properties["count"]),
    );
  const sum = [...drawn.values()].reduce((total, count) => total + count, 0);
  const circles = drawn.size === 1 ? "circle" : "circles";
  map.getCanvas().ariaLabel = `Map: ${providerCount(sum)} in ${drawn.size} ${circles}`;
}

async function choiceOf(
  map: MapLibreMap,
  feature: MapGeoJSONFeature,
): Promise<Choice | null> {
  const { cluster_id: id, isGroup, key } = feature.properties;
  if (isGroup === true)
    return {
      kind: "cluster",
      center: positionOf(feature),
      zoom: map.getZoom() + GROUP_ZOOM,
    };
  if (typeof key === "string") return { kind: "points", keys: [key] };
  const source = map.getSource<GeoJSONSource>(POINTS);
  if (source === undefined || typeof id !== "number") return null;
  const zoom = await source.getClusterExpansionZoom(id);
  if (zoom <= map.getMaxZoom())
    return { kind: "cluster", center: positionOf(feature), zoom };
  const leaves = await source.getClusterLeaves(id, MAX_LEAVES, 0);
  const keys = leaves.map(({ properties }) => String(properties?.["key"]));
  return { kind: "points", keys };
}

function positionOf({ geometry }: MapGeoJSONFeature): [number, number] {
  const [lng = 0, lat = 0] =
    geometry.type === "Point" ? geometry.coordinates : [];
  return [lng, lat];
}
