import { dataDateOf, describeSource } from "../snapshot/metadata.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import type { SnapshotStore } from "../snapshot/store.ts";

const POLL_MS = 1_000;

/** How long a snapshot that cannot be opened is left alone: reading a whole one each second would be a load of its own. */
const RETRY_MS = 30_000;

/** Stands for the id of a current snapshot where there are snapshots and none is current. */
const UNMARKED = "";

/** A snapshot that can be served. */
export interface OpenedSnapshot {
  readonly id: string;
  readonly bytes: SharedArrayBuffer;
  /** Where its file of details is, if it has one. */
  readonly detailsPath: string;
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
  /** Told of each snapshot that becomes current. */
  readonly onOpened: (opened: OpenedSnapshot) => void;
  /** Told, in a sentence, why the current snapshot cannot be opened; what was served before still is. */
  readonly onFault: (message: string) => void;
}

/** Looks each second which snapshot of the store is current, and opens it when it is another than before. */
export class SnapshotWatch implements Disposable {
  readonly #options: SnapshotWatchOptions;
  #opened: OpenedSnapshot | null = null;
  #failed: { id: string; atMs: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #swaps = 0;
  #faults = 0;

  constructor(options: SnapshotWatchOptions) {
    this.#options = options;
  }

  /** The newest snapshot that could be opened, null while there is none. */
  get opened(): OpenedSnapshot | null {
    return this.#opened;
  }

  /** How many snapshots were opened. */
  get swaps(): number {
    return this.#swaps;
  }

  /** How often a snapshot that is current could not be opened. */
  get faults(): number {
    return this.#faults;
  }

  /** Looks now, and from now on each second. */
  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), POLL_MS);
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #look(): void {
    const { clock, onFault, onOpened, store } = this.#options;
    let id: string | null = null;
    try {
      id = store.currentId();
      if (id === null && store.ids().length > 0) this.#reportUnmarked();
      if (id === null || id === this.#opened?.id || this.#isLeftAlone(id))
        return;
      this.#opened = open(store, id);
      this.#swaps++;
      this.#failed = null;
    } catch (error) {
      // An import may have removed it between the two looks; then another one is current already.
      if (id !== null && isGone(error) && store.currentId() !== id) return;
      this.#failed = { id: id ?? "", atMs: clock() };
      this.#faults++;
      const reason = error instanceof Error ? error.message : String(error);
      onFault(
        id === null ? reason : `Snapshot ${id} cannot be opened: ${reason}`,
      );
      return;
    }
    onOpened(this.#opened);
  }

  /** Says once in a while that there are snapshots, and that nothing tells which one to serve. */
  #reportUnmarked(): void {
    if (this.#isLeftAlone(UNMARKED)) return;
    this.#failed = { id: UNMARKED, atMs: this.#options.clock() };
    this.#options.onFault(
      "None of the snapshots is marked as current: run snapshots rollback to serve the newest, or import again.",
    );
  }

  #isLeftAlone(id: string): boolean {
    return (
      this.#failed?.id === id &&
      this.#options.clock() - this.#failed.atMs < RETRY_MS
    );
  }
}

function open(store: SnapshotStore, id: string): OpenedSnapshot {
  const bytes = store.read(id);
  const snapshot = new Snapshot(bytes);
  return {
    id,
    bytes,
    detailsPath: store.detailsPathOf(id),
    source: describeSource(snapshot.metadata),
    providers: snapshot.count,
    createdAt: snapshot.metadata.createdAt,
    dataDate: dataDateOf(snapshot.metadata),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
