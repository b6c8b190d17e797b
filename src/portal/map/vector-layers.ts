import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from "maplibre-gl";
import { cityNames, stateNames } from "./base-layers.ts";
import type { MapColors } from "./map-colors.ts";
import { TILES } from "./tiles.ts";

/** The source of the area that the archive covers. */
export const AREA = "tiles-area";

/** Features of a layer, by the values of one of their tags. */
interface Kind {
  readonly layer: string;
  readonly tag: string;
  readonly values: readonly (string | number)[];
}

/** The places of what the map draws in a kind of vector tiles. */
interface Schema {
  /** Layers that only it has. */
  readonly marks: readonly string[];
  readonly water: string;
  readonly green: readonly Kind[];
  readonly motorways: Kind;
  readonly mainRoads: Kind;
  readonly streets: Kind;
  readonly stateBorders: Kind;
  readonly countyBorders: Kind;
  readonly states: Kind;
  readonly cities: Kind;
  /** Sorts cities: those with lower values are named first. */
  readonly cityOrder: ExpressionSpecification;
}

const PROTOMAPS: Schema = {
  marks: ["roads", "boundaries", "places"],
  water: "water",
  green: [
    kind("landuse", "kind", [
      "forest",
      "golf_course",
      "grass",
      "national_park",
      "nature_reserve",
      "park",
      "protected_area",
      "wood",
    ]),
  ],
  motorways: kind("roads", "kind", ["highway"]),
  mainRoads: kind("roads", "kind", ["major_road", "medium_road"]),
  streets: kind("roads", "kind", ["minor_road"]),
  stateBorders: kind("boundaries", "kind", ["country", "region"]),
  countyBorders: kind("boundaries", "kind", ["county"]),
  states: kind("places", "kind", ["region"]),
  cities: kind("places", "kind", ["locality"]),
  cityOrder: ["-", ["coalesce", ["get", "population_rank"], 0]],
};

const OPENMAPTILES: Schema = {
  marks: ["transportation", "boundary", "place"],
  water: "water",
  green: [
    kind("landcover", "class", ["grass", "wood"]),
    kind("park", "class", ["national_park", "nature_reserve", "public_park"]),
  ],
  motorways: kind("transportation", "class", ["motorway", "trunk"]),
  mainRoads: kind("transportation", "class", ["primary", "secondary"]),
  streets: kind("transportation", "class", ["minor", "tertiary"]),
  stateBorders: kind("boundary", "admin_level", [2, 3, 4]),
  countyBorders: kind("boundary", "admin_level", [5, 6]),
  states: kind("place", "class", ["state"]),
  cities: kind("place", "class", ["city", "town", "village"]),
  cityOrder: ["coalesce", ["get", "rank"], 99],
};

/** In English where the tiles have it. */
const NAME: ExpressionSpecification = [
  "coalesce",
  ["get", "name:en"],
  ["get", "name"],
];

/** Widths of roads by zoom, in pixels. */
const WIDTHS = {
  motorways: [5, 0.5, 10, 2, 16, 9],
  mainRoads: [8, 0.5, 12, 2, 16, 7],
  streets: [12, 0.5, 16, 5],
} as const;
/** On both sides of a road. */
const EDGE = 0.75;

/**
 * Draws vector tiles with these layers, from a zoom on; null if their schema is unknown. They cover the built-in shapes
 * where the archive has tiles.
 */
export function vectorLayers(
  names: readonly string[],
  minZoom: number,
): ((colors: MapColors) => LayerSpecification[]) | null {
  const schema = [PROTOMAPS, OPENMAPTILES].find(({ marks }) =>
    marks.every((mark) => names.includes(mark)),
  );
  return schema === undefined
    ? null
    : (colors) => layersOf(schema, colors, minZoom);
}

function layersOf(
  schema: Schema,
  colors: MapColors,
  minZoom: number,
): LayerSpecification[] {
  const { border, county, green, land, road, shore, water } = colors;
  const roads = (["streets", "mainRoads", "motorways"] as const).map(
    (name) => ({ name, features: schema[name] }),
  );
  return [
    {
      id: `${TILES}-land`,
      type: "fill",
      source: AREA,
      minzoom: minZoom,
      paint: { "fill-color": land },
    },
    ...schema.green.map((features, index): LayerSpecification => ({
      ...source(`${TILES}-green-${index}`, features),
      type: "fill",
      paint: { "fill-color": green },
    })),
    {
      id: `${TILES}-water`,
      type: "fill",
      source: TILES,
      "source-layer": schema.water,
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": water, "fill-outline-color": shore },
    },
    // All edges are below all roads, so that crossings are open.
    ...roads.map(({ features, name }) =>
      line(`${TILES}-${name}-edge`, features, county, widthOf(name, EDGE)),
    ),
    ...roads.map(({ features, name }) =>
      line(`${TILES}-${name}`, features, road, widthOf(name, 0)),
    ),
    line(`${TILES}-county-borders`, schema.countyBorders, county, 1),
    line(`${TILES}-state-borders`, schema.stateBorders, border, 1.25),
    {
      ...stateNames(colors),
      ...source(`${TILES}-state-names`, schema.states),
    },
    {
      ...cityNames(colors, NAME, schema.cityOrder),
      ...source(`${TILES}-city-names`, schema.cities),
    },
  ];
}

function kind(layer: string, tag: string, values: Kind["values"]): Kind {
  return { layer, tag, values };
}

function source(id: string, { layer, tag, values }: Kind) {
  const filter: FilterSpecification = [
    "in",
    ["get", tag],
    ["literal", [...values]],
  ];
  return { id, source: TILES, "source-layer": layer, filter };
}

function line(
  id: string,
  features: Kind,
  color: string,
  width: number | ExpressionSpecification,
): LineLayerSpecification {
  return {
    ...source(id, features),
    type: "line",
    layout: { "line-join": "round", "line-cap": "round" },
    paint: { "line-color": color, "line-width": width },
  };
}

function widthOf(
  name: keyof typeof WIDTHS,
  edge: number,
): ExpressionSpecification {
  return [
    "interpolate",
    ["exponential", 1.6],
    ["zoom"],
    ...WIDTHS[name].map((value, index) =>
      index % 2 === 0 ? value : value + 2 * edge,
    ),
  ];
}
