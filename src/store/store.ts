import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import {
  formatJson,
  isDiskFull,
  replaceDurably,
  syncDir,
  writeDurably,
} from "./durable-files.ts";
import { makeFolder } from "../files/make-folder.ts";
import { withPath } from "../registry/files/registry-file-error.ts";
import { SECTIONS } from "../snapshot/container/descriptors.ts";
import { DiskSections } from "../snapshot/container/disk-sections.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import {
  extendedPath,
  loadSharedFile,
  readSharedFile,
  type SharedFile,
} from "../snapshot/container/shared-file.ts";
import {
  parseMetadata,
  type AppliedFile,
  type SnapshotMetadata,
} from "../snapshot/metadata.ts";
import {
  addRollback,
  closePeriod,
  readHistory,
  rollbackOf,
  wasReliedOn,
  withoutOthers,
  withoutSettled,
  writeHistory,
  type Rollback,
  type StoreHistory,
} from "./store-history.ts";
import {
  DETAILS_FILE,
  REPORT_FILE,
  SNAPSHOT_FILE,
  UnfinishedBuilds,
} from "./unfinished-builds.ts";

const CURRENT_FILE = "current";
const WITHOUT_EFFECT_FILE = "files-without-effect.json";
const ID = /^\d{8}T\d{9}Z$/;

/** A snapshot in the store. */
export interface StoredSnapshot {
  id: string;
  /** True if it is the snapshot being served. */
  isCurrent: boolean;
  /** Size of the snapshot and of its extended index. */
  fileBytes: number;
  /** Size of its details files, 0 if it has none. Updates share files with their base. */
  detailsBytes: number;
  /** Null if the file is not a readable snapshot. */
  metadata: SnapshotMetadata | null;
}

/**
 * The snapshots of a data folder: `snapshots/ID/providers.snapshot`, with `providers.extended`, `providers.details` and
 * its entry files next to it if details are kept. `snapshots/current` has the id of the snapshot being served; its modification time is when
 * that snapshot became current. `snapshots/history.json` has earlier periods and rollbacks.
 *
 * A snapshot appears complete, by one rename; `current` changes after that, by another. If anything fails in between,
 * the previous snapshot is still served.
 */
export class SnapshotStore {
  readonly dataDir: string;
  /** Snapshots that imports are building. */
  readonly builds: UnfinishedBuilds;
  readonly #dir: string;

