import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

const ATTEMPTS = 20;
const MAX_PAUSE_MS = 50;

/**
 * PostgreSQL's codes for a transaction that collided with another, and for the second of two that insert the same row.
 */
const STATES: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);

/**
 * Runs `work` in a serializable transaction, and again if another one collided with it. SQLite has one writer at a
 * time, so nothing collides there. `work` must leave no trace outside the database.
 */
export function transact<Result>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return retryCollisions(() =>
    db.transaction().setIsolationLevel("serializable").execute(work),
  );
}

/** Runs a statement or transaction, and again if another one collided with it. */
export async function retryCollisions<Result>(
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === ATTEMPTS || !isCollision(error)) throw error;
      await sleep(1 + Math.random() * MAX_PAUSE_MS);
    }
  }
}

function isCollision(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && STATES.has(String(error.code))
  );
}
