import type {
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  SourceSpecification,
} from "maplibre-gl";
import { BOLD_FONT } from "./base-layers.ts";
import type { MapColors } from "./map-colors.ts";
import { circleLine, type MapCircle, type MapPoint } from "./map-points.ts";

/** Sources whose data changes, and layers that are queried. */
export const POINTS = "points";
export const COUNTS = "counts";
export const CIRCLE = "circle";
export const MARK = "mark";

/** An image without pixels: where a circle is, no name is drawn. */
export const SPACE = "space";

const CLUSTER_PIXELS = 44;
const NOTHING: GeoJSONSourceSpecification["data"] = {
  type: "FeatureCollection",
  features: [],
};

/** The radius of a circle by how many providers it shows, in pixels. */
const RADIUS: ExpressionSpecification = [
  "interpolate",
  ["linear"],
  ["log10", ["get", "count"]],
  0,
  6,
  1,
  11,
  2,
  15,
  3,
  20,
  4,
  25,
  6,
  34,
];

/** Makes the sources of points, clustered up to the closest zoom. */
export function pointSources(
  maxZoom: number,
): Readonly<Record<string, SourceSpecification>> {
  return {
    [CIRCLE]: { type: "geojson", data: NOTHING },
    [MARK]: { type: "geojson", data: NOTHING },
    [POINTS]: {
      type: "geojson",
      data: NOTHING,
      cluster: true,
      clusterMaxZoom: maxZoom,
      clusterRadius: CLUSTER_PIXELS,
      clusterProperties: { count: ["+", ["get", "count"]] },
    },
  };
}

/** Draws the distance searched, below the names. */
export function circleLayers({ accent }: MapColors): LayerSpecification[] {
  return [
    {
      id: "circle-area",
      type: "fill",
      source: CIRCLE,
      paint: { "fill-color": accent, "fill-opacity": 0.06 },
    },
    {
      id: CIRCLE,
      type: "line",
      source: CIRCLE,
      paint: {
        "line-color": accent,
        "line-width": 1.5,
        "line-dasharray": [3, 2],
      },
    },
  ];
}

/** Circles with their counts, and the marked point. */
export function pointLayers(colors: MapColors): LayerSpecification[] {
  const { accent, halo, marked, onAccent } = colors;
  return [
    {
      id: POINTS,
      type: "circle",
      source: POINTS,
      layout: { "circle-sort-key": ["get", "count"] },
      paint: {
        "circle-color": accent,
        "circle-opacity": 0.92,
        "circle-stroke-color": halo,
        "circle-stroke-width": 1.5,
        "circle-radius": RADIUS,
      },
    },
    {
      id: COUNTS,
      type: "symbol",
      source: POINTS,
      layout: {
        "icon-image": SPACE,
        "icon-allow-overlap": true,
        "icon-padding": RADIUS,
        "text-font": BOLD_FONT,
        "text-field": countText(),
        "text-size": ["step", ["get", "count"], 11, 100, 12, 1_000, 13],
        "text-allow-overlap": true,
      },
      paint: { "text-color": onAccent },
    },
    {
      id: MARK,
      type: "circle",
      source: MARK,
      paint: {
        "circle-color": marked,
        "circle-radius": 8,
        "circle-stroke-color": halo,
        "circle-stroke-width": 3,
      },
    },
  ];
}

/** Writes `9,999`, `12k`, `3.4M`; nothing for 1. */
function countText(): ExpressionSpecification {
  const count: ExpressionSpecification = ["get", "count"];
  return [
    "step",
    count,
    "",
    2,
    ["number-format", count, { locale: "en-US" }],
    10_000,
    ["concat", ["to-string", ["floor", ["/", count, 1_000]]], "k"],
    1_000_000,
    [
      "concat",
      [
        "number-format",
        ["/", ["floor", ["/", count, 100_000]], 10],
        { locale: "en-US" },
      ],
      "M",
    ],
  ];
}

export function pointsData(
  points: readonly MapPoint[],
): GeoJSONSourceSpecification["data"] {
  return {
    type: "FeatureCollection",
    features: points.map(({ count, isGroup = false, key, lat, lng }) => ({
      type: "Feature",
      properties: { key, count, isGroup },
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  };
}

export function circleData(
  circle: MapCircle | null,
): GeoJSONSourceSpecification["data"] {
  if (circle === null) return NOTHING;
  return {
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates: [circleLine(circle)] },
  };
}

export function markData(
  place: readonly [lat: number, lng: number] | null,
): GeoJSONSourceSpecification["data"] {
  if (place === null) return NOTHING;
  const [lat, lng] = place;
  return {
    type: "Feature",
    properties: {},
    geometry: { type: "Point", coordinates: [lng, lat] },
  };
}
