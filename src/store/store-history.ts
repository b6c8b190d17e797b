import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withPath } from "../registry/files/registry-file-error.ts";
import { formatJson, replaceDurably } from "./durable-files.ts";
import type { AppliedFile, SnapshotMetadata } from "../snapshot/metadata.ts";

const HISTORY_FILE = "history.json";

/** A snapshot that was current for longer than this counts as used. */
const RELIED_ON_MS = 3_600_000;

/** Older rollbacks are dropped: the registry offers a file for a few months at most. */
const MAX_ROLLBACKS = 50;

/** A period in which a snapshot was current, in epoch milliseconds. */
export interface ServedPeriod {
  readonly id: string;
  readonly from: number;
  readonly until: number;
}

/** A rollback by an operator. */
export interface Rollback {
  /** The snapshot that was current before. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Files of that snapshot that the restored one lacks. */
  readonly files: readonly AppliedFile[];
  /** The source of its taxonomy names; null if the restored snapshot has the same. */
  readonly taxonomySource: string | null;
}

/**
 * The history of a store's snapshots (`snapshots/history.json`): finished periods of snapshots in the store, and
 * rollbacks.
 */
export interface StoreHistory {
  readonly served: readonly ServedPeriod[];
  readonly rollbacks: readonly Rollback[];
}

const NO_HISTORY: StoreHistory = { served: [], rollbacks: [] };

/** Reads the history of a folder's snapshots; empty if the file is missing or damaged. */
export function readHistory(dir: string): StoreHistory {
  const path = join(dir, HISTORY_FILE);
  if (!existsSync(path)) return NO_HISTORY;
  try {
    // Only writeHistory writes this file, so its shape is known.
    return JSON.parse(withPath(path, () => readFileSync(path, "utf8")));
  } catch (error) {
    // A damaged history must not stop an import.
    if (error instanceof SyntaxError) return NO_HISTORY;
    throw error;
  }
}

export function writeHistory(dir: string, history: StoreHistory): void {
  replaceDurably(dir, HISTORY_FILE, formatJson(history));
}

/** Adds a finished period. A period written twice, after a crash in between, counts once. */
export function closePeriod(
  history: StoreHistory,
  closed: ServedPeriod,
): StoreHistory {
  const others = history.served.filter(
    ({ from, id }) => id !== closed.id || from !== closed.from,
  );
  return { ...history, served: [...others, closed] };
}

export function addRollback(
  history: StoreHistory,
  rollback: Rollback,
): StoreHistory {
  const rollbacks = [...history.rollbacks, rollback];
  return { ...history, rollbacks: rollbacks.slice(-MAX_ROLLBACKS) };
}

/** Drops rollbacks that a new snapshot settles: it has their files, or a full file that covers them. */
export function withoutSettled(
  history: StoreHistory,
  made: Pick<SnapshotMetadata, "files" | "taxonomySource">,
): StoreHistory {
  const fullEnd = made.files.find(({ kind }) => kind === "full")?.end ?? "";
  const rollbacks = history.rollbacks
    .map((rollback) => ({
      ...rollback,
      files: filesLacking(rollback.files, made.files).filter(
        ({ end }) => end === null || end > fullEnd,
      ),
      taxonomySource:
        rollback.taxonomySource === made.taxonomySource
          ? null
          : rollback.taxonomySource,
    }))
    .filter(
      ({ files, taxonomySource }) =>
        files.length > 0 || taxonomySource !== null,
    );
  return { ...history, rollbacks };
}

/** Drops periods of snapshots that are gone. */
export function withoutOthers(
  history: StoreHistory,
  ids: readonly string[],
): StoreHistory {
  const served = history.served.filter(({ id }) => ids.includes(id));
  return { ...history, served };
}

/** True if a snapshot was current for more than an hour in total. */
export function wasReliedOn({ served }: StoreHistory, of: string): boolean {
  const total = served
    .filter(({ id }) => id === of)
    .reduce((sum, { from, until }) => sum + Math.max(0, until - from), 0);
  return total > RELIED_ON_MS;
}

/** Returns what a rollback from one snapshot to another undoes. */
export function rollbackOf(
  from: Pick<SnapshotMetadata, "id" | "files" | "taxonomySource">,
  to: Pick<SnapshotMetadata, "files" | "taxonomySource">,
  at: number,
): Rollback {
  const { id, taxonomySource } = from;
  const hasSameNames = taxonomySource === to.taxonomySource;
  return {
    id,
    at,
    files: filesLacking(from.files, to.files),
    taxonomySource: hasSameNames ? null : taxonomySource,
  };
}

/** Returns the files of `files` that aren't in `others`. */
function filesLacking(
  files: readonly AppliedFile[],
  others: readonly AppliedFile[],
): AppliedFile[] {
  return files.filter((file) => !isAmong(file, others));
}

function isAmong(file: AppliedFile, files: readonly AppliedFile[]): boolean {
  return files.some(
    ({ begin, bytes, crc32, end, kind }) =>
      kind === file.kind &&
      begin === file.begin &&
      end === file.end &&
      bytes === file.bytes &&
      crc32 === file.crc32,
  );
}
