/**
 * A minimal service process: counts an account's answers at a steady pace, flushes every second, and reports the count
 * to its parent. Arguments: the database as JSON, a key, and how many to count before it ends (0: until it is killed).
 */

import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { BUILT_IN_PLANS as plans } from "../../../src/accounts/plans.ts";
import { startMetering } from "../app/metering-process.ts";
import { accountOf, takeOne } from "../app/accounts-installation.ts";

const [, , placeText = "", key = "", limit = "0"] = process.argv;
const place: DatabasePlace = JSON.parse(placeText);
const wanted = limit === "0" ? Infinity : Number(limit);
const STEP = 20;
const STEP_MS = 10;

const clock = () => Date.now();
await using accounts = await openAccounts({
  place,
  plans,
  clock,
  random: randomBytes,
  actor: "test",
});
await using metering = await startMetering({
  accounts,
  capacity: { accounts: 10, keys: 10 },
  plans,
  liveNodes: () => 3,
  onError(error) {
    throw error;
  },
});
await accounts.nodes?.beat(
  { process: metering.process, name: "counting", version: "test" },
  { heldEpoch: null, servedEpoch: null, problem: null },
);
const gate = metering.openGate();

let counted = 0;
while (counted < wanted) {
  for (let step = 0; step < STEP; step++) {
    const account = await accountOf(gate, key, clock());
    if ((await takeOne(gate, account, clock())) === "taken") counted++;
  }
  writeSync(1, `${clock()} ${counted}\n`);
  await sleep(STEP_MS);
}
