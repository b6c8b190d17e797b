import { rmSync } from "node:fs";
import { waitFor, type Latch } from "../../threads/latch.ts";
import { TaskProgram } from "../../threads/task-thread.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { BitSet } from "../bytes/bitset.ts";
import { sortByKey } from "../bytes/radix-sort.ts";
import { release } from "../bytes/release.ts";
import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { DiskSections } from "../container/disk-sections.ts";
import {
  SnapshotFormatError,
  type SectionEntry,
} from "../container/section-file.ts";
import { SectionWriter } from "../container/section-writer.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { DiskSnapshot } from "../disk-snapshot.ts";
import { MovedDocs, NO_DOC } from "../postings/merge-postings.ts";
import type { AddressListDraft, ListSections } from "./address-list.ts";
import { unusualAddresses } from "./unusual-addresses.ts";
import {
  coveredParts,
  EXTENDED_PARTS,
  missingParts,
  NO_BASE,
  OPENERS,
  type BaseExtended,
} from "./extended-index.ts";
import { ExtendedDraft, feedExtended } from "./extended-draft.ts";

/** With fewer providers, building the index takes less time than starting a thread. */
const MIN_THREAD_PROVIDERS = 500_000;

/** The inputs of an extended index: plain data that can be sent to a thread. */
export interface ExtendedTask {
  /** The details file; its entry files are next to it. */
  detailsPath: string;
  /** For an update: the file of the base, and the NPIs with new details; else null. */
  base: { path: string; written: Uint32Array } | null;
  /** Display names of taxonomies by upper-case code. */
  taxonomyNames: ReadonlyMap<string, string>;
}

/**
 * Builds the extended index: from all details before the snapshot exists, or, for an update, once its documents are in
 * the file.
 */
export class ExtendedIndexBuilder implements Disposable {
  readonly #task: ExtendedTask;
  readonly #details: DetailsReader;
  readonly #draft: ExtendedDraft | null;

  /** Throws SnapshotFormatError if the details are damaged, and file system errors. */
  constructor(task: ExtendedTask) {
    this.#task = task;
    this.#details = new DetailsReader(task.detailsPath);
    this.#draft = task.base === null ? this.#gather(NO_BASE, "all") : null;
  }

  /**
   * Writes the index of a snapshot to a file next to it, for `addExtendedIndex`. `written` has the sections so far of a
   * snapshot that is still being written (`BuildContext.onDocuments`); null for a finished one. `docs` has the document
   * of each provider with details, in the order of the details, if that is known.
   */
  write(
    snapshotPath: string,
    written: readonly SectionEntry[] | null = null,
    knownDocs: Uint32Array | null = null,
  ): void {
    const { base, taxonomyNames } = this.#task;
    using snapshot = new DiskSnapshot(snapshotPath, written);
    const { parts } = this.#details.metadata;
    using sections = base === null ? null : extendedSections(base.path);
    // The program that wrote the base may not have known all of today's parts of the index.
    const isComplete =
      sections !== null &&
      missingParts(coveredParts(sections), parts).length === 0;
    const existing =
      base === null || !isComplete
        ? NO_BASE
        : { sections, docs: docsOfBase(base, snapshot) };
    const which = isComplete ? "own" : "all";
    const draft = this.#draft ?? this.#gather(existing, which);
    const { locations, names, slots } = draft;
    const docs =
      knownDocs ?? docsOf(this.#npis(which, draft), snapshot, existing);
    if (docs.length !== existing.docs.docs.length + draft.count)
      throw new Error("The details and the rows have different providers");
    const { folding } = snapshot.taxonomies;
    snapshot.forget();
    using writer = SectionWriter.temporary(extendedPath(snapshotPath));
    if (parts.includes("taxonomies"))
      slots.write(
        writer,
        docs,
        {
          kind: snapshot.sections.get(SECTIONS.kind),
          taxonomy: snapshot.taxonomy,
          taxonomies: snapshot.taxonomies,
        },
        (code) => taxonomyNames.get(code) ?? null,
        existing.sections && OPENERS.slots(existing.sections),
        existing.docs,
      );
    if (parts.includes("other_names")) names.write(writer, docs, folding);
    if (parts.includes("locations")) locations.write(writer, docs);
    if (parts.includes("identity"))
      draft.officials.write(writer, docs, folding);
    writeAddresses(writer, draft, parts, docs, snapshot);
    writer.finish();
  }

  [Symbol.dispose](): void {
    this.#details[Symbol.dispose]();
  }

  /** The NPIs of the providers of a draft that the base does not have. */
  #npis(which: "all" | "own", { count }: ExtendedDraft): Uint32Array {
    const npis = new Uint32Array(count);
    let to = 0;
    this.#details.forEachEntry((npi) => {
      npis[to++] = npi;
    }, which);
    return npis;
  }

  #gather(existing: BaseExtended, which: "all" | "own"): ExtendedDraft {
    const draft = new ExtendedDraft(existing);
    feedExtended(this.#details, which, draft);
    draft.close();
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
      write(
        snapshotPath: string,
        written: readonly SectionEntry[] | null,
        start: Latch | null,
        docs: Uint32Array | null,
      ): void {
        if (start !== null) waitFor(start);
        using used = maker;
        used.write(snapshotPath, written, docs);
      },
    };
  },
);

