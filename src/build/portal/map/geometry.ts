/** A polygon's outline, then its holes. */
export type Rings = readonly (readonly GeoJSON.Position[])[];

/** True if a position is in one of these polygons and in none of its holes. */
export function isInside(
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
export function labelPoint(
  polygons: readonly Rings[],
): [number, number] | null {
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
