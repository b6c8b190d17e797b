import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { ObjectStore } from "../../src/fleet/objects/object-store.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { pollPublication } from "../../src/fleet/poll-publication.ts";
import { until } from "../support/pure/until.ts";
import { FleetFolders, NO_ENVIRONMENT } from "./fleet-folders.ts";

test("while a store doesn't respond, it isn't asked again, and stopping doesn't wait for it", async () => {
  using fleet = new FleetFolders();
  const objects = await openStore({
    url: fleet.fileUrl,
    environment: NO_ENVIRONMENT,
  });
  let hangs = true;
  let reads = 0;
  const hanging: ObjectStore = Object.assign(Object.create(objects), {
    read: (async (key, from, signal, use) => {
      reads++;
      if (hangs) {
        await once(signal, "abort");
        signal.throwIfAborted();
      }
      return objects.read(key, from, signal, use);
    }) satisfies ObjectStore["read"],
  });
  const poll = () =>
    pollPublication({
      objects: hanging,
      intervalMs: 1,
      onKnown: () => undefined,
      onFault: (error) => assert.fail(String(error)),
    });
  {
    await using _poll = poll();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await until("many times to ask", () => ticks > 20);
    clearInterval(timer);
    assert.equal(reads, 1);
  }
  hangs = false;
  await using _poll = poll();
  await until("it to be asked again and again", () => reads > 5);
});
