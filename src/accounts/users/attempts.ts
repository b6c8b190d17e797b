import { hash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { AttemptKind, Tables } from "../database/tables.ts";

/** At most `most` attempts in a window that starts with the first. */
export interface AttemptLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** Something whose attempts are counted. */
export interface Attempt {
  readonly kind: AttemptKind;
  /** The subject of the attempt. Stored as a hash, because it may contain an address. */
  readonly of: string;
}

/** Rows of one kind; beyond it, those whose window ends first are deleted. */
export const MAX_ATTEMPTS = 50_000;

/** After starting this many windows a process checks the number of rows, so the limit can be exceeded by as many. */
export const WINDOWS_PER_CHECK = 250;

/** Counts attempts, together with all processes on a database, in a bounded number of rows. */
export class Attempts {
  readonly #db: Kysely<Tables>;
  readonly #clock: () => number;
  #begun = 0;

  constructor(db: Kysely<Tables>, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Counts an attempt. Returns 0 if it is allowed, otherwise the whole seconds until the window ends. */
  async take(
    attempt: Attempt,
    { most, windowMs }: AttemptLimit,
  ): Promise<number> {
    const nowMs = this.#clock();
    const isOver = sql`attempt.ends_at <= ${nowMs}`;
    const { rows } = await sql<{ count: number; ends_at: number }>`
INSERT INTO attempt ("of", kind, count, ends_at)
VALUES (${nameOf(attempt)}, ${attempt.kind}, 1, ${nowMs + windowMs})
ON CONFLICT ("of") DO UPDATE SET
  count = CASE WHEN ${isOver} THEN 1 ELSE attempt.count + 1 END,
  ends_at = CASE WHEN ${isOver} THEN excluded.ends_at ELSE attempt.ends_at END
RETURNING count, ends_at`.execute(this.#db);
    const [row] = rows;
    if (row === undefined) throw new Error("The attempt was not counted.");
    if (row.count === 1 && ++this.#begun % WINDOWS_PER_CHECK === 0)
      await this.#makeRoom(attempt.kind);
    return row.count <= most
      ? 0
      : Math.max(1, Math.ceil((row.ends_at - nowMs) / 1000));
  }

  /** Resets the count of an attempt. */
  async forget(attempt: Attempt): Promise<void> {
    await this.#db
      .deleteFrom("attempt")
      .where("of", "=", nameOf(attempt))
      .execute();
  }

  async #makeRoom(kind: AttemptKind): Promise<void> {
    await purgeOldAttempts(this.#db, this.#clock());
    const { rows } = await this.#db
      .selectFrom("attempt")
      .select((select) => select.fn.countAll().as("rows"))
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
    const tooMany = Number(rows) - MAX_ATTEMPTS;
    if (tooMany <= 0) return;
    await this.#db
      .deleteFrom("attempt")
      .where("of", "in", (select) =>
        select
          .selectFrom("attempt")
          .select("of")
          .where("kind", "=", kind)
          .orderBy("ends_at")
          .limit(tooMany),
      )
      .execute();
  }
}

/** Deletes counts whose window has ended. */
export async function purgeOldAttempts(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  await db.deleteFrom("attempt").where("ends_at", "<=", nowMs).execute();
}

/** Hashes what an attempt is counted by: 128 bits keep rows short and addresses unreadable. */
function nameOf({ kind, of }: Attempt): string {
  return hash("sha256", `${kind} ${of}`, "hex").slice(0, 32);
}
