import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { suite, test } from "node:test";
import { startFauxqs } from "fauxqs";
import { FleetError } from "../../src/fleet/fleet-error.ts";
import type { ObjectStore } from "../../src/fleet/objects/object-store.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { assertCopied, FleetFolders, NEVER } from "./fleet-folders.ts";

const URL = "s3://pds-fleet/some/prefix";

/** An S3 server with a bucket. Amazon's library reads where it is from this process's environment. */
async function bucket() {
  const server = await startFauxqs({ port: 0, logger: false });
  server.createBucket("pds-fleet");
  env["AWS_ENDPOINT_URL"] = `http://127.0.0.1:${server.port}`;
  env["AWS_ACCESS_KEY_ID"] = "id";
  env["AWS_SECRET_ACCESS_KEY"] = "secret";
  return {
    server,
    environment: { AWS_ENDPOINT_URL: env["AWS_ENDPOINT_URL"] },
    open: (url = URL, { hasEndpoint = true } = {}) =>
      openStore({
        url,
        environment: { proxy: {}, hasEndpoint, hasRegion: false },
      }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

suite("a snapshot store in a bucket", () => {
  test("is published to and pulled from, week after week", async () => {
    await using s3 = await bucket();
    using fleet = new FleetFolders();
    using objects = await s3.open();
    const node = fleet.node();
    await fleet.import(people(300));
    await fleet.publishTo(URL, s3.environment);
    await fleet.pull(node, objects);
    assertCopied(node, fleet.importer);
    await fleet.import([person(1, { city: "SPRINGFIELD" })]);
    assert.match(
      await fleet.publishTo(URL, s3.environment),
      /publication 2 .*; 2 were there already/s,
    );
    await fleet.pull(node, objects);
    assertCopied(node, fleet.importer);
    const keys = (await objects.list(NEVER)).map(({ key }) => key);
    assert.ok(keys.includes("publication.json"));
    assert.ok(
      keys.every((key) =>
        /^(objects\/[0-9a-f]{64}\.zst|manifests\/[0-9a-f]{64}\.json|publication\.json)$/.test(
          key,
        ),
      ),
    );
  });

  test("keeps large objects in parts, reads from any byte, and has no object of a failed write", async () => {
    await using s3 = await bucket();
    using objects = await s3.open();
    const bytes = randomBytes(40 << 20);
    await objects.write("objects/large", pieces(bytes), NEVER);
    assert.ok((await contentOf(objects, "objects/large", 0)).equals(bytes));
    const from = bytes.length - 5;
    assert.ok(
      (await contentOf(objects, "objects/large", from)).equals(
        bytes.subarray(from),
      ),
    );
    for (const start of [bytes.length, bytes.length + 5])
      assert.equal(
        (await contentOf(objects, "objects/large", start)).length,
        0,
      );
    await assert.rejects(
      objects.write(
        "objects/failed",
        pieces(bytes, "the content fails"),
        NEVER,
      ),
      /the content fails/,
    );
    const [listed, ...more] = await objects.list(NEVER);
    assert.deepEqual(more, []);
    assert.equal(listed?.key, "objects/large");
    assert.equal(listed.bytes, bytes.length);
    assert.ok(Math.abs(listed.modifiedMs - Date.now()) < 60_000);
    await objects.remove("objects/large", NEVER);
    assert.deepEqual(await objects.list(NEVER), []);
    assert.equal(
      await objects.read("objects/large", 0, NEVER, () =>
        Promise.reject(new Error("there is no object to read")),
      ),
      null,
    );
  });

  test("that is away or has no such bucket is said in a sentence", async () => {
    await using s3 = await bucket();
    using missing = await s3.open("s3://another-bucket");
    using objects = await s3.open();
    await assert.rejects(
      missing.list(NEVER),
      /^FleetError: The snapshot store s3:\/\/another-bucket: there is no such bucket\. Check SNAPSHOT_STORE/,
    );
    using placeless = await s3.open(URL, { hasEndpoint: false });
    await assert.rejects(
      placeless.list(NEVER),
      /^FleetError: The snapshot store s3:\S+: no region is set\. Set AWS_REGION\.$/,
    );
    await s3.server.stop();
    for (const ask of [
      () => objects.list(NEVER),
      () => contentOf(objects, "publication.json", 0),
      () => objects.write("x", pieces(Buffer.from("x")), NEVER),
      () => objects.remove("x", NEVER),
    ])
      await assert.rejects(ask(), (error) => {
        assert.ok(error instanceof FleetError);
        assert.match(
          error.message,
          /^The snapshot store s3:\S+: .*ECONNREFUSED.*\. Check SNAPSHOT_STORE, AWS_ENDPOINT_URL and the network\.$/,
        );
        return true;
      });
  });

  test("stops with the signal's reason", async () => {
    await using s3 = await bucket();
    using objects = await s3.open();
    const stop = new AbortController();
    const reason = new Error("stopped");
    await assert.rejects(
      objects.write(
        "objects/stopped",
        (async function* () {
          yield randomBytes(20 << 20);
          stop.abort(reason);
          yield randomBytes(20 << 20);
        })(),
        stop.signal,
      ),
      reason,
    );
    assert.deepEqual(await objects.list(NEVER), []);
    await assert.rejects(objects.list(stop.signal), reason);
  });
});

async function* pieces(
  bytes: Buffer,
  failure: string | null = null,
): AsyncGenerator<Uint8Array> {
  const size = 1 << 20;
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size));
  if (failure !== null) throw new Error(failure);
}

async function contentOf(
  objects: ObjectStore,
  key: string,
  from: number,
): Promise<Buffer> {
  const found = await objects.read(
    key,
    from,
    NEVER,
    async ({ body, start }) => {
      assert.equal(start, from);
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
      return Buffer.concat(chunks);
    },
  );
  return found ?? Buffer.alloc(0);
}
