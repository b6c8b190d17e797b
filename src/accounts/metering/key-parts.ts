import type { Kysely } from "kysely";
import type { Operation } from "../../contract/operation.ts";
import type { Tables } from "../database/tables.ts";
import { batches } from "./usage-store.ts";

/** Counted answers of a key in an hour, by operation. */
export interface KeyPart {
  readonly keyId: number;
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
  readonly operation: Operation;
  readonly count: number;
}

/** Adds counts to the database: one row for each key, hour and operation. */
export async function addKeyParts(
  db: Kysely<Tables>,
  parts: readonly KeyPart[],
): Promise<void> {
  // In one order everywhere, as in `addUsage`.
  const ordered = parts.toSorted(
    (a, b) =>
      a.keyId - b.keyId ||
      a.hour - b.hour ||
      (a.operation < b.operation ? -1 : 1),
  );
  for (const batch of batches(ordered)) {
    await db
      .insertInto("api_usage_hour")
      .values(
        batch.map(({ count, hour, keyId, operation }) => ({
          key_id: keyId,
          hour,
          operation,
          used: count,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["key_id", "hour", "operation"])
          .doUpdateSet((set) => ({
            used: set("api_usage_hour.used", "+", set.ref("excluded.used")),
          })),
      )
      .execute();
  }
}
