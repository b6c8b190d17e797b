import {
  readUpdatedDaysInBackground,
  type UpdatedColumn,
} from "../snapshot/postings/updated-days.ts";
import { statSync } from "node:fs";
import { dataDateOf, describeSource } from "../snapshot/metadata.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import type { SnapshotStore } from "../store/store.ts";

const POLL_MS = 1_000;

/** How long a snapshot that cannot be read is not tried again: reading a whole one each second would be a load of its own. */
const RETRY_MS = 30_000;

/** Stands for the id of a current snapshot if there are snapshots and none is current. */
const UNMARKED = "";

/** A snapshot that can be served. */
export interface OpenedSnapshot {
  readonly id: string;
  readonly bytes: SharedArrayBuffer;
  /** Where its file of details is, if it has one. */
  readonly detailsPath: string;
  readonly updated: UpdatedColumn;
  /** Where the data come from, in words. */
  readonly source: string;
  readonly providers: number;
  /** When it was made, ISO 8601. */
  readonly createdAt: string;
  /** The end of the newest period that its files cover, ISO 8601; null where none is known. */
  readonly dataDate: string | null;
}

export interface SnapshotWatchOptions {
  readonly store: SnapshotStore;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Told of each snapshot that is to be served, and of the one that it stands in for, if that is damaged. */
  readonly onOpened: (opened: OpenedSnapshot, insteadOf: string | null) => void;
  /** Told that what was served is damaged, and that there is nothing else to serve. */
  readonly onClosed: () => void;
  /** Told, in a sentence, why a snapshot cannot be served. */
  readonly onFault: (message: string) => void;
}

/** Until when a snapshot that cannot be read is not tried again: until a time, or until its file changes. */
type Fault = { readonly untilMs: number } | { readonly file: string };

/**
 * Looks each second which snapshot of the store is current, and opens it when it is another than before. Every byte is
 * checked before it is served; only the first snapshot after the start is checked while it is served already. A damaged
 * one is left for what is served, or for the newest intact one that it was made from.
 */
export class SnapshotWatch implements Disposable {
  readonly #options: SnapshotWatchOptions;
  #opened: OpenedSnapshot | null = null;
  readonly #faulty = new Map<string, Fault>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #isStopped = false;
  #isFallback = false;
  #swaps = 0;
  #faults = 0;

  constructor(options: SnapshotWatchOptions) {
    this.#options = options;
  }

  /** The snapshot that is served, null while there is none. */
  get opened(): OpenedSnapshot | null {
    return this.#opened;
  }

  /** Whether it is served instead of the current one, which cannot be. */
  get isFallback(): boolean {
    return this.#isFallback;
  }

  /** How many snapshots were opened. */
  get swaps(): number {
    return this.#swaps;
  }

  /** How often a snapshot could not be served. */
  get faults(): number {
    return this.#faults;
  }

  /** Looks now, and from now on each second. */
  start(): void {
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), POLL_MS);
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const current = this.#currentId();
      if (current !== null) await this.#follow(current);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Null also where it cannot be told. */
  #currentId(): string | null {
    const { onFault, store } = this.#options;
    try {
      const id = store.currentId();
      if (id !== null || store.ids().length === 0) return id;
      this.#report(
        UNMARKED,
        "No snapshot is marked as current. Run snapshots rollback to serve the newest one, or import again.",
      );
    } catch (error) {
      this.#faults++;
      onFault(messageOf(error));
    }
    return null;
  }

  /** Serves the current snapshot, or what can stand in for it. */
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
    if (this.#opened === null || this.#isStopped) return;
    this.#opened = null;
    onClosed();
  }

  /** Serves a snapshot and returns true, unless it cannot be. */
  async #open(id: string, insteadOf: string | null): Promise<boolean> {
    if (this.#isFaulty(id)) return false;
    const { store } = this.#options;
    const isFirst = this.#swaps === 0;
    try {
      const { daysRead, opened, snapshot } = open(store, id);
      if (isFirst) this.#serve(opened, insteadOf);
      await refuseCorrupt(snapshot);
      await daysRead;
      if (!isFirst && !this.#isStopped) this.#serve(opened, insteadOf);
      return true;
    } catch (error) {
      // An import may have removed it between the two looks; then another one is current already.
      if (isGone(error) && store.currentId() !== id) return false;
      this.#fail(id, error);
      return false;
    }
  }

  #serve(opened: OpenedSnapshot, insteadOf: string | null): void {
    this.#opened = opened;
    this.#isFallback = insteadOf !== null;
    this.#swaps++;
    this.#faulty.delete(opened.id);
    this.#options.onOpened(opened, insteadOf);
  }

  #fail(id: string, error: unknown): void {
    const file = isOfSystem(error) ? null : this.#fileOf(id);
    const what = file === null ? "cannot be read" : "is damaged";
    const message = `Snapshot ${id} ${what}: ${messageOf(error)}`;
    if (file === null) this.#report(id, message);
    else {
      this.#faulty.set(id, { file });
      this.#faults++;
      this.#options.onFault(message);
    }
  }

  /** Says what is wrong once in a while. */
  #report(id: string, message: string): void {
    if (this.#isFaulty(id)) return;
    this.#faulty.set(id, { untilMs: this.#options.clock() + RETRY_MS });
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

  /** What tells a snapshot's file from one that took its place. */
  #fileOf(id: string): string | null {
    const path = this.#options.store.pathOf(id);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined
      ? null
      : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  }
}

function open(
  store: SnapshotStore,
  id: string,
): { opened: OpenedSnapshot; snapshot: Snapshot; daysRead: Promise<void> } {
  const bytes = store.read(id);
  const snapshot = new Snapshot(bytes);
  const { column, done } = readUpdatedDaysInBackground(bytes, snapshot.count);
  // It is awaited later; what fails before then ends the opening anyway.
  done.catch(() => undefined);
  return {
    snapshot,
    daysRead: done,
    opened: {
      id,
      bytes,
      updated: column,
      detailsPath: store.detailsPathOf(id),
      source: describeSource(snapshot.metadata),
      providers: snapshot.count,
      createdAt: snapshot.metadata.createdAt,
      dataDate: dataDateOf(snapshot.metadata),
    },
  };
}

async function refuseCorrupt(snapshot: Snapshot): Promise<void> {
  const names = await snapshot.sections.findCorruptSections();
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

/** Whether it is the file system's own error; of damaged bytes any other may come. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
