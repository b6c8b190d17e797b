import type { Connection } from "../peers/systems/postgresql-server.ts";
import {
  checksum,
  displayParts,
  hashKey,
  KEY_MARK,
} from "../../src/accounts/keys/api-key.ts";
import { monthAt, monthLabel } from "../../src/accounts/metering/month.ts";

const BATCH = 20_000;
const RANDOM_LENGTH = 30;
/** What an account used before the simulation, as in the middle of a month. */
export const USED_BEFORE = 100;
/** The plan of all accounts: nothing of it is used up in a run. */
export const PLAN = { monthlyQuota: 10_000_000, burstPerSecond: 100_000 };
export const PLAN_NAME = "bench";

/** The key of the account with an id. It isn't random, so that it needn't be kept. */
export function keyOf(accountId: number): string {
  const body = KEY_MARK + String(accountId).padStart(RANDOM_LENGTH, "0");
  return body + checksum(body);
}

/** Fills an empty database with accounts 1 to `count`, each with a key and some usage, without filling the key feed. */
export async function fillAccounts(
  connection: Connection,
  count: number,
): Promise<void> {
  const nowMs = Date.now();
  const month = monthLabel(monthAt(nowMs).number);
  await run("SET session_replication_role = replica");
  await run(
    `INSERT INTO api_account (email, plan, created_at)
     SELECT number || '@bench.example', '${PLAN_NAME}', ${nowMs} FROM generate_series(1, ${count}) AS number ORDER BY number`,
  );
  for (let start = 1; start <= count; start += BATCH) {
    const ids = Array.from(
      { length: Math.min(BATCH, count - start + 1) },
      (_, index) => start + index,
    );
    const keys = ids.map(keyOf);
    await connection.query({
      text: `INSERT INTO api_key (account_id, hash, prefix, last_four, name, created_at)
        SELECT key.*, '', ${nowMs} FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS key`,
      values: [
        ids,
        keys.map(hashKey),
        keys.map((key) => displayParts(key).prefix),
        keys.map((key) => displayParts(key).lastFour),
      ],
    });
  }
  await run(
    `INSERT INTO api_usage (account_id, month, used, updated_at)
     SELECT id, '${month}', ${USED_BEFORE}, ${nowMs} FROM api_account ORDER BY id`,
  );
  await run("SET session_replication_role = DEFAULT");
  await run("VACUUM ANALYZE");
  await run("CHECKPOINT");

  function run(text: string) {
    return connection.query({ text });
  }
}
