import {
  readUpdatedDaysInBackground,
  type UpdatedColumn,
} from "../snapshot/postings/updated-days.ts";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { dataDateOf, describeSource } from "../snapshot/metadata.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import {
  extendedPath,
  type SharedFile,
} from "../snapshot/container/shared-file.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import type { SnapshotStore } from "../store/store.ts";
import { hasCode } from "./free-port.ts";

const POLL_MS = 1_000;

/** Delay before an unreadable snapshot is retried, because reading a whole one each second would be costly. */
const RETRY_MS = 30_000;

/** The ID used if there are snapshots but none is current. */
const UNMARKED = "";

/** A snapshot that can be served. */
export interface OpenedSnapshot {
  readonly id: string;
  readonly file: SharedFile;
  /** The path of its details file, if it has one. */
  readonly detailsPath: string;
  readonly updated: UpdatedColumn;
  /** A description of the data's source. */
  readonly source: string;
  readonly providers: number;
  /** The format version of its file. */
  readonly format: number;
  /** Creation time, ISO 8601. */
  readonly createdAt: string;
  /** Last day of the data, ISO 8601; null if unknown. */
  readonly dataDate: string | null;
}

export interface SnapshotWatchOptions {
  readonly store: SnapshotStore;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  /**
   * Called with each snapshot to serve, the ID of the damaged one that it replaces, if any, and whether it is an update
   * of what was served before.
   */
  readonly onOpened: (
    opened: OpenedSnapshot,
    insteadOf: string | null,
    isUpdate: boolean,
  ) => void;
  /** Called with the ID of another snapshot before it is read; reading waits for it. */
  readonly onOpening: (id: string) => Promise<void>;
  /** Called if it cannot be served; what was served before still is. */
  readonly onNotOpened: (served: OpenedSnapshot) => void;
  /** Called if the served snapshot is damaged and there is no other. */
  readonly onClosed: () => void;
  /** Called with a sentence when a snapshot cannot be served. */
  readonly onFault: (message: string) => void;
}

/** The time to retry a faulty snapshot: at a time, or when its file changes. */
type Fault = { readonly untilMs: number } | { readonly file: string };

/**
 * Polls the store each second and opens the current snapshot when it changes. Every byte is checked before it is
 * served, except for the first snapshot, which is checked while it is served. Instead of a damaged one, it keeps what
 * is served, or falls back to the newest intact snapshot that the damaged one was made from.
 */
export class SnapshotWatch implements Disposable {
  readonly #options: SnapshotWatchOptions;
  #opened: OpenedSnapshot | null = null;
  /** The same, open in this thread. */
  #snapshot: Snapshot | null = null;
  readonly #faulty = new Map<string, Fault>();
  readonly #stopping = new AbortController();
  #isFallback = false;
  #swaps = 0;
  #faults = 0;

  constructor(options: SnapshotWatchOptions) {
    this.#options = options;
  }

  /** The served snapshot, or null. */
  get opened(): OpenedSnapshot | null {
    return this.#opened;
  }

  /** True if it is served instead of a faulty current one. */
  get isFallback(): boolean {
    return this.#isFallback;
  }

  /** The number of snapshots that were opened. */
  get swaps(): number {
    return this.#swaps;
  }

  /** The number of times that a snapshot could not be served. */
  get faults(): number {
    return this.#faults;
  }

  /** True if a snapshot's file was found damaged, and has not been replaced since. */
  isDamaged(id: string): boolean {
    const fault = this.#faulty.get(id);
    return fault !== undefined && "file" in fault && this.#isFaulty(id);
  }

