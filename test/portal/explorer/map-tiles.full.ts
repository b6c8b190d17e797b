import assert from "node:assert/strict";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { isDeepStrictEqual } from "node:util";
import {
  ArchiveSource,
  MAX_PART_BYTES,
} from "../../../src/portal/map/archive-source.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { until } from "../../support/pure/until.ts";
import { solidPng } from "../../support/pure/tiles/solid-png.ts";
import { tileArchive } from "../../support/pure/tiles/tile-archive.ts";
import type { TileFeature } from "../../support/pure/tiles/vector-tile.ts";
import { foreignRequests, NO_BROWSER, visit, WIDE } from "../browser.ts";
import { startDemo } from "../portal-service.ts";
import {
  corners,
  LAT,
  LNG,
  MAP_PATH,
  mapSays,
  showPlaces,
} from "./map-page.ts";

const CREDIT = '<a href="https://example.org">&copy; Example &amp; others</a>';
const CREDITED = "© Example & others";
const BUILT_IN = "Shapes: U.S. Census Bureau, Natural Earth";
/** Of `map.module.css`. */
const WATER = { light: [207, 223, 233], dark: [13, 21, 27] } as const;
const LAND = { light: [252, 251, 249], dark: [35, 42, 49] } as const;
/** In the tile of the whole world, this is 92° west, where the built-in map has land. */
const COAST = 1_001;
const RED = [200, 30, 40] as const;

const SEA: TileFeature = {
  kind: "area",
  places: [
    [0, 0],
    [COAST, 0],
    [COAST, 4_096],
    [0, 4_096],
  ],
  tags: { kind: "ocean", class: "ocean" },
};
const ROAD: TileFeature = {
  kind: "line",
  places: [
    [COAST, 1_500],
    [1_100, 1_600],
  ],
  tags: { kind: "highway", class: "motorway" },
};
const TOWN: TileFeature = {
  kind: "point",
  places: [[1_040, 1_560]],
  tags: { kind: "locality", class: "city", name: "Sampleton" },
};
const PROTOMAPS_TILE = {
  water: [SEA],
  roads: [ROAD],
  boundaries: [],
  places: [TOWN],
};
const PROTOMAPS = tileArchive({ attribution: CREDIT, tile: PROTOMAPS_TILE });
const OPENMAPTILES = tileArchive({
  tile: {
    water: [SEA],
    transportation: [ROAD],
    boundary: [],
    place: [TOWN],
  },
});

suite("the operator's own tiles in a file", { skip: NO_BROWSER }, async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "usa.pmtiles");
  place(PROTOMAPS);
  const service = await startDemo({ PORTAL_TILES: file });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("vector tiles are drawn in the theme's colors, with the archive's credit as text", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes(".pmtiles")) statuses.push(response.status());
    });
    await openMap(page);
    await page.getByText(CREDITED).waitFor();
    assert.deepEqual(await corners(page.locator("canvas")), [
      WATER.light,
      LAND.light,
    ]);
    await page.emulateMedia({ colorScheme: "dark" });
    await untilCorners(page, [WATER.dark, LAND.dark]);
    assert.ok(statuses.length >= 2);
    assert.ok(statuses.every((status) => status === 206));
    assert.deepEqual(foreignRequests(reader, service), []);
    assert.deepEqual(reader.faults, []);
  });

  test("another archive takes its place while the service runs, here with the layers of OpenMapTiles", async () => {
    place(OPENMAPTILES);
    await using reader = await visit(service.url, WIDE);
    await openMap(reader.page);
    await reader.page
      .getByText(`Tiles: ${new URL(service.url).host}`)
      .waitFor();
    assert.deepEqual(await corners(reader.page.locator("canvas")), [
      WATER.light,
      LAND.light,
    ]);
    assert.deepEqual(reader.faults, []);
  });

  test("pictures are drawn as they are", async () => {
    place(tileArchive({ tile: solidPng(RED) }));
    await using reader = await visit(service.url, WIDE);
    await openMap(reader.page);
    assert.deepEqual(await corners(reader.page.locator("canvas")), [RED, RED]);
    assert.deepEqual(reader.faults, []);
  });

  test("a page opened before the archive is replaced shows the new one when its map is opened again", async () => {
    place(PROTOMAPS);
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await openMap(page);
    place(
      tileArchive({
        tile: { water: [], roads: [ROAD], boundaries: [], places: [] },
      }),
    );
    await page.getByRole("link", { name: "Guide" }).click();
    await page.waitForURL("**/guide");
    await page.goBack();
    await mapSays(page, "Map: 3 providers in 1 circle");
    await untilCorners(page, [LAND.light, LAND.light]);
    assert.deepEqual(reader.faults, []);
  });

  test("layers that the map doesn't know, or no archive, leave the built-in shapes", async () => {
    const unknown = tileArchive({ tile: { sea: [SEA] } });
    for (const content of [unknown, Buffer.from("PMTiles")]) {
      place(content);
      await using reader = await visit(service.url, WIDE);
      await openMap(reader.page);
      await reader.page.getByText(BUILT_IN).waitFor();
      // Lake Michigan is in the east.
      assert.deepEqual(await corners(reader.page.locator("canvas")), [
        LAND.light,
        WATER.light,
      ]);
      assert.deepEqual(reader.faults, []);
    }
  });

  test("compressed parts are unpacked, but none of more than 4 MiB is loaded", async () => {
    const facts = { attribution: CREDIT, tile: PROTOMAPS_TILE };
    const credit = CREDIT.padEnd(MAX_PART_BYTES);
    const picture = Buffer.concat([
      solidPng(RED),
      Buffer.alloc(MAX_PART_BYTES),
    ]);
    for (const [archive, said, west] of [
      [tileArchive({ ...facts, isPacked: true }), CREDITED, WATER.light],
      [tileArchive({ ...facts, attribution: credit }), BUILT_IN, LAND.light],
      [tileArchive({ ...facts, tile: picture }), CREDITED, null],
    ] as const) {
      place(archive);
      await using reader = await visit(service.url, WIDE);
      await openMap(reader.page);
      await reader.page.getByText(said).waitFor();
      const [first] = await corners(reader.page.locator("canvas"));
      if (west === null) assert.notDeepEqual(first, RED);
      else assert.deepEqual(first, west);
    }
  });

  test("a file that can't be used is named at start", async () => {
    await using other = await startDemo({ PORTAL_TILES: `${file}.pmtiles` });
    assert.match(
      other.program.err,
      /map's tiles can't be used: \S+usa\.pmtiles\.pmtiles: it can't be read .*PORTAL_TILES/,
    );
  });

  /** Replaces the file at once, as operators should. */
  function place(content: Buffer): void {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  }
});

