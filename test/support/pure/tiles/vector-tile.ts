/** Writes vector tiles (Mapbox Vector Tile, version 2): a protobuf of layers with features. */

/** A shape in the tile's grid, and its tags. */
export interface TileFeature {
  readonly kind: "point" | "line" | "area";
  /** From the upper left corner, which is 0, to 4096. An area's corners go clockwise. */
  readonly places: readonly (readonly [x: number, y: number])[];
  readonly tags: Readonly<Record<string, string>>;
}

const EXTENT = 4_096;
const KINDS = { point: 1, line: 2, area: 3 } as const;
const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

export function encodeVectorTile(
  layers: Readonly<Record<string, readonly TileFeature[]>>,
): Buffer {
  return Buffer.concat(
    Object.entries(layers).map(([name, features]) =>
      part(3, layer(name, features)),
    ),
  );
}

/** Numbers in base 128, the lowest digit first. */
export function varints(...values: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value > 127; value = Math.floor(value / 128))
      bytes.push((value % 128) + 128);
    bytes.push(value);
  }
  return Buffer.from(bytes);
}

function layer(name: string, features: readonly TileFeature[]): Buffer {
  const tags = features.flatMap((each) => Object.entries(each.tags));
  const keys = [...new Set(tags.map(([key]) => key))];
  const values = [...new Set(tags.map(([, value]) => value))];
  return Buffer.concat([
    number(15, 2),
    part(1, Buffer.from(name)),
    ...features.map((each) => {
      const pairs = Object.entries(each.tags).flatMap(([key, value]) => [
        keys.indexOf(key),
        values.indexOf(value),
      ]);
      const feature = Buffer.concat([
        part(2, varints(...pairs)),
        number(3, KINDS[each.kind]),
        part(4, varints(...geometry(each))),
      ]);
      return part(2, feature);
    }),
    ...keys.map((key) => part(3, Buffer.from(key))),
    ...values.map((value) => part(4, part(1, Buffer.from(value)))),
    number(5, EXTENT),
  ]);
}

/** Commands with their steps from place to place. */
function geometry({ kind, places }: TileFeature): number[] {
  const steps = places.map(([x, y], index) => {
    const [fromX, fromY] = places[index - 1] ?? [0, 0];
    return [zigzag(x - fromX), zigzag(y - fromY)];
  });
  const [first = [], ...others] = steps;
  const moved = [command(MOVE, 1), ...first];
  if (kind === "point") return moved;
  const drawn = [...moved, command(LINE, others.length), ...others.flat()];
  return kind === "area" ? [...drawn, command(CLOSE, 1)] : drawn;
}

function command(id: number, times: number): number {
  return times * 8 + id;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** A field that is a number. */
function number(field: number, value: number): Buffer {
  return varints(field * 8, value);
}

/** A field that has a length: a text, a message, or packed numbers. */
function part(field: number, content: Buffer): Buffer {
  return Buffer.concat([varints(field * 8 + 2, content.length), content]);
}
