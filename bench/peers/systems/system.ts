import type { Answer, Question } from "../queries/question.ts";

/** A question that takes longer is given up where the system lets itself be interrupted. */
export const TIME_LIMIT_MS = 20_000;

/** Ours first; the rest are compared with it. */
export const SYSTEM_NAMES = ["ours", "PostgreSQL", "SQLite", "DuckDB"] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];

/** A system to compare. Each runs in two separate processes, one that loads and one that answers. */
export interface System {
  /** Makes the data of a registry zip ready to be asked, in an empty folder: rows, indexes, statistics. */
  load(folder: string, zip: string): Promise<void>;
  /** Opens what `load` made in the folder. */
  open(folder: string): Promise<OpenSystem>;
}

export interface OpenSystem extends AsyncDisposable {
  /** Null when the question ran into the limit of time. */
  ask(question: Question): Answer | null | Promise<Answer | null>;
  /** The system's own name and version. */
  version(): string | Promise<string>;
  /** Bytes on disk. */
  size(): number | Promise<number>;
  /** Bytes of memory that its processes hold now. */
  memory(): number;
}
