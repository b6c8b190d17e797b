/**
 * An API key: `pd_live_`, 30 random base62 characters (178 bits), and the CRC-32 (IEEE) of everything before as 6
 * base62 characters, zero-padded. The checksum rejects a mistyped key without a lookup and lets secret scanners verify
 * a match.
 */
export const KEY_PATTERN = /^pd_live_[0-9A-Za-z]{36}$/;

/** Active keys per account. */
export const MAX_ACTIVE_KEYS = 10;

/** Keys per account, including ended ones. A new key replaces the one that ended first. */
export const MAX_KEPT_KEYS = 100;

/** Characters in a key's name. */
export const MAX_KEY_NAME_LENGTH = 60;

/** The latest expiry of a key, in days from now: five years. */
export const MAX_KEY_DAYS = 1_826;

/** The times that a rotated key can keep working next to its successor, in milliseconds. */
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

export function isOverlap(text: string): text is Overlap {
  return Object.hasOwn(OVERLAPS, text);
}

/** The length of a password in UTF-16 code units, as better-auth counts them. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 128;
