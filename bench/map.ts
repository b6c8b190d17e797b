/**
 * How long does it take to count all matches of a query by ZIP for the explorer's map, in process? Prints for each
 * query the best wall time and the mean processor time:
 *
 * - cold: of a directory that has answered nothing by these filters yet, as after an update
 * - warm: of one that has, but no longer has the counts
 * - bounds: of another part of the map of the same query, with its answer's JSON
 *
 * The floor, in the same run: one pass over the documents' ZIPs, as a column that a search with matches everywhere
 * would have to read. For comparison, the first page of the same query.
 *
 * A data folder must have the registry's other files (`generate --with-other-files`).
 *
 *   node_modules/.bin/node bench/map.ts [providers | data folder] [times]
 */
import type { FilterValues } from "../src/contract/parameters/filter-schemas.ts";
import { Directory } from "../src/search/directory.ts";
import type { MapCounts } from "../src/search/map/zip-counts.ts";
import type { Point } from "../src/search/query.ts";
import type { Snapshot } from "../src/snapshot/snapshot.ts";
import { withSnapshot } from "./support/bench-store.ts";

const [source = "1000000", times = "10"] = process.argv.slice(2);
const PAGE = { limit: 25, page: 1 };

interface Query {
  readonly title: string;
  readonly counts: (directory: Directory) => MapCounts;
  /** Null if it would read details from the disk. */
  readonly page: ((directory: Directory) => unknown) | null;
}

const NEW_YORK = { lat: 40.75, lng: -73.99 };
const KANSAS_CITY = { lat: 39.1, lng: -94.58 };

const QUERIES: readonly Query[] = [
  search({}),
  search({ entity_type: "individual" }),
  search({ entity_type: "organization", status: "active" }),
  search({ state: "CA" }),
  search({ city: "New York" }),
  search({ name: "a" }),
  search({ name: "an" }),
  search({ name: "er s" }),
  search({ name: "smith" }),
  search({ name: "john", name_scope: "any" }),
  search({ last_name: "s" }),
  search({ first_name: "bob", name_aliases: "true" }),
  search({ organization: "a" }),
  search({ specialty: "nurse" }),
  search({ specialty: "nurse", taxonomy_scope: "any" }),
  search({ specialty: "nurse", name: "an", state: "CA" }),
  search({ last_updated_since: "2020-01-01" }),
  search({ name: "a", specialty: "nurse", last_updated_since: "2020-01-01" }),
  nearby({}, NEW_YORK, 25),
  nearby({ location_scope: "any" }, NEW_YORK, 25),
  nearby({}, NEW_YORK, 500),
  nearby({}, KANSAS_CITY, 500),
  nearby({ entity_type: "organization" }, KANSAS_CITY, 500),
  nearby({ name: "a" }, KANSAS_CITY, 500),
  nearby({ specialty: "nurse" }, KANSAS_CITY, 500),
  nearby({ location_scope: "any" }, NEW_YORK, 500),
  nearby({ location_scope: "any" }, KANSAS_CITY, 500),
  nearby({ location_scope: "any", name: "a" }, NEW_YORK, 500),
  nearby({ location_scope: "any", specialty: "nurse" }, NEW_YORK, 500),
  nearby(
    { location_scope: "any", name_scope: "any", name: "an" },
    NEW_YORK,
    500,
  ),
];

function search(filters: FilterValues): Query {
  return {
    title: `search ${titleOf(filters)}`,
    counts: ({ explore: { map } }) => map.search(filters),
    page: (directory) => directory.search.page({ ...filters, ...PAGE }),
  };
}

function nearby(filters: FilterValues, center: Point, radius: number): Query {
  const query = { ...filters, ...PAGE, center, radius };
  return {
    title: `nearby ${radius} miles ${titleOf(filters)}`,
    counts: ({ explore: { map } }) => map.nearby(query),
    page:
      filters.location_scope === "any"
        ? null
        : (directory) => directory.nearby.page(query),
  };
}

function titleOf(filters: FilterValues): string {
  return Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

await withSnapshot(source, (snapshot) => {
  const { places, updatedDays } = snapshot;
  // Read once for each snapshot, by another thread of the service.
  updatedDays.countSince(1);
  console.log(
    `${snapshot.count} providers, ${places.count} places; milliseconds, wall : processor`,
  );
  console.log(
    `${"".padEnd(72)}${["cold", "warm", "bounds", "page"].map((each) => each.padStart(14)).join("")}${"located".padStart(12)}${"rows".padStart(7)}`,
  );
  printFloor(snapshot);
  for (const each of QUERIES) measure(snapshot, each);
  printFloor(snapshot);
});

function measure(snapshot: Snapshot, { counts, page, title }: Query): void {
  const all = Array.from({ length: Number(times) }, () => opened(snapshot));
  const cold = timed(all, counts);
  for (const each of all) forgetCounts(each);
  const warm = timed(all, counts);
  const bounds = timed(all, (each) => {
    const kept = counts(each);
    return JSON.stringify(each.explore.map.rows(kept, [-100, 30, -80, 45]));
  });
  const pages = page === null ? "" : timed(all, page);
  const found = counts(all[0]!);
  const { rows } = all[0]!.explore.map.rows(found, null);
  console.log(
    title.padEnd(72) +
      [cold, warm, bounds, pages].map((each) => each.padStart(14)).join("") +
      String(found.located).padStart(12) +
      String(rows.length).padStart(7),
  );
}

/** A directory that has its memory, but nothing of any filter. */
function opened(snapshot: Snapshot): Directory {
  const directory = new Directory(snapshot);
  directory.explore.map.search({ name: "zq", state: "WY" });
  return directory;
}

/** Asks others until the counts of a query are no longer kept. */
function forgetCounts({ explore: { map } }: Directory): void {
  for (let lat = 30; lat < 40; lat++)
    map.nearby({ ...PAGE, center: { lat, lng: -90 }, radius: 1 });
}

/** The best wall time and the mean processor time, in milliseconds. */
function timed<T>(all: readonly T[], run: (each: T) => unknown): string {
  const before = process.threadCpuUsage();
  const walls = all.map((each) => {
    const began = performance.now();
    run(each);
    return performance.now() - began;
  });
  const { system, user } = process.threadCpuUsage();
  const processor = (system + user - before.system - before.user) / 1e3;
  return `${Math.min(...walls).toFixed(1)} : ${(processor / all.length).toFixed(1)}`;
}

function printFloor({ centroids, count, places }: Snapshot): void {
  const column = new Uint16Array(count);
  for (let place = 0; place < places.count; place++)
    column.fill(
      Math.max(0, centroids.zips.indexOf(places.zip[place]! - 1)),
      places.starts[place],
      places.starts[place + 1],
    );
  const counts = new Uint32Array(0x10000);
  const pass = timed(Array.from({ length: Number(times) }), () => {
    for (let doc = 0; doc < count; doc++) counts[column[doc]!]!++;
  });
  console.log(
    `${"floor: a pass over the ZIPs".padEnd(72)}${pass.padStart(14)}`,
  );
}
