import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { KEY_PATTERN } from "../../contract/credentials.ts";

/** `KEY_PATTERN` for secret scanners, which search inside text. */
export const KEY_SCAN_PATTERN = "\\bpd_live_[0-9A-Za-z]{36}\\b";

/** Returns `bytes` random bytes, of cryptographic quality outside tests. */
export type Random = (bytes: number) => Uint8Array;

export const KEY_MARK = "pd_live_";

/** Characters of a key that are stored readably, to tell it from others: the first and the last. */
export const DISPLAY_PREFIX_LENGTH = 12;
export const DISPLAY_SUFFIX_LENGTH = 4;

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = ALPHABET.length;
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const BODY_LENGTH = KEY_MARK.length + RANDOM_LENGTH;

/** Bytes from here on would bias some characters. */
const UNBIASED_BYTES = 256 - (256 % BASE);

/** Generates a key. */
export function generateKey(random: Random): string {
  let body = KEY_MARK;
  while (body.length < BODY_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < UNBIASED_BYTES && body.length < BODY_LENGTH)
        body += ALPHABET.charAt(byte % BASE);
    }
  }
  return body + checksum(body);
}

/** True if a text has a key's shape and a valid checksum. */
export function isWellFormedKey(text: string): boolean {
  return (
    KEY_PATTERN.test(text) &&
    text.endsWith(checksum(text.slice(0, BODY_LENGTH)))
  );
}

/**
 * Hashes a key as it is stored, with SHA-256 in hexadecimal. With 178 random bits it needs no salt and no stretching.
 */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Returns the parts of a key that are stored readably. */
export function displayParts(key: string): {
  prefix: string;
  lastFour: string;
} {
  return {
    prefix: key.slice(0, DISPLAY_PREFIX_LENGTH),
    lastFour: key.slice(-DISPLAY_SUFFIX_LENGTH),
  };
}

/** Computes the six-character checksum of a key's first 38. */
export function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(rest % BASE) + digits;
    rest = Math.floor(rest / BASE);
  }
  return digits;
}

export type KeyState = "active" | "expired" | "revoked";

/** Returns the state of a key. Revocation takes precedence; a key is expired from `expiresAt` on. */
export function stateOf(
  revokedAt: number | null,
  expiresAt: number | null,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && nowMs >= expiresAt ? "expired" : "active";
}
