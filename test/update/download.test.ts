import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RequestContext } from "../../src/update/http/request.ts";
import {
  download,
  type DownloadProgress,
} from "../../src/update/http/download.ts";
import { UpdateError } from "../../src/update/update-error.ts";
import { NO_MOUNT, smallDisk } from "../support/program/broken-outputs.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";
import { NOW_MS, testRequestContext } from "./request-context.ts";
import {
  cutAfter,
  FileServer,
  forever,
  refuse,
  silence,
  slowly,
  stallAfter,
  trickling,
} from "./file-server.ts";

const BYTES = randomBytes(100_000);
const PATH = "/nppes/file.zip";
const FILE = { bytes: BYTES, etag: '"one"' };
const CHILD = fileURLToPath(new URL("./download-child.ts", import.meta.url));

/** Downloads the server's file into a folder, under its own name. */
async function fetchInto(
  folder: string,
  server: FileServer,
  asking: RequestContext,
  options: {
    snapshotBytes?: number;
    maxBytes?: number;
    check?: (path: string) => Promise<void>;
    onProgress?: (progress: DownloadProgress) => void;
  } = {},
): Promise<void> {
  const { check = async () => {}, maxBytes = 1e9 } = options;
  const { onProgress, snapshotBytes = 0 } = options;
  await download(
    {
      name: "file.zip",
      url: server.url(PATH),
      path: join(folder, "file.zip"),

      maxBytes,
      snapshotBytes: () => snapshotBytes,
      check,
    },
    asking,
    onProgress,
  );
}

function assertWhole(folder: string, bytes: Uint8Array = BYTES): void {
  assert.deepEqual(readdirSync(folder), ["file.zip"]);
  assert.ok(readFileSync(join(folder, "file.zip")).equals(bytes));
}

/** How many bytes the files of a folder have together. */
function sizesIn(folder: string): number {
  return readdirSync(folder)
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0);
}

function says(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UpdateError && pattern.test(error.message);
}

