/** An importer's data folder, a snapshot store, and data folders of nodes. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { recordChanges } from "../../src/changes/record-changes.ts";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { encodeChangeSet } from "../../src/changes/change-set-file.ts";
import { readPublicationFile } from "../../src/fleet/manifest.ts";
import type { ObjectStore } from "../../src/fleet/objects/object-store.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { pull } from "../../src/fleet/pull/pull.ts";
import { checkSnapshot } from "../../src/cli/commands/snapshots.ts";
import type { Environment } from "../../src/settings/setting-reader.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import {
  FULL,
  people,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { runProgram, succeeded } from "../support/program/program.ts";

export const NEVER = new AbortController().signal;
export const NO_ENVIRONMENT = {
  proxy: {},
  hasEndpoint: false,
  hasRegion: false,
};

const WEEK_MS = 7 * 86_400_000;
const FIRST_WEEK = Date.UTC(2026, 10, 9);

export class FleetFolders implements Disposable {
  readonly #registry = new SmallRegistry();
  readonly storeFolder = join(this.#registry.folder, "store");
  #weeks = 0;

  constructor() {
    mkdirSync(this.storeFolder);
  }

  /** The importer's snapshots. */
  get importer(): SnapshotStore {
    return this.#registry.store;
  }

  get fileUrl(): string {
    return pathToFileURL(this.storeFolder).href;
  }

  /** A file for the test in the folder of all. */
  path(name: string): string {
    return join(this.#registry.folder, name);
  }

  /** Imports a full file, or the next week. Returns the snapshot's ID. */
  async import(rows: readonly RawRow[] = people(3)): Promise<string> {
    const from = FIRST_WEEK + (this.#weeks - 1) * WEEK_MS;
    const days = [from, from + WEEK_MS - 86_400_000].map((day) =>
      new Date(day).toISOString().slice(0, 10).replaceAll("-", ""),
    );
    const name =
      this.#weeks === 0 ? FULL : `npidata_pfile_${days.join("-")}.csv`;
    this.#weeks++;
    const store = this.importer;
    const outcome = await this.#registry.import(name, rows, {
      onBuilt: (built) =>
        void recordChanges(built, { store, now: Date.now, keepDays: 400 }),
    });
    assert.equal(outcome.status, "imported");
    return store.currentId() ?? "none";
  }

  /** Runs publish, and returns what it printed. */
  publish(...args: string[]): Promise<string> {
    return succeeded(this.tryPublish(...args));
  }

  tryPublish(...args: string[]) {
    return runProgram([
      "publish",
      "--data-dir",
      this.importer.dataDir,
      "--snapshot-store",
      this.fileUrl,
      ...args,
    ]);
  }

  /** Publishes to another store. */
  publishTo(url: string, environment: Environment): Promise<string> {
    return succeeded(
      runProgram(
        [
          "publish",
          "--data-dir",
          this.importer.dataDir,
          "--snapshot-store",
          url,
        ],
        { environment },
      ),
    );
  }

  rollBack(): Promise<string> {
    const { dataDir } = this.importer;
    return succeeded(
      runProgram(["snapshots", "rollback", "--data-dir", dataDir]),
    );
  }

  /** The data folder of a node; empty if it is new. */
  node(name = "node"): SnapshotStore {
    return new SnapshotStore(this.path(name));
  }

  /**
   * Pulls what the store's file says is published, and makes it current. Returns how many bytes were to be downloaded.
   */
  async pull(
    store: SnapshotStore,
    from: ObjectStore | string = this.fileUrl,
    signal = NEVER,
  ): Promise<{ files: number; bytes: number }> {
    const objects =
      typeof from === "string"
        ? await openStore({ url: from, environment: NO_ENVIRONMENT })
        : from;
    const published = await readPublicationFile(objects, signal);
    assert.ok(published !== null, "nothing is published");
    let toFetch = { files: 0, bytes: 0 };
    await pull({
      published,
      objects,
      store,
      signal,
      clock: Date.now,
      onBegin: (files, bytes) => (toFetch = { files, bytes }),
    });
    store.makeCurrent(published.snapshot, Date.now());
    return toFetch;
  }

  /** Keys of the objects in the store's folder. */
  objects(): string[] {
    return readdirSync(join(this.storeFolder, "objects"))
      .filter((name) => name.endsWith(".zst"))
      .sort();
  }

  /** Replaces the bytes of an object. */
  change(name: string, edit: (bytes: Buffer) => Uint8Array): void {
    const path = join(this.storeFolder, "objects", name);
    writeFileSync(path, edit(readFileSync(path)));
  }

  /** The largest object: the snapshot's own file. */
  largestObject(): string {
    const sized = this.objects().map((name) => ({
      name,
      bytes: readFileSync(join(this.storeFolder, "objects", name)).length,
    }));
    return sized.toSorted((a, b) => b.bytes - a.bytes)[0]?.name ?? "none";
  }

  [Symbol.dispose](): void {
    this.#registry[Symbol.dispose]();
  }
}

/** Fails unless a node serves an intact copy of what the importer serves, with the same list of changes. */
export function assertCopied(
  node: SnapshotStore,
  importer: SnapshotStore,
): void {
  const id = importer.currentId() ?? "none";
  assert.equal(node.currentId(), id);
  assertIntact(node);
  for (const name of readdirSync(importer.dirOf(id)))
    assert.ok(
      readFileSync(join(importer.dirOf(id), name)).equals(
        readFileSync(join(node.dirOf(id), name)),
      ),
      name,
    );
  assert.deepEqual(changesOf(node, id), changesOf(importer, id));
  assert.deepEqual(node.builds.list(), []);
}

/** Fails if what a data folder serves is damaged; it may serve nothing. */
export function assertIntact(store: SnapshotStore): void {
  const id = store.currentId();
  if (id === null) return;
  assert.deepEqual(checkSnapshot(store, id).faults, []);
}

function changesOf({ dataDir }: SnapshotStore, id: string): string {
  using reader = new ChangeReader(dataDir);
  const { sets } = reader.lineage(id);
  let text = "";
  for (const set of sets)
    for (const bytes of encodeChangeSet(set, reader.changes(set, null, true)))
      text += Buffer.from(bytes).toString();
  return text;
}
