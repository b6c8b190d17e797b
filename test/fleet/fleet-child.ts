/** A process that publishes or pulls, to be killed: `fleet-child.ts publish|pull DATA_DIR STORE_URL`. */

import pino from "pino";
import { Follower } from "../../src/fleet/follower.ts";
import { readPublicationFile } from "../../src/fleet/manifest.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { runProgram } from "../support/program/program.ts";

const [, , what, dataDir = "", url = ""] = process.argv;
const signal = new AbortController().signal;
const environment = { proxy: {}, hasEndpoint: false, hasRegion: false };

console.log("begin");
if (what === "publish") {
  const args = ["publish", "--data-dir", dataDir, "--snapshot-store", url];
  const { code, err } = await runProgram(args);
  if (code !== 0) throw new Error(err);
} else {
  const objects = await openStore({ url, environment });
  const store = new SnapshotStore(dataDir);
  const active = await readPublicationFile(objects, signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  const follower = new Follower({
    objects,
    store,
    clock: Date.now,
    logger: pino({ level: "silent" }),
    served: () => store.currentId(),
    isDamaged: () => false,
    onReport({ servedEpoch }) {
      // A copy that a killed process left is reported before it becomes current.
      if (servedEpoch === active?.epoch) resolve();
    },
    onExpected: () => undefined,
  });
  follower.learn({
    active: active && { ...active, activatedAt: 0 },
    pending: null,
  });
  await promise;
  await follower[Symbol.asyncDispose]();
}
console.log("done");