  /** Polls now and then each second. */
  start(): void {
    void this.#poll();
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
    this.#snapshot?.[Symbol.dispose]();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const current = this.#currentId();
      if (current !== null) await this.#follow(current);
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns null also if it cannot be read. */
  #currentId(): string | null {
    const { store } = this.#options;
    try {
      const id = store.currentId();
      if (id !== null || store.ids().length === 0) return id;
      this.#report(
        UNMARKED,
        "No snapshot is marked as current. Run snapshots rollback to serve the newest one, or import again.",
      );
    } catch (error) {
      this.#tell(messageOf(error));
    }
    return null;
  }

  /** Serves the current snapshot or a fallback. */
  async #follow(current: string): Promise<void> {
    const { onClosed, store } = this.#options;
    if (this.#opened?.id === current && !this.#isFaulty(current)) {
      this.#isFallback = false;
      return;
    }
    if (await this.#open(current, null)) return;
    if (this.#opened !== null && !this.#isFaulty(this.#opened.id)) {
      this.#isFallback = this.#opened.id !== current;
      return;
    }
    for (const id of store.fallbacksOf(current))
      if (await this.#open(id, current)) return;
    if (this.#opened === null || this.#stopping.signal.aborted) return;
    this.#opened = null;
    onClosed();
  }

  /** Serves a snapshot. False if it cannot be served. */
  async #open(id: string, insteadOf: string | null): Promise<boolean> {
    if (this.#isFaulty(id)) return false;
    const { store } = this.#options;
    const isFirst = this.#swaps === 0;
    if (!isFirst) await this.#options.onOpening(id);
    const { signal } = this.#stopping;
    using opening = new DisposableStack();
    try {
      // Threads listen once the first one is read. Nothing waits for this thread before.
      const file = isFirst ? store.share(id) : await store.load(id, signal);
      const snapshot = opening.use(new Snapshot(file));
      const { count, metadata } = snapshot;
      const days = readUpdatedDaysInBackground(file.bytes, count);
      // Awaited later; an earlier failure ends the opening anyway.
      days.done.catch(() => undefined);
      const opened: OpenedSnapshot = {
        id,
        file,
        updated: days.column,
        detailsPath: store.detailsPathOf(id),
        source: describeSource(metadata),
        providers: count,
        format: snapshot.sections.header.version,
        createdAt: metadata.createdAt,
        dataDate: dataDateOf(metadata),
      };
      if (isFirst) this.#serve(opened, insteadOf);
      await refuseCorrupt(snapshot);
      // Requests need not wait for what those before them needed.
      const before = this.#snapshot?.extendedFile;
      if (before) await snapshot.extendedFile?.loadAsIn(before);
      await days.done;
      if (signal.aborted) return true;
      if (!isFirst) this.#serve(opened, insteadOf);
      this.#snapshot?.[Symbol.dispose]();
      this.#snapshot = snapshot;
      opening.move();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (this.#opened !== null) this.#options.onNotOpened(this.#opened);
      // An import may have deleted it in the meantime; then another one is current.
      const isGone = hasCode(error) && error.code === "ENOENT";
      if (isGone && store.currentId() !== id) return false;
      this.#fail(id, error);
      return false;
    }
  }

  #serve(opened: OpenedSnapshot, insteadOf: string | null): void {
    // After a rollback, what was served before is no longer wanted.
    const isUpdate =
      insteadOf === null &&
      this.#opened !== null &&
      this.#opened.id < opened.id;
    this.#opened = opened;
    this.#isFallback = insteadOf !== null;
    this.#swaps++;
    this.#faulty.delete(opened.id);
    this.#options.onOpened(opened, insteadOf, isUpdate);
  }

  #fail(id: string, error: unknown): void {
    const file = isOfSystem(error) ? null : this.#fileOf(id);
    const what = file === null ? "cannot be read" : "is damaged";
    const message = `Snapshot ${id} ${what}: ${messageOf(error)}`;
    if (file === null) return this.#report(id, message);
    this.#faulty.set(id, { file });
    this.#tell(message);
  }

  /** Reports a problem, at most once per retry delay. */
  #report(id: string, message: string): void {
    if (this.#isFaulty(id)) return;
    this.#faulty.set(id, { untilMs: this.#options.clock() + RETRY_MS });
    this.#tell(message);
  }

  #tell(message: string): void {
    this.#faults++;
    this.#options.onFault(message);
  }

  #isFaulty(id: string): boolean {
    const fault = this.#faulty.get(id);
    if (fault === undefined) return false;
    return "file" in fault
      ? fault.file === this.#fileOf(id)
      : this.#options.clock() < fault.untilMs;
  }

  /** Identifies a snapshot's files, to notice when it is replaced. */
  #fileOf(id: string): string | null {
    const path = this.#options.store.pathOf(id);
    const [stat, extended] = [path, extendedPath(path)].map((each) =>
      statSync(each, { throwIfNoEntry: false }),
    );
    return stat === undefined
      ? null
      : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${extended?.ino}`;
  }
}

async function refuseCorrupt(snapshot: Snapshot): Promise<void> {
  const names = await snapshot.findCorruptSections();
  if (names.length === 0) return;
  const sections = names.map((name) => `"${name}"`).join(", ");
  throw new SnapshotFormatError(
    names.length === 1
      ? `Section ${sections} does not match its checksum`
      : `Sections ${sections} do not match their checksums`,
    "roll back or import again",
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True if it is a file system error; damaged bytes can cause any other. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
