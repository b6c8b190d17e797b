import type {
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  LineLayerSpecification,
  SourceSpecification,
  SymbolLayerSpecification,
} from "maplibre-gl";
import countiesUrl from "virtual:map-shapes/counties";
import statesUrl from "virtual:map-shapes/states";
import surroundingsUrl from "virtual:map-shapes/surroundings";
import type { MapPlace } from "../../contract/explorer/map.ts";
import { placeText } from "../format.ts";
import type { MapColors } from "./map-colors.ts";

/** Drawn by the browser in its own font, so that no letters are requested. A weight is named as if it were a font. */
export const FONT = ["system-ui", "sans-serif"];
export const BOLD_FONT = ["Bold", ...FONT];
const SEMIBOLD_FONT = ["Semibold", ...FONT];

/** Counties are loaded from this zoom on. */
export const COUNTY_ZOOM = 5.5;
const COUNTY_NAMES_ZOOM = 7.5;
export const COUNTIES = "counties";
export const CITIES = "cities";

/** The anchors of a city's name, nearest to its center first: circles cover the center. In ems. */
const AROUND = [0.3, 1.2].flatMap((ems): Anchors => [
  "left",
  [ems, 0],
  "right",
  [-ems, 0],
  "top",
  [0, ems],
  "bottom",
  [0, -ems],
]);
type Anchors = (string | [number, number])[];

const NOTHING: GeoJSONSourceSpecification = {
  type: "geojson",
  data: { type: "FeatureCollection", features: [] },
};

/** Land, water and borders. Counties and cities are filled in later. */
export const BASE_SOURCES: Readonly<Record<string, SourceSpecification>> = {
  states: { type: "geojson", data: absolute(statesUrl) },
  surroundings: { type: "geojson", data: absolute(surroundingsUrl) },
  [COUNTIES]: NOTHING,
  [CITIES]: NOTHING,
};

/** The URL of the counties' shapes: 130 KB, so loaded only when zoomed in. */
export const COUNTIES_URL = absolute(countiesUrl);

/** Draws the ground, bottom to top. */
export function groundLayers(colors: MapColors): LayerSpecification[] {
  const { abroad, border, county, land, shore, water } = colors;
  return [
    {
      id: "sea",
      type: "background",
      paint: { "background-color": water },
    },
    area("abroad", "surroundings", "land", abroad),
    // Hides the gaps between the shapes of two sources.
    {
      ...line("abroad-edge", "surroundings", "land"),
      paint: { "line-color": abroad, "line-width": 1.5 },
    },
    area("lakes-abroad", "surroundings", "water", water),
    area("land", "states", "land", land),
    area("lakes", "surroundings", "lake", water),
    {
      ...line("lake-shores", "surroundings", "lake"),
      paint: { "line-color": shore, "line-width": 0.5 },
    },
    {
      ...line("shores", "states", "land"),
      paint: { "line-color": shore, "line-width": 0.75 },
    },
    {
      ...line("county-borders", COUNTIES, "border"),
      minzoom: COUNTY_ZOOM,
      paint: {
        "line-color": county,
        "line-width": ["interpolate", ["linear"], ["zoom"], 6, 0.5, 10, 1.25],
        "line-opacity": [
          "interpolate",
          ["linear"],
          ["zoom"],
          COUNTY_ZOOM,
          0,
          COUNTY_ZOOM + 1,
          1,
        ],
      },
    },
    {
      ...line("state-borders", "states", "border"),
      paint: {
        "line-color": border,
        "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.75, 9, 2],
      },
    },
  ];
}

/** Draws the names of states, counties and cities. Layers with names that matter more are above. */
export function nameLayers(colors: MapColors): LayerSpecification[] {
  return [
    {
      id: "county-names",
      type: "symbol",
      source: COUNTIES,
      filter: ["==", ["get", "kind"], "name"],
      minzoom: COUNTY_NAMES_ZOOM,
      layout: {
        "text-font": FONT,
        "text-field": ["get", "name"],
        "text-size": 11,
        "text-letter-spacing": 0.06,
        "text-max-width": 7,
        "text-padding": 8,
      },
      paint: { ...haloOf(colors), "text-color": colors.name },
    },
    stateNames(colors),
    // The places with the most providers come first.
    cityNames(colors, ["get", "name"], ["-", ["get", "count"]]),
  ];
}

/** Draws the names of states, which the counties' replace. */
export function stateNames(colors: MapColors): SymbolLayerSpecification {
  return {
    id: "state-names",
    type: "symbol",
    source: "states",
    filter: ["==", ["get", "kind"], "name"],
    minzoom: 3,
    maxzoom: COUNTY_NAMES_ZOOM,
    layout: {
      "text-font": SEMIBOLD_FONT,
      "text-field": ["upcase", ["get", "name"]],
      "text-size": ["interpolate", ["linear"], ["zoom"], 3, 9, 7, 13],
      "text-letter-spacing": 0.12,
      "text-max-width": 7,
      "text-padding": 4,
    },
    paint: { ...haloOf(colors), "text-color": colors.name },
  };
}

/** Draws the names of cities; those with a lower order come first. */
export function cityNames(
  colors: MapColors,
  name: ExpressionSpecification,
  order: ExpressionSpecification,
): SymbolLayerSpecification {
  return {
    id: "city-names",
    type: "symbol",
    source: CITIES,
    minzoom: 3.5,
    layout: {
      "text-font": SEMIBOLD_FONT,
      "text-field": name,
      "text-size": ["interpolate", ["linear"], ["zoom"], 4, 11, 10, 14],
      "text-max-width": 8,
      "text-padding": 6,
      "text-variable-anchor-offset": AROUND,
      "text-justify": "auto",
      "symbol-sort-key": order,
    },
    paint: { ...haloOf(colors), "text-color": colors.city },
  };
}

function haloOf({ halo }: MapColors) {
  return {
    "text-halo-color": halo,
    "text-halo-width": 1.25,
    "text-halo-blur": 0.5,
  };
}

export function citiesData(
  cities: readonly MapPlace[],
): GeoJSONSourceSpecification["data"] {
  return {
    type: "FeatureCollection",
    features: cities.map(([city, , lat, lng, count]) => ({
      type: "Feature",
      properties: { name: placeText(city, null), count },
      geometry: { type: "Point", coordinates: [lng, lat] },
    })),
  };
}

function area(
  id: string,
  source: string,
  kind: string,
  color: string,
): LayerSpecification {
  return {
    id,
    type: "fill",
    source,
    filter: ["==", ["get", "kind"], kind],
    paint: { "fill-color": color, "fill-antialias": true },
  };
}

function line(
  id: string,
  source: string,
  kind: string,
): LineLayerSpecification {
  return {
    id,
    type: "line",
    source,
    filter: ["==", ["get", "kind"], kind],
    layout: { "line-join": "round", "line-cap": "round" },
  };
}

function absolute(url: string): string {
  return new URL(url, location.href).href;
}
