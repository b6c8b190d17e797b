import type { Draw } from "./orders.ts";

/** Spreads the most active accounts over all ids; prime, so that every id has one place. */
const SPREAD = 15_485_863;

/** Draws account ids from 1 to `accounts`. */
export function drawAccounts(accounts: number, draw: Draw): () => number {
  if (draw === "uniform") return () => 1 + Math.floor(Math.random() * accounts);
  const sums = new Float64Array(accounts);
  let sum = 0;
  for (let place = 0; place < accounts; place++)
    sums[place] = sum += 1 / (place + 1);
  return () => {
    const place = firstAbove(sums, Math.random() * sum);
    return 1 + ((place * SPREAD) % accounts);
  };
}

/** The first place in rising numbers with one above `value`. */
function firstAbove(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
