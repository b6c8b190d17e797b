import { rmSync } from "node:fs";
import { TaskProgram } from "../../threads/task-thread.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { BitSet } from "../bytes/bitset.ts";
import { release } from "../bytes/release.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { MemorySections } from "../container/memory-sections.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import { SectionWriter } from "../container/section-writer.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { DiskSnapshot } from "../disk-snapshot.ts";
import { MovedDocs, NO_DOC } from "../postings/merge-postings.ts";
import {
  NOTHING_HELD,
  openExtendedIn,
  EXTENDED_PARTS,
  type BaseExtended,
} from "./extended-index.ts";
import { ExtendedDraft, feedExtended } from "./extended-draft.ts";

/** The scopes of fewer providers are made sooner than a thread is of use. */
const LEAST_PROVIDERS = 500_000;

/** What the scopes of a snapshot are made from. Plain data, so that it can be handed to a thread. */
export interface ExtendedTask {
  /** The details file, with all files that it names. */
  detailsPath: string;
  /** Of an update: the file of the snapshot that it is merged into, and the NPIs whose details it brings; else null. */
  base: { path: string; written: Uint32Array } | null;
  /** The display names of taxonomies by their codes in upper case. */
  taxonomyNames: ReadonlyMap<string, string>;
}

/** Makes what searches can be widened to: of all details at once, or, of an update, when its snapshot is there. */
export class ExtendedIndexBuilder implements Disposable {
  readonly #task: ExtendedTask;
  readonly #details: DetailsReader;
  readonly #draft: ExtendedDraft | null;

  /** Throws SnapshotFormatError where the details are damaged, and the file system's errors. */
  constructor(task: ExtendedTask) {
    this.#task = task;
    this.#details = new DetailsReader(task.detailsPath);
    this.#draft = task.base === null ? this.#gather(NOTHING_HELD) : null;
  }

  /** Writes the scopes of a finished snapshot file into a file beside it, for `addScopes`. */
  write(snapshotPath: string): void {
    const { base, taxonomyNames } = this.#task;
    using snapshot = new DiskSnapshot(snapshotPath);
    const held =
      base === null
        ? NOTHING_HELD
        : baseExtended(base.path, snapshot, base.written);
    const { locations, names, npis, slots } = this.#draft ?? this.#gather(held);
    const docs = docsOf(npis, snapshot, held);
    snapshot.forget();
    const { parts } = this.#details.metadata;
    using writer = new SectionWriter(extendedPath(snapshotPath));
    if (parts.includes("taxonomies"))
      slots.write(
        writer,
        docs,
        snapshot,
        (code) => taxonomyNames.get(code) ?? null,
        held.extended.slots,
        held.docs,
      );
    if (parts.includes("other_names")) names.write(writer, docs);
    if (parts.includes("locations")) locations.write(writer, docs);
    writer.finish();
  }

  [Symbol.dispose](): void {
    this.#details[Symbol.dispose]();
  }

  #gather(held: BaseExtended): ExtendedDraft {
    const draft = new ExtendedDraft(held);
    feedExtended(
      this.#details,
      this.#task.base === null ? "all" : "own",
      draft,
    );
    return draft;
  }
}

const MAKING = new TaskProgram(
  import.meta.url,
  {
    name: "scopes",
    purpose: "builds the extended index",
    errors: [SnapshotFormatError],
  },
  (task: ExtendedTask) => {
    const maker = new ExtendedIndexBuilder(task);
    return {
      write(snapshotPath: string): void {
        using written = maker;
        written.write(snapshotPath);
      },
    };
  },
);

/** Scopes that are made in the background. Dispose it when done: what still runs ends then. */
export interface ExtendedBuild extends AsyncDisposable {
  /** Writes them for a finished snapshot file, as ScopesMaker does; to be asked for once. */
  write(snapshotPath: string): Promise<void>;
}

/**
 * Begins to make scopes as ScopesMaker does: those of at least `leastThreadProviders` in a thread of its own, in which what
 * needs no snapshot begins at once.
 */
export function buildExtendedInBackground(
  task: ExtendedTask,
  providers: number,
  leastThreadProviders: number = LEAST_PROVIDERS,
): ExtendedBuild {
  const making =
    providers >= leastThreadProviders
      ? MAKING.inThread(task)
      : MAKING.here(task);
  return {
    write: (snapshotPath) => making.ask("write", snapshotPath),
    [Symbol.asyncDispose]: () => making[Symbol.asyncDispose](),
  };
}

/** Whether there is anything in such details that searches can be widened to. */
export function hasExtendedParts(parts: readonly DetailPart[]): boolean {
  return EXTENDED_PARTS.some((part) => parts.includes(part));
}

/** Takes the scopes that were written beside a snapshot file into it. The file must not be in use; cut short, it is refused. */
export function addExtendedIndex(snapshotPath: string): void {
  const path = extendedPath(snapshotPath);
  using writer = SectionWriter.behind(snapshotPath);
  writer.copy(SECTIONS.extended, path);
  writer.finish();
  rmSync(path);
}

function extendedPath(snapshotPath: string): string {
  return `${snapshotPath}.scopes`;
}

/** Of the base and the new snapshot; `written` are the NPIs whose details the update brings. */
function baseExtended(
  basePath: string,
  snapshot: DiskSnapshot,
  written: Uint32Array,
): BaseExtended {
  using base = new DiskSnapshot(basePath);
  const { sections } = base;
  const bytes = new SharedArrayBuffer(sections.length(SECTIONS.extended));
  sections.readAt(SECTIONS.extended, new Uint8Array(bytes), 0);
  const npi = sections.get(SECTIONS.npis.npi);
  const docs = docsNow(npi, snapshot, written);
  release(npi);
  return { extended: openExtendedIn(new MemorySections(bytes)), docs };
}

/** An update leaves those of whom it says nothing in their order. */
function docsNow(
  before: Uint32Array,
  snapshot: DiskSnapshot,
  written: Uint32Array,
): MovedDocs {
  const { npi } = snapshot;
  const isWritten = new BitSet(npi.length);
  for (const each of written) isWritten.add(snapshot.find(each));
  const docs = new Uint32Array(before.length).fill(NO_DOC);
  let old = 0;
  for (let doc = 0; doc < npi.length; doc++) {
    if (isWritten.has(doc)) continue;
    while (old < before.length && before[old] !== npi[doc]) old++;
    docs[old++] = doc;
  }
  if (old > before.length)
    throw new Error("The update moved documents that it did not change");
  return new MovedDocs(docs);
}

/** The documents of a draft's providers: of those that are held, then of the others by their NPIs, all of which the snapshot must hold. */
function docsOf(
  npis: Uint32Array,
  snapshot: DiskSnapshot,
  held: BaseExtended,
): Uint32Array {
  const before = held.docs.docs;
  const docs = new Uint32Array(before.length + npis.length);
  docs.set(before);
  npis.forEach((npi, at) => {
    const doc = snapshot.find(npi);
    if (doc < 0)
      throw new Error("The details contain an NPI that the snapshot does not");
    docs[before.length + at] = doc;
  });
  return docs;
}
