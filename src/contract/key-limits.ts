/**
 * An API key: `pd_live_`, 30 random characters of base 62 (178 bits), and 6 that are the CRC-32 (IEEE) of everything
 * before them in base 62, zero-padded. The checksum refuses a mistyped key without a look-up and lets secret scanners
 * be sure of what they found.
 */
export const KEY_PATTERN = /^pd_live_[0-9A-Za-z]{36}$/;

/** How many keys of an account may work at the same time. */
export const MOST_ACTIVE_KEYS = 10;

/** How many keys an account keeps, ended ones included: for a new one the key goes that ended first. */
export const MOST_KEPT_KEYS = 100;

/** How long what a key is called may be. */
export const LONGEST_KEY_NAME = 60;

/** How far away the end of a key may be, in days: five years. */
export const LONGEST_KEY_DAYS = 1_826;

/** How long a rotated key goes on working beside its successor, in milliseconds. */
export const OVERLAPS = {
  "0": 0,
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
} as const;
export type Overlap = keyof typeof OVERLAPS;

export const OVERLAP_NAMES = [
  "0",
  "1h",
  "24h",
  "7d",
] as const satisfies readonly Overlap[];

/** Whether a text names an overlap. */
export function isOverlap(text: string): text is Overlap {
  return Object.hasOwn(OVERLAPS, text);
}
