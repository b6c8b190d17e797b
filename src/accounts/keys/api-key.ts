import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { KEY_PATTERN } from "../../contract/key-limits.ts";

/** `KEY_PATTERN` for finding keys inside text, as secret scanners take it. */
export const KEY_SCAN_PATTERN = "\\bpd_live_[0-9A-Za-z]{36}\\b";

/** Where a key comes from: `bytes` random bytes, of cryptographic quality outside tests. */
export type Random = (bytes: number) => Uint8Array;

export const KEY_MARK = "pd_live_";

/** Characters of a key that are shown again later, to tell it from others: its beginning and its end. */
export const DISPLAY_PREFIX_LENGTH = 12;
export const DISPLAY_SUFFIX_LENGTH = 4;

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = ALPHABET.length;
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const BODY_LENGTH = KEY_MARK.length + RANDOM_LENGTH;

/** Bytes from here on would make some characters likelier than others. */
const UNBIASED_BYTES = 256 - (256 % BASE);

/** A new key. */
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

/** Whether a text has a key's shape and its checksum is right. */
export function isWellFormedKey(text: string): boolean {
  return (
    KEY_PATTERN.test(text) &&
    text.endsWith(checksum(text.slice(0, BODY_LENGTH)))
  );
}

/** What is stored of a key: its SHA-256 in hexadecimal. A key has 178 random bits, so it needs no salt and no stretching. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** The parts of a key that are stored readably. */
export function displayParts(key: string): {
  prefix: string;
  lastFour: string;
} {
  return {
    prefix: key.slice(0, DISPLAY_PREFIX_LENGTH),
    lastFour: key.slice(-DISPLAY_SUFFIX_LENGTH),
  };
}

/** The six characters that belong after a key's first 38. */
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

/** Revocation comes first; a key is expired from the very moment of `expiresAt`. */
export function stateOf(
  revokedAt: number | null,
  expiresAt: number | null,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && nowMs >= expiresAt ? "expired" : "active";
}
