/**
 * A service process in little: counts an account's answers at a steady pace, flushes every second, and tells its parent
 * how many it has counted. Arguments: the database, a key, and how many to count before it ends (0: until it is killed).
 */

import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openGate } from "../../src/accounts/open-gate.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { createUsageBuffer } from "../../src/accounts/usage-buffer.ts";
import { startUsageFlush } from "../../src/accounts/usage-flusher.ts";
import { accountOf } from "./accounts-installation.ts";

const [, , file = "", key = "", limit = "0"] = process.argv;
const wanted = limit === "0" ? Infinity : Number(limit);
const STEP = 20;
const STEP_MS = 10;

const clock = () => Date.now();
const usage = createUsageBuffer({ accounts: 10, keys: 10 });
await using accounts = await openAccounts({
  file,
  plans: BUILT_IN_PLANS,
  clock,
  random: randomBytes,
});
await using _flusher = startUsageFlush({
  accounts,
  usage,
  clock,
  onError(error) {
    throw error;
  },
});
using gate = openGate({ file, plans: BUILT_IN_PLANS, usage });

let counted = 0;
while (counted < wanted) {
  for (let step = 0; step < STEP; step++) {
    if (gate.takeQuota(accountOf(gate, key, clock()), clock())) counted++;
  }
  writeSync(1, `${clock()} ${counted}\n`);
  await sleep(STEP_MS);
}
