import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { InjectOptions } from "light-my-request";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import type { FilesAnswer } from "../../../src/contract/answers.ts";
import { install, issueKey } from "../../support/app/accounts-installation.ts";
import {
  startHttpService,
  type HttpService,
  type HttpServiceOptions,
} from "../../support/app/http-service.ts";
import {
  sampleDirectory,
  writeSample,
} from "../../support/pure/engine/sample-directory.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { makeCurrentFiles } from "../../support/pure/snapshot-files.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { until } from "../../support/pure/until.ts";

const ID = "20261116T031500000Z";
const NEXT = "20261123T031500000Z";
const LIST = "/v1/files";
const NAME = "providers.parquet";
const FILE = `${LIST}/${ID}/${NAME}`;
const OTHER = `${LIST}/${ID}/taxonomies.parquet`;
const QUOTA = 25_000;
const PLACES = 64;
const OF_ACCOUNT = 16;
/** More than the buffers of a connection take. */
const LONG = 64 << 20;

suite("/v1/files", () => {
  const made = temporaryFolder();
  const folder = join(made.path, "snapshots", ID, "files");
  let list: FilesAnswer;
  let bytes: Buffer;

  before(async () => {
    writeSample(made.path);
    list = await makeCurrentFiles(made.path);
    bytes = readFileSync(join(folder, NAME));
  });
  after(() => made[Symbol.dispose]());

  /** A service whose data folder has the sample's files. */
  async function start(options: HttpServiceOptions = {}) {
    const service = await startHttpService({
      settings: { files: "on" },
      ...options,
    });
    const snapshots = join(service.installation.folder, "snapshots");
    cpSync(join(made.path, "snapshots"), snapshots, { recursive: true });
    return {
      service,
      files: join(snapshots, ID, "files"),
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    };
  }

  test("the list says what each file has, and each is given whole, as it says", async () => {
    await using running = await start();
    const { service } = running;
    const answer = await service.get(LIST);
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json(), list);
    assert.deepEqual(
      answer.json(),
      (await service.get(`${LIST}?snapshot=${ID}`)).json(),
    );
    assert.equal(list.data.length, 8);
    for (const { bytes: size, media_type: type, sha256, url } of list.data) {
      const { headers, rawPayload, statusCode } = await service.get(url);
      assert.equal(statusCode, 200);
      assert.equal(rawPayload.length, size);
      assert.equal(
        createHash("sha256").update(rawPayload).digest("hex"),
        sha256,
      );
      assert.equal(headers["content-type"], type);
      assert.equal(headers["content-length"], String(size));
      assert.equal(headers["accept-ranges"], "bytes");
      assert.equal(headers["snapshot"], ID);
      assert.equal(
        headers["cache-control"],
        "private, max-age=31536000, immutable",
      );
      assert.match(String(headers.etag), /^"[0-9a-f]{32}"$/);
      const head = await service.ask({
        method: "HEAD",
        url,
        headers: { authorization: `Bearer ${service.paidKey}` },
      });
      assert.equal(head.rawPayload.length, 0);
      for (const name of [
        "content-length",
        "etag",
        "content-type",
        "accept-ranges",
      ])
        assert.equal(head.headers[name], headers[name], name);
    }
    const manifest = await service.get(`${LIST}/${ID}/manifest.json`);
    assert.deepEqual(manifest.json(), list);
    assert.match(
      String(manifest.headers["content-type"]),
      /^application\/json/,
    );
  });

  test("one range is given as requested; several, and what can't be read, as the whole", async () => {
    await using running = await start();
    const { service } = running;
    const size = bytes.length;
    const { etag } = (await service.get(FILE)).headers;
    for (const [range, first, last] of [
      ["bytes=0-3", 0, 3],
      ["BYTES=4-4", 4, 4],
      [`bytes=${size - 1}-`, size - 1, size - 1],
      ["bytes=-8", size - 8, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      ["bytes=100-199", 100, 199],
      [`bytes=10-${size * 2}`, 10, size - 1],
      [`bytes=0-`, 0, size - 1],
    ] as const) {
      const { headers, rawPayload, statusCode } = await service.get(FILE, {
        range,
      });
      assert.equal(statusCode, 206, range);
      assert.equal(headers["content-range"], `bytes ${first}-${last}/${size}`);
      assert.equal(headers["content-length"], String(last - first + 1));
      assert.equal(headers["etag"], etag);
      assert.deepEqual(rawPayload, bytes.subarray(first, last + 1));
    }
    for (const range of [
      "bytes=0-1,4-5",
      "bytes=5-2",
      "bytes=-",
      "lines=0-1",
      "bytes=a-b",
      `bytes=0-${"9".repeat(30)}`,
    ]) {
      const { rawPayload, statusCode } = await service.get(FILE, { range });
      assert.equal(statusCode, 200, range);
      assert.deepEqual(rawPayload, bytes);
    }
    for (const range of [
      `bytes=${size}-`,
      `bytes=${size * 2}-${size * 3}`,
      "bytes=-0",
    ]) {
      const { body, headers, statusCode } = await service.get(FILE, { range });
      assert.equal(statusCode, 416, range);
      assert.equal(headers["content-range"], `bytes */${size}`);
      assert.equal(errorOf(body).code, "range_not_satisfiable");
    }
  });

  test("If-Range needs the strong tag; If-None-Match is answered free", async () => {
    await using running = await start();
    const { service } = running;
    const { headers } = await service.get(FILE);
    const etag = String(headers.etag);
    const range = "bytes=0-3";
    for (const [condition, status] of [
      [etag, 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      ["Mon, 16 Nov 2026 03:15:00 GMT", 200],
    ] as const) {
      const answer = await service.get(FILE, { range, "if-range": condition });
      assert.equal(answer.statusCode, status, condition);
    }
    for (const condition of [etag, `W/${etag}`, `"a", ${etag}`]) {
      const answer = await service.get(FILE, {
        "if-none-match": condition,
        range,
      });
      assert.equal(answer.statusCode, 304, condition);
      assert.equal(answer.headers.etag, etag);
      assert.equal(answer.rawPayload.length, 0);
    }
    assert.equal(
      (await service.get(FILE, { "if-none-match": '"a"' })).statusCode,
      200,
    );
    const { headers: other } = await service.get(OTHER);
    const copy = await service.get(OTHER, {
      "if-none-match": String(other.etag),
    });
    assert.equal(copy.statusCode, 304);
    assert.equal(await left(service), QUOTA - 2);
  });

  test("what the list doesn't have is not found, whatever the path", async () => {
    await using running = await start();
    const { files, service } = running;
    const other = await service.get(`${LIST}/${ID}/none.parquet`);
    assert.match(errorOf(other.body).message, /has no file of this name/);
    writeFileSync(join(files, "secret.txt"), "invented");
    for (const path of [
      `${LIST}/${ID}/secret.txt`,
      `${LIST}/${ID}/other.parquet`,
      `${LIST}/${ID}/..`,
      `${LIST}/${ID}/%2e%2e`,
      `${LIST}/${ID}/..%2Fproviders.snapshot`,
      `${LIST}/${ID}/%2e%2e%2fproviders.snapshot`,
      `${LIST}/${ID}/..%5Cproviders.snapshot`,
      `${LIST}/${ID}/%2Fetc%2Fpasswd`,
      `${LIST}/${ID}/${NAME}%00`,
      `${LIST}/${ID}/%00`,
      `${LIST}/${ID}/${NAME}/`,
      `${LIST}/${ID}/${NAME.toUpperCase()}`,
      `${LIST}/${ID}/__proto__`,
      `${LIST}/../current/${NAME}`,
      `${LIST}/..%2F..%2Fsnapshots%2F${ID}/${NAME}`,
      `${LIST}/${ID}%2Ffiles/${NAME}`,
      `${LIST}/${ID.toLowerCase()}/${NAME}`,
      `${LIST}/${ID}%00/${NAME}`,
      `${LIST}/current/${NAME}`,
    ]) {
      const answer = await service.get(path);
      assert.ok([400, 404].includes(answer.statusCode), path);
      assert.doesNotMatch(answer.body, /invented"?$|root:/);
    }
    assert.equal(await left(service), QUOTA);
  });

  test("a kept snapshot's files are given after a swap, and gone with it; those that are being made are awaited", async () => {
    await using running = await start();
    const { files, service } = running;
    service.data.directory = await sampleDirectory({ id: NEXT });
    for (const path of [LIST, `${LIST}/${NEXT}/${NAME}`]) {
      const { body, headers, statusCode } = await service.get(path);
      assert.equal(statusCode, 503);
      assert.equal(headers["retry-after"], "60");
      assert.equal(errorOf(body).code, "files_not_ready");
      assert.match(errorOf(body).message, /If this lasts, the log of the/);
    }
    const old = `${LIST}?snapshot=${ID}`;
    assert.deepEqual((await service.get(FILE)).rawPayload, bytes);
    assert.deepEqual((await service.get(old)).json(), list);
    rmSync(join(files, ".."), { recursive: true });
    for (const path of [FILE, old, `${LIST}/20200101T000000000Z/${NAME}`]) {
      const { body, statusCode } = await service.get(path);
      assert.equal(statusCode, 412, path);
      assert.equal(errorOf(body).code, "snapshot_gone");
      assert.match(errorOf(body).message, /Get the list again: \/v1\/files\.$/);
    }
    // The list of the second request counted, too.
    assert.equal(await left(service), QUOTA - 2);
    service.data.directory = null;
    assert.equal(
      errorOf((await service.get(FILE)).body).code,
      "data_not_loaded",
    );
  });

  test("files that are made once more, after their snapshot was removed, are given as they then are", async () => {
    await using running = await start();
    const { files, service } = running;
    await service.get(FILE);
    rmSync(files, { recursive: true });
    assert.equal((await service.get(LIST)).statusCode, 503);
    cpSync(folder, files, { recursive: true });
    lengthen(files, 1_000_000);
    assert.equal((await service.get(FILE)).rawPayload.length, 1_000_000);
  });

  test("they are for plans with files, on installations with files, and for keys", async () => {
    await using running = await start();
    const { service } = running;
    const authorization = `Bearer ${service.freeKey}`;
    const answer = await service.get(FILE, { authorization });
    assert.equal(answer.statusCode, 403);
    assert.equal(errorOf(answer.body).code, "files_not_in_plan");
    for (const url of [LIST, FILE]) {
      const { statusCode } = await service.ask({ url });
      assert.equal(statusCode, 401);
    }
    await using off = await start({ settings: {} });
    for (const path of [LIST, FILE])
      for (const key of [off.service.paidKey, off.service.freeKey]) {
        const { body, statusCode } = await off.service.get(path, {
          authorization: `Bearer ${key}`,
        });
        assert.equal(statusCode, 404);
        assert.equal(errorOf(body).code, "not_found");
        assert.match(errorOf(body).message, /offers no files/);
      }
    assert.equal(await left(off.service), QUOTA);
  });

  test("a file counts once a day and account, and takes a token of the burst limit once", async () => {
    await using running = await start();
    const { service } = running;
    const { clock } = service.installation;
    const options = (range: number, url = FILE): InjectOptions => ({
      method: range % 2 === 0 ? "GET" : "HEAD",
      url,
      headers: {
        authorization: `Bearer ${service.paidKey}`,
        range: `bytes=${range}-${range + 9}`,
      },
    });
    for (let range = 0; range < 200; range++) {
      const { headers, statusCode } = await service.ask(options(range));
      // HEAD is about the whole file.
      assert.equal(statusCode, range % 2 === 0 ? 206 : 200);
      assert.equal("x-ratelimit-remaining" in headers, range === 0);
    }
    assert.equal(await left(service), QUOTA - 1);
    await service.ask(options(0, OTHER));
    assert.equal(await left(service), QUOTA - 2);
    const other = await issueKey(
      service.installation.accounts,
      "eve@clinic.example",
      "paid",
    );
    await service.hear();
    await service.get(FILE, { authorization: `Bearer ${other}` });
    assert.equal(await left(service), QUOTA - 2);
    assert.equal(await left(service, other), QUOTA - 1);
    clock.nowMs += 86_400_000;
    for (let range = 0; range < 10; range++) await service.ask(options(range));
    assert.equal(await left(service), QUOTA - 3);
    // Requests at the same time are one, too.
    clock.nowMs += 86_400_000;
    const statuses = await Promise.all(
      Array.from(
        { length: OF_ACCOUNT },
        async (_, range) => (await service.ask(options(range))).statusCode,
      ),
    );
    assert.deepEqual(new Set(statuses), new Set([206, 200]));
    assert.equal(await left(service), QUOTA - 4);
  });

  test("a file that was taken stays readable when nothing is left; another is refused, and not counted as taken", async () => {
    const paid = { ...BUILT_IN_PLANS.get("paid")!, monthlyQuota: 2 };
    const plans = new Map([...BUILT_IN_PLANS, ["paid", paid] as const]);
    await using running = await start({ install: () => install({ plans }) });
    const { service } = running;
    assert.equal((await service.get(FILE)).statusCode, 200);
    assert.equal((await service.get(OTHER)).statusCode, 200);
    const third = `${LIST}/${ID}/identifiers.parquet`;
    for (let round = 0; round < 3; round++) {
      assert.equal((await service.get(FILE)).statusCode, 200);
      const answers = await Promise.all(
        Array.from({ length: OF_ACCOUNT }, () => service.get(third)),
      );
      for (const { body, statusCode } of answers) {
        assert.equal(statusCode, 429);
        assert.equal(errorOf(body).code, "quota_exceeded");
      }
    }
    service.installation.clock.nowMs += 30 * 86_400_000;
    assert.equal((await service.get(third)).statusCode, 200);
  });

  test("an account has 16 of 64 places, others of it wait; one without any displaces the slowest reader of those with the most", async () => {
    await using running = await start();
    const { files, service } = running;
    lengthen(files, LONG);
    const { accounts } = service.installation;
    const keys: string[] = [];
    for (let account = 0; account < PLACES / OF_ACCOUNT; account++)
      keys.push(
        await issueKey(accounts, `reader${account}@clinic.example`, "paid"),
      );
    await service.hear();
    const accepted: Socket[] = [];
    service.app.server.on("connection", (socket) => accepted.push(socket));
    const cut = () => accepted.filter(({ destroyed }) => destroyed).length;
    const readers: Socket[] = [];
    for (const key of keys)
      for (let place = 0; place < OF_ACCOUNT; place++)
        readers.push(await begin(service, key));
    assert.deepEqual(new Set(readers.map(statusOf)), new Set([200]));
    const [key = ""] = keys;
    const waiting = [begin(service, key), begin(service, key)];
    await until("the next two to be there", () => accepted.length === 66);
    readers.shift()?.destroy();
    const first = await Promise.race(waiting);
    assert.equal(statusOf(first), 200);
    readers.push(first);
    await until("the first one's end", () => cut() === 1);
    readers.push(await begin(service, service.paidKey));
    assert.equal(statusOf(readers.at(-1)), 200);
    // The account that was first lost a place, which the other one of it that waits can't take: all are taken.
    assert.deepEqual((await Promise.all(waiting)).map(statusOf).at(-1), 503);
    await until("both to be cut", () => cut() === 3);
    // What no one reads ends, and gives its place back.
    for (const socket of accepted) socket.setTimeout(200);
    await until("all to be cut", () => cut() === accepted.length);
    readers.push(await begin(service, key));
    assert.equal(statusOf(readers.at(-1)), 200);
    for (const reader of readers) reader.destroy();
  });
});

/** Makes the first file longer than it is, with zeros. */
function lengthen(files: string, size: number): void {
  const path = join(files, "manifest.json");
  const { data, ...rest }: FilesAnswer = JSON.parse(readFileSync(path, "utf8"));
  for (const file of data) if (file.name === NAME) file.bytes = size;
  writeFileSync(path, JSON.stringify({ data, ...rest }));
  truncateSync(join(files, NAME), size);
}

/** What an account has left of its month, by a request that doesn't count. */
async function left(
  service: HttpService,
  key = service.paidKey,
): Promise<number> {
  await service.write();
  const { headers } = await service.get("/v1/providers/1", {
    authorization: `Bearer ${key}`,
  });
  return Number(headers["x-ratelimit-remaining"]);
}

/** Asks for the first file over a connection that reads nothing by itself, and waits for the answer. */
async function begin(service: HttpService, key: string): Promise<Socket> {
  const port = await service.listen();
  service.installation.clock.nowMs += 1_000;
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    `GET ${FILE} HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  await once(client, "readable");
  return client;
}

function statusOf(client: Socket | undefined): number {
  return Number(String(client?.read(12)).slice(-3));
}
