import type { KeyPart } from "./key-parts.ts";
import { KeyUses } from "./key-uses.ts";
import type { UsageBatch } from "./usage.ts";
import type { UsageDelta } from "./usage-table.ts";

const HOUR_MS = 3_600_000;

/**
 * What the flusher has taken out of the shared memory of keys and not written yet. It is taken out at every
 * attempt, also while the database is away, so that every count is in its hour.
 */
export class UnwrittenUsage {
  readonly #keyUses: KeyUses;
  readonly #writer: string;
  #number = 0;
  #uses = new Map<number, number>();
  #parts = new Map<string, KeyPart>();

  /** `writer` names the process. */
  constructor(usage: SharedArrayBuffer, writer: string) {
    this.#keyUses = new KeyUses(usage);
    this.#writer = writer;
  }

  /** Takes out what was counted and noted since the last time. */
  collect(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    for (const { keyId, second } of this.#keyUses.drainUses())
      this.#uses.set(keyId, Math.max(second, this.#uses.get(keyId) ?? 0));
    for (const { count, keyId, operation } of this.#keyUses.drainCounts()) {
      const name = `${keyId} ${hour} ${operation}`;
      const before = this.#parts.get(name)?.count ?? 0;
      this.#parts.set(name, { keyId, hour, operation, count: before + count });
    }
  }

  /** Everything collected, with what accounts have counted, as a batch of its own number. */
  takeBatch(deltas: readonly UsageDelta[]): UsageBatch {
    const uses = this.#uses;
    const parts = this.#parts;
    this.#uses = new Map();
    this.#parts = new Map();
    return {
      writer: this.#writer,
      number: ++this.#number,
      deltas,
      uses: [...uses].map(([keyId, second]) => ({ keyId, second })),
      parts: [...parts.values()],
    };
  }
}