/** An index being built in the background. Disposing stops it. */
export interface ExtendedBuild extends AsyncDisposable {
  /**
   * Writes the index of a snapshot, as ExtendedIndexBuilder does, once `start` is open. Call it once. Documents that are
   * not in shared memory are copied.
   */
  write(
    snapshotPath: string,
    written?: readonly SectionEntry[],
    start?: Latch | null,
    docs?: Uint32Array | null,
  ): Promise<void>;
}

/**
 * Starts building an extended index, in a thread if it has at least `minThreadProviders`. Work that does not need the
 * snapshot starts at once.
 */
export function buildExtendedInBackground(
  task: ExtendedTask,
  providers: number,
  minThreadProviders: number = MIN_THREAD_PROVIDERS,
): ExtendedBuild {
  const making =
    providers >= minThreadProviders ? MAKING.inThread(task) : MAKING.here(task);
  return {
    write: (snapshotPath, written, start, docs) =>
      making.ask(
        "write",
        snapshotPath,
        written ?? null,
        start ?? null,
        docs ?? null,
      ),
    [Symbol.asyncDispose]: () => making[Symbol.asyncDispose](),
  };
}

/** Whether any of these parts can be searched through the extended index. */
export function hasExtendedParts(parts: readonly DetailPart[]): boolean {
  return EXTENDED_PARTS.some((part) => parts.includes(part));
}

/**
 * Moves the index that is written next to a snapshot file into it; `written` says when it is finished. The snapshot must
 * be finished and not in use; if this is interrupted, readers refuse the file.
 */
export async function addExtendedIndex(
  snapshotPath: string,
  written: Promise<void> = Promise.resolve(),
): Promise<void> {
  const path = extendedPath(snapshotPath);
  using writer = SectionWriter.behind(snapshotPath);
  await writer.copy(SECTIONS.extended, path, written);
  writer.finish();
  rmSync(path);
}

function extendedPath(snapshotPath: string): string {
  return `${snapshotPath}.scopes`;
}

function writeAddresses(
  writer: SectionWriter,
  { areas, mailing, secondary }: ExtendedDraft,
  parts: readonly DetailPart[],
  docs: Uint32Array,
  snapshot: DiskSnapshot,
): void {
  const unusual = unusualAddresses(snapshot, areas);
  const { count } = snapshot;
  const { folding } = snapshot.taxonomies;
  snapshot.forget();
  const numbers = areas.write(writer, folding);
  const write = (
    list: AddressListDraft,
    sections: ListSections,
    docsOfList: Uint32Array | null = docs,
  ): void => list.write(writer, sections, docsOfList, numbers, count);
  write(unusual, EXTENDED_SECTIONS.unusual, null);
  if (parts.includes("locations"))
    write(secondary, EXTENDED_SECTIONS.secondary);
  if (parts.includes("mailing_address"))
    write(mailing, EXTENDED_SECTIONS.mailing);
}

/** The extended index of a snapshot file; null if it has none. */
function extendedSections(path: string): DiskSections | null {
  using file = new DiskSections(path);
  return file.has(SECTIONS.extended) ? file.fileIn(SECTIONS.extended) : null;
}

/** The new numbers of the base's documents without new details. */
function docsOfBase(
  { path, written }: NonNullable<ExtendedTask["base"]>,
  snapshot: DiskSnapshot,
): MovedDocs {
  using file = new DiskSections(path);
  const npi = file.get(SECTIONS.npis.npi);
  const docs = docsNow(npi, snapshot, written);
  release(npi);
  return docs;
}

/** An update keeps the order of the documents that it does not change. */
function docsNow(
  before: Uint32Array,
  snapshot: DiskSnapshot,
  written: Uint32Array,
): MovedDocs {
  const { npi } = snapshot;
  const isWritten = new BitSet(npi.length);
  for (const each of written) isWritten.add(snapshot.npiIndex.find(each));
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

/**
 * The document of each provider of a draft: first those of the base, then the new ones, which the snapshot must have.
 */
function docsOf(
  npis: Uint32Array,
  snapshot: DiskSnapshot,
  existing: BaseExtended,
): Uint32Array {
  const before = existing.docs.docs;
  const docs = new Uint32Array(before.length + npis.length);
  docs.set(before);
  const { npi } = snapshot.npiIndex;
  const { keys, order: sorted } = sortByKey(npis, npis.length);
  let isMissing = false;
  for (let at = 0; at < sorted.length; at++) {
    const doc = snapshot.npiIndex.find(keys[at]!);
    isMissing ||= npi[doc] !== keys[at];
    docs[before.length + sorted[at]!] = doc;
  }
  release(sorted, keys);
  if (isMissing)
    throw new Error("The details contain an NPI that the snapshot does not");
  return docs;
}