test("a part that is too long isn't requested, and a host that doesn't respond is given up", async () => {
  let requests = 0;
  const host = createServer(() => {
    requests += 1;
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const address = host.address();
  assert.ok(address !== null && typeof address !== "string");
  const source = new ArchiveSource(`http://127.0.0.1:${address.port}`, 50);
  const tooLong = source.getBytes(0, MAX_PART_BYTES + 1);
  await assert.rejects(tooLong, /too long/);
  assert.equal(requests, 0);
  await assert.rejects(source.getBytes(0, 10), { name: "TimeoutError" });
  host.closeAllConnections();
  host.close();
});

suite("an archive of tiles on another host", { skip: NO_BROWSER }, () => {
  test("is read by the browser in ranges; without it the built-in shapes are drawn", async () => {
    let isThere = true;
    const host = createServer(({ headers: { range = "" } }, answer) => {
      const [, from = "", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
      answer.writeHead(isThere ? 206 : 404, {
        "access-control-allow-origin": "*",
      });
      answer.end(PROTOMAPS.subarray(Number(from), Number(to) + 1));
    }).listen(0, "127.0.0.1");
    await once(host, "listening");
    const address = host.address();
    assert.ok(address !== null && typeof address !== "string");
    const origin = `http://127.0.0.1:${address.port}`;
    await using _closed = {
      async [Symbol.asyncDispose]() {
        host.closeAllConnections();
        await new Promise((closed) => host.close(closed));
      },
    };
    await using service = await startDemo({
      PORTAL_TILES: `${origin}/usa.pmtiles`,
    });
    await using reader = await visit(service.url, WIDE);
    await openMap(reader.page);
    await reader.page.getByText(CREDITED).waitFor();
    assert.deepEqual(await corners(reader.page.locator("canvas")), [
      WATER.light,
      LAND.light,
    ]);
    const foreign = foreignRequests(reader, service);
    assert.ok(foreign.length >= 2);
    assert.ok(foreign.every((url) => url === `${origin}/usa.pmtiles`));
    assert.deepEqual(reader.faults, []);
    isThere = false;
    await using later = await visit(service.url, WIDE);
    await openMap(later.page);
    await later.page.getByText(BUILT_IN).waitFor();
  });
});

/** Waits until the map is drawn in these colors. */
async function untilCorners(
  page: Page,
  expected: readonly (readonly number[])[],
): Promise<void> {
  await until(`the map's corners are ${JSON.stringify(expected)}`, async () =>
    isDeepStrictEqual(await corners(page.locator("canvas")), expected),
  );
}

async function openMap(page: Page): Promise<void> {
  await showPlaces(page, [["62701", LAT, LNG, 3]]);
  await page.goto(MAP_PATH);
  await mapSays(page, "Map: 3 providers in 1 circle");
}
