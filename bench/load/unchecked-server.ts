/**
 * The app over the current snapshot of a data folder, in one thread, with a gate that admits everyone and counts
 * nothing: what a look-up costs without a key check.
 *
 *   node_modules/.bin/node bench/load/unchecked-server.ts [data folder]
 */
import { randomBytes, randomUUID } from "node:crypto";
import type {
  AccountHandle,
  BurstState,
  QuotaState,
} from "../../src/accounts/metering/gate.ts";
import type { Gate } from "../../src/accounts/metering/thread-gate.ts";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import {
  createIpRateLimiterMemory,
  IpRateLimiter,
} from "../../src/http/limits/ip-rate-limiter.ts";
import { buildApp } from "../../src/http/app.ts";
import { serviceSettings } from "../../test/support/app/service-settings.ts";
import { Directory } from "../../src/search/directory.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";

const ACCOUNT: AccountHandle = {
  id: 1,
  place: 0,
  keyPlace: -1,
  plan: {
    name: "bench",
    monthlyQuota: 10_000_000_000,
    burstPerSecond: 100_000,
    files: false,
  },
};
const BURST: BurstState = {
  allowed: true,
  remaining: 99_999,
  retryAfterSeconds: 0,
  resetSeconds: 1,
};
const QUOTA: QuotaState = {
  limit: 10_000_000_000,
  remaining: 9_999_999_999,
  resetSeconds: 1_000_000,
  resetAt: 1_800_000_000,
  windowSeconds: 2_592_000,
};
const OPEN_GATE: Gate = {
  verify: () => ({ status: "valid", account: ACCOUNT }),
  areKeysCurrent: () => true,
  isInUse: () => true,
  verifyAgain: () => Promise.resolve({ status: "valid", account: ACCOUNT }),
  accountOf: () => ACCOUNT,
  beginMonth: () => null,
  used: () => 0,
  takeBurst: () => BURST,
  takeOwnerBurst: () => BURST,
  quota: () => QUOTA,
  takeQuota: () => "taken",
  giveBack: () => undefined,
};

const dataDir = process.argv[2] ?? "data";
const store = new SnapshotStore(dataDir);
const id = store.currentId();
if (id === null) throw new Error("The data folder has no current snapshot.");
const directory = new Directory(new Snapshot(store.share(id)));
const app = buildApp({
  settings: serviceSettings(dataDir),
  data: {
    current: directory,
    previous: null,
    expected: { includes: () => false },
  },
  changes: new ChangeReader(dataDir),
  nextUpdate: () => null,
  gate: OPEN_GATE,
  tagSecret: randomBytes(32),
  now: Date.now,
  makeRequestId: randomUUID,
  logger: null,
  answerLog: null,
  answerTracer: null,
  answerCounts: null,
  unreadyReason: () => null,
  isUseWritten: () => true,
  localUrl: () => "http://127.0.0.1",
  billing: null,
  auth: null,
  portal: null,
  files: null,
  registryVisitors: new IpRateLimiter(createIpRateLimiterMemory(""), 1),
});
await app.listen({ host: "127.0.0.1", port: 0 });
const address = app.server.address();
if (address === null || typeof address === "string")
  throw new Error("The server listens without a port.");
console.error(`Listening on http://127.0.0.1:${address.port}`);
process.on("SIGTERM", () => process.exit(0));
