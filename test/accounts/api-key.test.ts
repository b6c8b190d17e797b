import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { KEY_PATTERN } from "../../src/contract/credentials.ts";
import {
  checksum,
  displayParts,
  generateKey,
  hashKey,
  isWellFormedKey,
  KEY_SCAN_PATTERN,
} from "../../src/accounts/keys/api-key.ts";

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const anyKey = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: 40, maxLength: 40 })
  .map((bytes) => generateKey(repeating(bytes)));

/** Not random: the given bytes, repeated, then all others, so that drawing always ends. */
function repeating(bytes: readonly number[]): (count: number) => Uint8Array {
  let calls = 0;
  return (count) =>
    Uint8Array.from({ length: count }, (_, index) =>
      calls++ < 40 ? (bytes[index % bytes.length] ?? 0) : calls % 248,
    );
}

test("a key is the mark, 30 random characters and its checksum, and matches the published pattern", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      assert.match(key, KEY_PATTERN);
      assert.equal(key.length, 44);
      assert.ok(isWellFormedKey(key));
    }),
  );
});

test("the checksum is the CRC-32 of everything before it, in base 62", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const value = Array.from(key.slice(38)).reduce(
        (sum, digit) => sum * 62 + ALPHABET.indexOf(digit),
        0,
      );
      assert.equal(value, crc32(key.slice(0, 38)));
    }),
  );
});

test("a small CRC keeps its leading zeros", () => {
  const bodies = Array.from({ length: 20_000 }, (_, number) => `body${number}`);
  const small = bodies.find((body) => crc32(body) < 62 ** 4);
  assert.ok(small !== undefined);
  assert.match(checksum(small), /^00[0-9A-Za-z]{4}$/);
  assert.equal(checksum(""), "000000");
});

test("every single wrong character is caught", () => {
  const key = generateKey(randomBytes);
  for (let place = 0; place < key.length; place++) {
    for (const wrong of `${ALPHABET}_-é `) {
      if (wrong === key[place]) continue;
      const typo = key.slice(0, place) + wrong + key.slice(place + 1);
      assert.equal(isWellFormedKey(typo), false, typo);
    }
  }
});

test("every swap of two neighboring characters is caught", () => {
  fc.assert(
    fc.property(anyKey, fc.integer({ min: 8, max: 42 }), (key, place) => {
      const [one = "", other = ""] = key.slice(place, place + 2);
      fc.pre(one !== other);
      const typo = key.slice(0, place) + other + one + key.slice(place + 2);
      assert.equal(isWellFormedKey(typo), false);
    }),
  );
});

test("other texts are not keys", () => {
  const key = generateKey(randomBytes);
  for (const text of [
    "",
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace("live", "test"),
    "x".repeat(1_000_000),
  ]) {
    assert.equal(isWellFormedKey(text), false);
  }
});

test("bytes that would bias some characters are not used", () => {
  const source = [248, 255, 250, 249, 247, 0, 61, 62];
  let next = 0;
  const key = generateKey((count) =>
    Uint8Array.from({ length: count }, () => source[next++ % 8] ?? 0),
  );
  assert.equal(
    key.slice(8, 38),
    "z0z0".repeat(8).slice(0, 30),
    "247 → z, 0 → 0, 61 → z, 62 → 0",
  );
});

test("every character is equally likely", () => {
  const counts = new Map<string, number>();
  const keys = 4_000;
  for (let made = 0; made < keys; made++) {
    for (const character of generateKey(randomBytes).slice(8, 38)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (keys * 30) / 62;
  assert.equal(counts.size, 62);
  for (const count of counts.values()) {
    // Seven standard deviations: chance fails this once in billions of runs.
    assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected));
  }
});

test("what is stored is the SHA-256, a prefix of 12 characters and the last four", () => {
  const key = generateKey(randomBytes);
  assert.equal(hashKey(key), createHash("sha256").update(key).digest("hex"));
  assert.deepEqual(displayParts(key), {
    prefix: key.slice(0, 12),
    lastFour: key.slice(40),
  });
});

test("the scanners' pattern finds a key inside text", () => {
  const key = generateKey(randomBytes);
  const found = `curl -H "Authorization: Bearer ${key}" http://`.match(
    new RegExp(KEY_SCAN_PATTERN),
  );
  assert.equal(found?.[0], key);
});