  /** Creates missing folders, unless told not to: what only reads must not leave traces. */
  constructor(dataDir: string, { create = true } = {}) {
    this.dataDir = dataDir;
    this.#dir = join(dataDir, "snapshots");
    if (create) makeFolder(this.#dir);
    this.builds = new UnfinishedBuilds(this.#dir);
  }

  /** Reads the id of the snapshot being served, or null if there is none. */
  currentId(): string | null {
    try {
      const path = join(this.#dir, CURRENT_FILE);
      const id = withPath(path, () => readFileSync(path, "utf8")).trim();
      return ID.test(id) ? id : null;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT")
        return null;
      throw error;
    }
  }

  /** Lists the ids of all snapshots, newest first. */
  ids(): string[] {
    if (!existsSync(this.#dir)) return [];
    return readdirSync(this.#dir)
      .filter((name) => ID.test(name))
      .sort()
      .reverse();
  }

  /** Lists all snapshots, newest first. */
  list(): StoredSnapshot[] {
    const current = this.currentId();
    return this.ids().map((id) => ({
      id,
      isCurrent: id === current,
      fileBytes:
        sizeOf(this.pathOf(id)) + sizeOf(extendedPath(this.pathOf(id))),
      detailsBytes: this.#detailsBytes(id),
      metadata: this.#metadataOf(id),
    }));
  }

  /** Returns the folder of a snapshot's files. */
  dirOf(id: string): string {
    return join(this.#dir, id);
  }

  pathOf(id: string): string {
    return join(this.#dir, id, SNAPSHOT_FILE);
  }

  /** Returns the path of a snapshot's details file, which may not exist. */
  detailsPathOf(id: string): string {
    return join(this.#dir, id, DETAILS_FILE);
  }

  reportPathOf(id: string): string {
    return join(this.#dir, id, REPORT_FILE);
  }

  /** Reads a snapshot into shared memory, without what is read on first use. */
  share(id: string): SharedFile {
    return readSharedFile(this.pathOf(id));
  }

  /** Does the same without blocking this thread. Throws the signal's reason, too. */
  load(id: string, signal: AbortSignal): Promise<SharedFile> {
    return loadSharedFile(this.pathOf(id), signal);
  }

  /** Makes an id that sorts after all others: the UTC time, or just after the newest id if the clock is behind it. */
  newId(nowMs: number): string {
    const newest = [...this.ids().slice(0, 1), ...this.builds.ids()]
      .sort()
      .at(-1);
    const time =
      newest === undefined ? nowMs : Math.max(nowMs, timeOf(newest) + 1);
    return new Date(time).toISOString().replace(/[-:.]/g, "");
  }

  /** Moves a finished build into the store and makes it current at `nowMs`. If that fails, the store lacks it. */
  publish(id: string, buildDir: string, report: unknown, nowMs: number): void {
    writeDurably(join(buildDir, REPORT_FILE), formatJson(report));
    try {
      this.add(id, buildDir);
      const made = this.#metadataOf(id);
      const history = this.#historyUntil(nowMs);
      this.#makeCurrent(
        id,
        made === null ? history : withoutSettled(history, made),
        nowMs,
      );
    } catch (error) {
      if (this.currentId() !== id)
        rmSync(this.dirOf(id), { recursive: true, force: true });
      throw error;
    }
  }

  /** Moves a finished build into the store. A snapshot of the same ID, which must be damaged, is replaced. */
  add(id: string, buildDir: string): void {
    // Flushes the names of linked files too, which nothing else flushes.
    syncDir(buildDir);
    rmSync(this.dirOf(id), { recursive: true, force: true });
    renameSync(buildDir, this.dirOf(id));
    syncDir(this.#dir);
  }

  /** Writes the report of a refused import, and returns its path. */
  writeRefusedReport(report: unknown): string {
    const name = "import-report.refused.json";
    replaceDurably(this.#dir, name, formatJson(report));
    return join(this.#dir, name);
  }

  /** Makes a snapshot of the store current at `nowMs`. */
  makeCurrent(id: string, nowMs: number): void {
    this.#makeCurrent(id, this.#historyUntil(nowMs), nowMs);
  }

  /**
   * Makes an older snapshot current again and records what that undid: an update does not import it again unless
   * forced. Returns false if the disk is too full to record it.
   */
  rollBackTo(id: string, nowMs: number): boolean {
    const from = this.currentId();
    const history = this.#historyUntil(nowMs);
    const undone = from === null ? null : this.#undoneBy(from, id, nowMs);
    const since = undone === null ? history : addRollback(history, undone);
    try {
      this.#makeCurrent(id, since, nowMs);
      return true;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      replaceDurably(this.#dir, CURRENT_FILE, `${id}\n`, nowMs);
      return undone === null;
    }
  }

  /** Lists the rollbacks whose files were not imported again since, oldest first. */
  rollbacks(): readonly Rollback[] {
    return readHistory(this.#dir).rollbacks;
  }

  /** Lists the files that a snapshot was made from, and later ones that changed nothing in it. */
  appliedFiles({
    files,
    id,
  }: Pick<SnapshotMetadata, "files" | "id">): AppliedFile[] {
    const path = join(this.#dir, id, WITHOUT_EFFECT_FILE);
    if (!existsSync(path)) return files;
    const since: AppliedFile[] = JSON.parse(
      withPath(path, () => readFileSync(path, "utf8")),
    );
    return [...files, ...since];
  }

  /** Records next to a snapshot that a file was imported without changing anything, so no new snapshot is needed. */
  noteWithoutEffect(
    snapshot: Pick<SnapshotMetadata, "files" | "id">,
    file: AppliedFile,
  ): void {
    const since = this.appliedFiles(snapshot).slice(snapshot.files.length);
    replaceDurably(
      join(this.#dir, snapshot.id),
      WITHOUT_EFFECT_FILE,
      formatJson([...since, file]),
    );
  }

  /**
   * Makes the store's only snapshot current if none is: the first import was stopped between its two renames. Returns
   * its id, or null if this is not the case. The caller must have the import lock.
   */
  completeFirst(): string | null {
    const [only, another] = this.ids();
    if (only === undefined || another !== undefined) return null;
    if (existsSync(join(this.#dir, CURRENT_FILE))) return null;
    this.#makeCurrent(only, readHistory(this.#dir), timeOf(only));
    return only;
  }

  /**
   * Finds the snapshot to roll back to: the first of `fallbacksOf` the current one, so a snapshot that was rolled back
   * is not chosen again; the newest if none is current. Null if there is none.
   */
  previousId(): string | null {
    const current = this.currentId();
    const ids = current === null ? this.ids() : this.fallbacksOf(current);
    return ids[0] ?? null;
  }

  /** Lists snapshots that can replace a snapshot, best first: its ancestors, then all other older ones. */
  fallbacksOf(id: string): string[] {
    const ids = this.ids();
    const ancestors: string[] = [];
    for (let of = id; ;) {
      const from = this.#metadataOf(of)?.madeFrom ?? null;
      if (from === null || !ids.includes(from) || ancestors.includes(from))
        break;
      ancestors.push(from);
      of = from;
    }
    const older = ids.filter((each) => each < id && !ancestors.includes(each));
    return [...ancestors, ...older];
  }

  /**
   * Removes all but `keep` snapshots and returns the removed ids. Kept first is the current one, then the one it was
   * made from, then those that were current for more than an hour, then for less, then those of imports that were
   * killed; among equals, the newest. Imports that are soon rolled back therefore never displace a snapshot that was
   * used. `onFault` is called with each that cannot be removed.
   */
  prune(
    keep: number,
    nowMs: number,
    onFault = (error: unknown, _id: string): void => {
      throw error;
    },
  ): string[] {
    const current = this.currentId();
    const madeFrom =
      current === null ? null : this.#metadataOf(current)?.madeFrom;
    const history = this.#historyUntil(nowMs);
    const rankOf = (id: string): number => {
      if (id === current) return 0;
      if (id === madeFrom) return 1;
      if (wasReliedOn(history, id)) return 2;
      return history.served.some((period) => period.id === id) ? 3 : 4;
    };
    const removed: string[] = [];
    for (const id of this.ids()
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(keep)
      .filter((each) => each !== current))
      try {
        rmSync(this.dirOf(id), { recursive: true, force: true });
        removed.push(id);
      } catch (error) {
        onFault(error, id);
      }
    return removed.sort().reverse();
  }

  #metadataOf(id: string): SnapshotMetadata | null {
    return readMetadata(this.pathOf(id));
  }

  /**
   * Writes the history first. If the process is killed in between, the closed period continues and is written again.
   */
  #makeCurrent(id: string, history: StoreHistory, nowMs: number): void {
    writeHistory(this.#dir, withoutOthers(history, this.ids()));
    replaceDurably(this.#dir, CURRENT_FILE, `${id}\n`, nowMs);
  }

  /** Returns the history as if the current snapshot's period ended at `until`. */
  #historyUntil(until: number): StoreHistory {
    const id = this.currentId();
    if (id === null) return readHistory(this.#dir);
    const from = statSync(join(this.#dir, CURRENT_FILE)).mtimeMs;
    return closePeriod(readHistory(this.#dir), { id, from, until });
  }

  /** Returns what a rollback from one snapshot to another undoes; null if that is unknown, and for demo data. */
  #undoneBy(fromId: string, toId: string, at: number): Rollback | null {
    const [from, to] = [this.#metadataOf(fromId), this.#metadataOf(toId)];
    if (from === null || to === null || from.demo) return null;
    return rollbackOf(
      { ...from, files: this.appliedFiles(from) },
      { ...to, files: this.appliedFiles(to) },
      at,
    );
  }

  #detailsBytes(id: string): number {
    const dir = join(this.#dir, id);
    return readdirSync(dir)
      .filter((name) => name.startsWith(DETAILS_FILE))
      .reduce((sum, name) => sum + sizeOf(join(dir, name)), 0);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readMetadata(path: string): SnapshotMetadata | null {
  try {
    return withPath(path, () => {
      using sections = new DiskSections(path);
      return parseMetadata(sections.getChecked(SECTIONS.metadata));
    });
  } catch (error) {
    if (error instanceof SnapshotFormatError || !existsSync(path)) return null;
    throw error;
  }
}

function timeOf(id: string): number {
  const [, year, month, day, hour, minute, second, milli] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(id) ?? [];
  return Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`,
  );
}
