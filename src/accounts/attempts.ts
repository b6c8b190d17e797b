import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** So many attempts in a window that begins with the first of them. */
export interface AttemptLimit {
  readonly most: number;
  readonly windowMs: number;
}

/**
 * Counts an attempt at something, together with all processes. Returns 0 when it is allowed, else the whole seconds until
 * the window ends. What is tried is stored as a hash, for it may hold an address.
 */
export async function takeAttempt(
  db: Kysely<Tables>,
  of: string,
  { most, windowMs }: AttemptLimit,
  nowMs: number,
): Promise<number> {
  const { count, since } = await db
    .insertInto("attempt")
    .values({ of: hash("sha256", of, "hex"), count: 1, since: nowMs })
    .onConflict((conflict) =>
      conflict.column("of").doUpdateSet((set) => {
        const isOver = set("attempt.since", "<=", nowMs - windowMs);
        return {
          count: set
            .case()
            .when(isOver)
            .then(1)
            .else(set("attempt.count", "+", 1))
            .end(),
          since: set
            .case()
            .when(isOver)
            .then(nowMs)
            .else(set.ref("attempt.since"))
            .end(),
        };
      }),
    )
    .returning(["count", "since"])
    .executeTakeFirstOrThrow();
  return count <= most
    ? 0
    : Math.max(1, Math.ceil((since + windowMs - nowMs) / 1000));
}

/** Forgets the attempts at something. */
export async function forgetAttempts(
  db: Kysely<Tables>,
  of: string,
): Promise<void> {
  await db
    .deleteFrom("attempt")
    .where("of", "=", hash("sha256", of, "hex"))
    .execute();
}
