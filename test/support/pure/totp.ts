/** What an authenticator app shows: RFC 6238 with SHA-1, six digits and 30 seconds, by nothing of the product's. */

import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PERIOD_MS = 30_000;

/** The code of an `otpauth:` address at a moment. */
export function totpOf(uri: string, atMs: number = Date.now()): string {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / PERIOD_MS)));
  const hash = createHmac("sha1", decode(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** A code that is wrong now, and soon. */
export function wrongTotp(uri: string): string {
  const right = new Set(
    [-1, 0, 1, 2].map((step) => totpOf(uri, Date.now() + step * PERIOD_MS)),
  );
  for (let code = 0; ; code += 1) {
    const text = String(code).padStart(6, "0");
    if (!right.has(text)) return text;
  }
}

function decode(base32: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of base32.replaceAll("=", "")) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
