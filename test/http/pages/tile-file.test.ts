import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync, truncateSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { TileFile } from "../../../src/http/pages/tile-file.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { tileArchive } from "../../support/pure/tiles/tile-archive.ts";

const URL_PATH = "/map.pmtiles";
/** Longer than the longest range. */
const ARCHIVE = tileArchive({ tile: Buffer.alloc(5 * 2 ** 20, 7) });

async function startWithTiles(content: Buffer | null = ARCHIVE) {
  await using owned = new AsyncDisposableStack();
  const path = join(owned.use(temporaryFolder()).path, "usa.pmtiles");
  if (content !== null) writeFileSync(path, content);
  const portal = await portalParts({ tiles: path });
  const service = owned.use(await startHttpService({ portal }));
  const kept = owned.move();
  return {
    path,
    ask: (headers: Record<string, string>, method: "GET" | "HEAD" = "GET") =>
      service.ask({ method, url: URL_PATH, headers }),
    listen: () => service.listen(),
    async tileUrl(): Promise<unknown> {
      const { body } = await service.ask({ url: "/portal.json" });
      return JSON.parse(body).data.tile_url;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test("a file of tiles is sent in ranges, which clients keep by its version", async () => {
  await using service = await startWithTiles();
  const { headers, rawPayload, statusCode } = await service.ask({
    range: "bytes=0-126",
  });
  assert.equal(statusCode, 206);
  assert.deepEqual(rawPayload, ARCHIVE.subarray(0, 127));
  assert.equal(headers["content-range"], `bytes 0-126/${ARCHIVE.length}`);
  assert.equal(headers["content-length"], "127");
  assert.equal(headers["content-encoding"], undefined);
  assert.match(String(headers["cache-control"]), /immutable/);
  const tag = String(headers.etag);
  assert.match(tag, /^"[^"]+"$/);
  assert.equal(await service.tileUrl(), `${URL_PATH}?v=${tag.slice(1, -1)}`);
  const inside = await service.ask({ range: "bytes=100-199", "if-range": tag });
  assert.deepEqual(inside.rawPayload, ARCHIVE.subarray(100, 200));
  const last = await service.ask({ range: "bytes=-10" });
  assert.deepEqual(last.rawPayload, ARCHIVE.subarray(-10));
  const past = await service.ask({
    range: `bytes=${ARCHIVE.length - 10}-${ARCHIVE.length + 10}`,
  });
  assert.deepEqual(past.rawPayload, ARCHIVE.subarray(-10));
  const held = await service.ask({
    range: "bytes=0-126",
    "if-none-match": tag,
  });
  assert.equal(held.statusCode, 304);
  assert.equal(held.body, "");
  const head = await service.ask({ range: "bytes=0-126" }, "HEAD");
  assert.equal(head.body, "");
});

test("the whole file, long ranges, and ranges of another version are refused", async () => {
  await using service = await startWithTiles();
  const refused = [
    {},
    { range: "bytes=0-" },
    { range: `bytes=0-${4 * 2 ** 20}` },
    { range: "bytes=0-9,20-29" },
    { range: "bytes=9-0" },
    { range: `bytes=${ARCHIVE.length}-` },
    { range: "bytes=-" },
    { range: "bytes=-0" },
    { range: "tiles=0-9" },
    { range: "bytes=0-126", "if-range": '"another"' },
  ];
  for (const headers of refused) {
    const { body, ...answer } = await service.ask(headers);
    assert.equal(answer.statusCode, 416, JSON.stringify(headers));
    assert.equal(answer.headers["content-range"], `bytes */${ARCHIVE.length}`);
    assert.match(body, /Range: bytes=/);
  }
  const longest = await service.ask({ range: `bytes=1-${4 * 2 ** 20}` });
  assert.equal(longest.rawPayload.length, 4 * 2 ** 20);
});

test("a file that is replaced has another version; one that is broken or gone is not offered", async () => {
  await using service = await startWithTiles();
  const before = await service.tileUrl();
  const other = tileArchive({ tile: Buffer.alloc(100, 1) });
  writeFileSync(`${service.path}.new`, other);
  renameSync(`${service.path}.new`, service.path);
  const { headers, rawPayload } = await service.ask({ range: "bytes=0-9999" });
  assert.deepEqual(rawPayload, other);
  const url = await service.tileUrl();
  assert.notEqual(url, before);
  assert.equal(url, `${URL_PATH}?v=${String(headers.etag).slice(1, -1)}`);
  truncateSync(service.path, other.length - 1);
  assert.equal(await service.tileUrl(), null);
  assert.equal((await service.ask({ range: "bytes=0-9" })).statusCode, 404);
});

test("if the file is cut while it is sent, the connection ends without another answer", async () => {
  await using service = await startWithTiles();
  const socket = connect(await service.listen(), "127.0.0.1");
  const request = `GET ${URL_PATH} HTTP/1.1\r\nHost: a.example\r\nRange: bytes=0-4000000\r\n\r\n`;
  socket.write(request + request);
  socket.once("data", () => truncateSync(service.path, 200));
  const received = await text(socket);
  assert.match(received, /^HTTP\/1\.1 206 /);
  assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1);
  assert.ok(received.length < 4_000_000);
});

test("what isn't an archive is not offered, and there is no file without the setting", async () => {
  const wrong = Buffer.from(ARCHIVE);
  wrong[7] = 2;
  for (const content of [null, Buffer.from("<html>"), wrong]) {
    await using service = await startWithTiles(content);
    assert.equal(await service.tileUrl(), null);
    assert.equal((await service.ask({ range: "bytes=0-9" })).statusCode, 404);
  }
  const url = "https://tiles.example/usa.pmtiles";
  for (const tiles of [null, url]) {
    const portal = await portalParts({ tiles });
    await using service = await startHttpService({ portal });
    assert.equal((await service.ask({ url: URL_PATH })).statusCode, 404);
    const { body } = await service.ask({ url: "/portal.json" });
    assert.equal(JSON.parse(body).data.tile_url, tiles);
  }
});

test("neither a folder nor a pipe is read", () => {
  using folder = temporaryFolder();
  const pipe = join(folder.path, "usa.pmtiles");
  execFileSync("mkfifo", [pipe]);
  for (const path of [folder.path, pipe]) {
    assert.equal(new TileFile(path).problem(), "it is not a file");
    assert.equal(new TileFile(path).version(), null);
  }
});

test("too many unread answers to one network are refused, and the next is sent when they are read", async () => {
  await using service = await startWithTiles();
  const asked = Array.from({ length: 60 }, () =>
    service.ask({ range: "bytes=0-2000000" }),
  );
  const statuses = (await Promise.all(asked)).map((each) => each.statusCode);
  assert.equal(statuses.filter((status) => status === 206).length, 32);
  assert.equal(statuses.filter((status) => status === 429).length, 28);
  assert.equal((await service.ask({ range: "bytes=0-9" })).statusCode, 206);
});
