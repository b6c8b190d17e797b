import { checkDigit } from "../registry/npi.ts";
import { mix } from "./random.ts";

/** The number of NPIs that start with 1. */
export const NPI_COUNT = 100_000_000;

const FIRST_NINE_DIGITS = 100_000_000;
/** NPI_COUNT is HALF²: an index is two halves, and every round adds a mix of one to the other. */
const HALF = 10_000;
const ROUNDS = 4;

/**
 * Returns the NPI of an index below NPI_COUNT: spread over 1000000000–1999999999, distinct for one seed, in no visible
 * order (a Feistel network over the nine digits, then the check digit).
 */
export function npiOfIndex(seed: number, index: number): number {
  let high = Math.floor(index / HALF);
  let low = index % HALF;
  for (let round = 0; round < ROUNDS; round++) {
    const added = (mix(mix(seed + round) ^ low) >>> 0) % HALF;
    const sum = (high + added) % HALF;
    high = low;
    low = sum;
  }
  const nineDigits = FIRST_NINE_DIGITS + high * HALF + low;
  return nineDigits * 10 + checkDigit(nineDigits);
}