suite("a download", { concurrency: false }, () => {
  test("fetches the file, reports progress, and leaves no other file", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, FILE);
    const told: DownloadProgress[] = [];
    await fetchInto(folder.path, server, asking, {
      onProgress: (progress) => told.push(progress),
    });
    assertWhole(folder.path);
    assert.deepEqual(told.at(-1), {
      name: "file.zip",
      bytes: BYTES.length,
      bytesTotal: BYTES.length,
    });
  });

  test("resumes where the connection was cut, if the file is the same", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, FILE);
    server.faults.set(PATH, [
      cutAfter(30_000, folder.path),
      cutAfter(20_000, folder.path),
    ]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.deepEqual(
      server.asked.map(({ ifRange, range }) => [range, ifRange]),
      [
        [undefined, undefined],
        ["bytes=30000-", '"one"'],
        ["bytes=50000-", '"one"'],
      ],
    );
    assert.deepEqual(asking.waits, [1000, 2000]);
  });

  test("resumes by date if the file has no strong ETag", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const lastModified = "Mon, 09 Nov 2026 12:00:00 GMT";
    server.files.set(PATH, { bytes: BYTES, etag: 'W/"weak"', lastModified });
    server.faults.set(PATH, [cutAfter(30_000, folder.path)]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(server.asked[1]?.ifRange, lastModified);
  });

  test("starts over if neither an ETag nor a date identifies the file", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, { bytes: BYTES });
    server.faults.set(PATH, [cutAfter(30_000, folder.path)]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(server.asked[1]?.range, undefined);
  });

  test("starts over if the file has changed", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const changed = randomBytes(90_000);
    server.files.set(PATH, FILE);
    server.faults.set(PATH, [
      (...request) => {
        cutAfter(30_000, folder.path)(...request);
        server.files.set(PATH, { bytes: changed, etag: '"two"' });
      },
    ]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path, changed);
  });

  test("starts over if the server continues another file, or from another offset", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    for (const answer of [
      { etag: '"two"', "content-range": "bytes 30000-99999/100000" },
      { etag: '"one"', "content-range": "bytes 30000-99999/200000" },
      { etag: '"one"', "content-range": "bytes 0-69999/100000" },
      { etag: '"one"' },
    ]) {
      server.files.set(PATH, FILE);
      server.faults.set(PATH, [
        cutAfter(30_000, folder.path),
        (_request, response) =>
          response.writeHead(206, answer).end(randomBytes(70_000)),
      ]);
      await fetchInto(folder.path, server, asking);
      assertWhole(folder.path);
      rmSync(join(folder.path, "file.zip"));
    }
  });

  test("takes the whole file from a server that ignores ranges", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, { ...FILE, ranges: false });
    server.faults.set(PATH, [cutAfter(30_000, folder.path)]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(server.asked[1]?.range, "bytes=30000-");
  });

  test("retries after server errors and stalls, and honors Retry-After", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext({ limitMs: 300, retries: 6 });
    server.files.set(PATH, FILE);
    server.faults.set(PATH, [
      refuse(500),
      refuse(429, { "retry-after": "7" }),
      refuse(503, { "retry-after": new Date(NOW_MS + 90_000).toUTCString() }),
      refuse(503, { "retry-after": "soon" }),
      silence,
      stallAfter(40_000),
    ]);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.deepEqual(asking.waits, [1000, 7000, 90_000, 8000, 16_000, 32_000]);
    assert.equal(server.asked.at(-1)?.range, "bytes=40000-");
  });

  test("does not count attempts that gain a megabyte", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext({ retries: 1 });
    const large = randomBytes(5 << 20);
    server.files.set(PATH, { bytes: large, etag: '"large"' });
    server.faults.set(PATH, Array(3).fill(cutAfter(1_500_000, folder.path)));
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path, large);
  });

  test("gives up after several attempts without progress, and keeps what it has", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext({ retries: 2 });
    server.files.set(PATH, FILE);
    server.faults.set(PATH, Array(3).fill(cutAfter(10_000, folder.path)));
    await assert.rejects(
      fetchInto(folder.path, server, asking),
      says(
        /The connection to .*file\.zip failed \(ECONNRESET\), attempt 3 of 3\. Run update again later/,
      ),
    );
    // A reset may take along what was under way.
    const { size } = statSync(join(folder.path, "file.zip.part"));
    assert.ok(size > 0);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(server.asked.at(-1)?.range, `bytes=${size}-`);
  });

  test("fails at once if a retry would not help", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    for (const [fault, sentence] of [
      [refuse(403), /is forbidden to this machine \(403\)/],
      [refuse(404), /does not exist \(404\)/],
      [refuse(418), /status 418/],
      [
        refuse(429, { "retry-after": "86400" }),
        /asked to wait\. Run update again after 2026-11-22T12:00:00/,
      ],
    ] as const) {
      server.faults.set(PATH, [fault]);
      await assert.rejects(
        fetchInto(folder.path, server, asking),
        says(sentence),
      );
    }
    assert.deepEqual(asking.waits, []);
  });

  test("deletes a file that fails its check, and fetches all of it the next time", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, { bytes: BYTES.subarray(1), etag: '"short"' });
    const check = async (path: string) => {
      if (statSync(path).size < BYTES.length) throw new UpdateError("Short.");
    };
    await assert.rejects(
      fetchInto(folder.path, server, asking, { check }),
      says(/Short/),
    );
    assert.deepEqual(readdirSync(folder.path), []);
    server.files.set(PATH, FILE);
    await fetchInto(folder.path, server, asking, { check });
    assertWhole(folder.path);
  });

  test("is not fetched again if its check could not run", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, FILE);
    const fault = new Error("too many open files");
    const check = () => Promise.reject(fault);
    await assert.rejects(
      fetchInto(folder.path, server, asking, { check }),
      (error) => error === fault,
    );
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(server.asked.length, 1);
  });

  test("starts over if another server sent the first part", async () => {
    await using server = await FileServer.start();
    await using another = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext({ retries: 0 });
    another.files.set(PATH, { bytes: randomBytes(90_000), etag: '"one"' });
    another.faults.set(PATH, [cutAfter(30_000, folder.path)]);
    await assert.rejects(fetchInto(folder.path, another, asking));
    assert.ok(statSync(join(folder.path, "file.zip.part")).size > 0);
    server.files.set(PATH, FILE);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
  });

  test("leaves a part to resume when it is stopped, and throws the reason", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, FILE);
    server.faults.set(PATH, [stallAfter(25_000)]);
    const reason = new Error("stopped by hand");
    const onProgress = ({ bytes }: DownloadProgress) => {
      if (bytes === 25_000) asking.stop(reason);
    };
    await assert.rejects(
      fetchInto(folder.path, server, asking, { onProgress }),
      (error) => error === reason,
    );
    using another = testRequestContext();
    await fetchInto(folder.path, server, another);
    assertWhole(folder.path);
    assert.equal(server.asked.at(-1)?.range, "bytes=25000-");
  });

  test("fails before it starts if the disk has too little room", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    server.files.set(PATH, FILE);
    await assert.rejects(
      fetchInto(folder.path, server, asking, { snapshotBytes: 1e18 }),
      says(
        /The disk of .* has [\d,]+ MB free, but file\.zip needs 1,000,000,000,001 MB: 1 MB for downloads and 1,000,000,000,000 MB/,
      ),
    );
    assert.equal(statSync(join(folder.path, "file.zip.part")).size, 0);
  });

  test(
    "resumes on a full disk once there is room",
    { skip: NO_MOUNT },
    async () => {
      await using server = await FileServer.start();
      using disk = smallDisk("64k");
      using asking = testRequestContext();
      // The answer doesn't say how long the file is.
      server.files.set(PATH, FILE);
      server.faults.set(PATH, [
        (request, response, { files }) => {
          response.setHeader("etag", '"one"');
          response.write(files.get(PATH)?.bytes);
          request.on("close", () => response.destroy());
        },
      ]);
      await assert.rejects(
        fetchInto(disk.path, server, asking),
        says(/The disk is full \(.*file\.zip\.part\)\. Free some space/),
      );
      disk.resize("1m");
      await fetchInto(disk.path, server, asking);
      assertWhole(disk.path);
    },
  );

  test("stops at the size limit, whatever Content-Length says", async () => {
    using folder = temporaryFolder();
    await using server = await FileServer.start();
    server.files.set(PATH, FILE);
    const tooLong =
      /\/nppes\/file\.zip is larger than 1 MB, the limit for file\.zip\. Check the URL, or choose another source\.$/;
    using asking = testRequestContext();
    const fetched = () =>
      fetchInto(folder.path, server, asking, { maxBytes: 1e6 });

    const endless = forever({});
    server.faults.set(PATH, [endless.fault]);
    await assert.rejects(fetched(), says(tooLong));
    await endless.ended;
    assert.deepEqual(readdirSync(folder.path), []);

    server.faults.set(PATH, [forever({ "content-length": 1e9 }).fault]);
    await assert.rejects(fetched(), says(tooLong));
    assert.ok(sizesIn(folder.path) < 10_000);
    assert.equal(asking.waits.length, 0);

    await fetched();
    assertWhole(folder.path);
  });

  test("cuts off an answer longer than announced, and starts over", async () => {
    using folder = temporaryFolder();
    await using server = await FileServer.start();
    server.files.set(PATH, FILE);
    using asking = testRequestContext();
    const more = forever(
      {
        "content-range": `bytes 30000-${BYTES.length - 1}/${BYTES.length}`,
        etag: FILE.etag,
      },
      206,
    );
    server.faults.set(PATH, [cutAfter(30_000, folder.path), more.fault]);
    await fetchInto(folder.path, server, asking);
    await more.ended;
    assertWhole(folder.path);
  });

  test("stops before it fills the disk, if its length is unknown", async () => {
    using folder = temporaryFolder();
    await using server = await FileServer.start();
    const endless = forever({});
    server.faults.set(PATH, [endless.fault]);
    using asking = testRequestContext();
    await assert.rejects(
      fetchInto(folder.path, server, asking, { snapshotBytes: 1e18 }),
      says(/^The disk of .* has .* free, but file\.zip needs /),
    );
    await endless.ended;
    assert.ok(sizesIn(folder.path) < 32e6);
  });

  test("fails as too slow if it trickles", async () => {
    using folder = temporaryFolder();
    await using server = await FileServer.start();
    server.faults.set(PATH, [trickling, trickling]);
    using asking = testRequestContext({ limitMs: 300, retries: 1 });
    await assert.rejects(
      fetchInto(folder.path, server, asking),
      says(/was too slow \(too few bytes\), attempt 2 of 2/),
    );
  });

  test("is completed by the next run however many times it was killed", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const part = join(folder.path, "file.zip.part");
    const sizeOfPart = () =>
      statSync(part, { throwIfNoEntry: false })?.size ?? 0;
    server.files.set(PATH, FILE);
    for (let kill = 1; kill <= 5; kill++) {
      server.faults.set(PATH, [slowly(40, 2)]);
      const before = sizeOfPart();
      const child = spawn(process.execPath, [
        CHILD,
        server.url(PATH).href,
        join(folder.path, "file.zip"),
      ]);
      const ended = once(child, "exit");
      await until("the child to get on", () => sizeOfPart() > before);
      child.kill("SIGKILL");
      await ended;
    }
    assert.ok(sizeOfPart() > 0 && sizeOfPart() < BYTES.length);
    await fetchInto(folder.path, server, asking);
    assertWhole(folder.path);
    assert.equal(
      server.asked.filter(({ range }) => range === undefined).length,
      1,
    );
  });
});
