import type {
  GeoJSONSourceSpecification,
  LayerSpecification,
  StyleSpecification,
} from "maplibre-gl";
import { circleLine, type MapCircle, type MapPoint } from "./map-points.ts";
import type { MapColors } from "./map-colors.ts";
import type { Shapes } from "./shapes.ts";

/** Sources whose data changes, and layers that are queried. */
export const POINTS = "points";
export const CIRCLE = "circle";
export const COUNTIES = "counties";
export const COUNTY_NAMES = "county-names";

/** Counties are visible from this zoom on. */
export const COUNTY_ZOOM = 5.5;
const COUNTY_NAMES_ZOOM = 7.5;
const CLUSTER_PIXELS = 46;
/** Close enough to separate the ZIPs of a city's center. */
const MAX_ZOOM = 14;
/** Tiles show streets; the shapes don't. */
const MAX_ZOOM_WITH_TILES = 17;
const FONT = ["sans-serif"];

/** The closest zoom. */
export function maxZoomFor(hasTiles: boolean): number {
  return hasTiles ? MAX_ZOOM_WITH_TILES : MAX_ZOOM;
}

/** The style of the whole map. Points, circle and counties are filled in later. */
export function mapStyle(
  states: Shapes,
  colors: MapColors,
  tileUrl: string | null,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      areas: source(states.areas),
      states: source(states.borders),
      "state-names": source(states.names),
      [COUNTIES]: source(NOTHING),
      [COUNTY_NAMES]: source(NOTHING),
      ...(tileUrl !== null && {
        tiles: { type: "raster", tiles: [tileUrl], tileSize: 256 },
      }),
      [CIRCLE]: source(NOTHING),
      [POINTS]: {
        ...source(NOTHING),
        cluster: true,
        // No clusters at the closest zoom, so that each one can be opened.
        clusterMaxZoom: maxZoomFor(tileUrl !== null) - 1,
        clusterRadius: CLUSTER_PIXELS,
        clusterProperties: { count: ["+", ["get", "count"]] },
      },
    },
    layers: layers(colors, tileUrl !== null),
  };
}

/** All layers in the colors of a theme, bottom to top. */
export function layers(
  colors: MapColors,
  hasTiles: boolean,
): LayerSpecification[] {
  const label = {
    "text-font": FONT,
    "text-field": ["get", "name"],
    "text-size": 12,
    "text-max-width": 7,
  } satisfies LayerSpecification["layout"];
  const labelPaint = {
    "text-color": colors.muted,
    "text-halo-color": colors.page,
    "text-halo-width": 1.5,
  };
  const ground: LayerSpecification[] = [
    {
      id: "ground",
      type: "background",
      paint: { "background-color": colors.surface },
    },
    {
      id: "areas",
      type: "fill",
      source: "areas",
      paint: { "fill-color": colors.page },
    },
    {
      id: COUNTIES,
      type: "line",
      source: COUNTIES,
      minzoom: COUNTY_ZOOM,
      paint: { "line-color": colors.line, "line-width": 1 },
    },
    {
      id: "states",
      type: "line",
      source: "states",
      paint: { "line-color": colors.edge, "line-width": 1 },
    },
  ];
  // Tiles have their own names.
  const names: LayerSpecification[] = [
    {
      id: "state-names",
      type: "symbol",
      source: "state-names",
      minzoom: 3,
      maxzoom: COUNTY_NAMES_ZOOM,
      layout: label,
      paint: labelPaint,
    },
    {
      id: COUNTY_NAMES,
      type: "symbol",
      source: COUNTY_NAMES,
      minzoom: COUNTY_NAMES_ZOOM,
      layout: label,
      paint: labelPaint,
    },
  ];
  return [
    ...ground,
    ...(hasTiles
      ? [{ id: "tiles", type: "raster", source: "tiles" } as const]
      : names),
    {
      id: "circle-area",
      type: "fill",
      source: CIRCLE,
      paint: { "fill-color": colors.accent, "fill-opacity": 0.07 },
    },
    {
      id: CIRCLE,
      type: "line",
      source: CIRCLE,
      paint: { "line-color": colors.accent, "line-width": 2 },
    },
    {
      id: POINTS,
      type: "circle",
      source: POINTS,
      paint: {
        "circle-color": colors.accent,
        "circle-stroke-color": colors.page,
        "circle-stroke-width": 2,
        "circle-radius": [
          "interpolate",
          ["linear"],
          ["log10", ["get", "count"]],
          0,
          7,
          1,
          13,
          3,
          22,
          6,
          34,
        ],
      },
    },
    {
      id: "counts",
      type: "symbol",
      source: POINTS,
      filter: [">", ["get", "count"], 1],
      layout: {
        "text-font": FONT,
        "text-field": [
          "case",
          ["<", ["get", "count"], 10_000],
          ["number-format", ["get", "count"], { locale: "en-US" }],
          [
            "concat",
            ["to-string", ["floor", ["/", ["get", "count"], 1_000]]],
            "k",
          ],
        ],
        "text-size": 12,
        "text-allow-overlap": true,
      },
      paint: { "text-color": colors.onAccent },
    },
  ];
}

export function pointsData(
  points: readonly MapPoint[],
): GeoJSONSourceSpecification["data"] {
  return {
    type: "FeatureCollection",
    features: points.map(({ count, key, lat, lng }) => ({
      type: "Feature",
      properties: { key, count },
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  };
}

export function circleData(
  circle: MapCircle | null,
): GeoJSONSourceSpecification["data"] {
  return circle === null
    ? NOTHING
    : {
        type: "Feature",
        properties: {},
        geometry: { type: "Polygon", coordinates: [circleLine(circle)] },
      };
}

const NOTHING = {
  type: "FeatureCollection",
  features: [],
} satisfies GeoJSONSourceSpecification["data"];

function source(
  data: GeoJSONSourceSpecification["data"],
): GeoJSONSourceSpecification {
  return { type: "geojson", data };
}
