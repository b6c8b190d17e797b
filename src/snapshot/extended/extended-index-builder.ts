import { TaskProgram } from "../../threads/task-thread.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { sortByKey } from "../bytes/radix-sort.ts";
import { release } from "../bytes/once.ts";
import { lowerBound } from "../bytes/sorted.ts";
import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import {
  EXTENDED_FILE,
  SnapshotFormatError,
  type SectionEntry,
} from "../container/section-file.ts";
import {
  SectionFileWriter,
  type SectionWriter,
} from "../container/section-writer.ts";
import { extendedPath } from "../container/shared-file.ts";
import { NO_ENTRY } from "../details/details-file.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { DiskSnapshot } from "../base-snapshot.ts";
import { encodeJson } from "../metadata.ts";
import { AddressListDraft, type ListSections } from "./address-list.ts";
import { ExtendedDraft, feedExtended } from "./extended-draft.ts";
import { isStateOrDc, STATE_CODES } from "../../contract/states.ts";
import {
  ADDRESS_TEXTS,
  AddressText,
} from "../../registry/details/detail-blob.ts";
import { isDeactivated } from "../postings/kinds.ts";
import { Has } from "../records/records.ts";
import type { SnapshotView } from "../snapshot.ts";
import type { AreasDraft } from "./areas.ts";
import type { RecordTexts } from "./doc-order.ts";

/** With fewer providers, building the index takes less time than starting a thread. */
const MIN_THREAD_PROVIDERS = 500_000;

/** The inputs of an extended index: plain data that can be sent to a thread. */
export interface ExtendedTask {
  /** The details file; its entry files are next to it. */
  detailsPath: string;
  /** Display names of taxonomies by upper-case code. */
  taxonomyNames: ReadonlyMap<string, string>;
}

/** Builds the extended index: gathers it from all details before the snapshot exists, and writes it for that. */
export class ExtendedIndexBuilder implements Disposable {
  readonly #task: ExtendedTask;
  readonly #details: DetailsReader;
  readonly #draft = new ExtendedDraft();

  /** Throws SnapshotFormatError if the details are damaged, and file system errors. */
  constructor(task: ExtendedTask) {
    this.#task = task;
    this.#details = new DetailsReader(task.detailsPath);
    feedExtended(this.#details, this.#draft);
    this.#draft.close();
  }

  /**
   * Writes the index of a snapshot to the file next to it. `written` has the sections so far of a
   * snapshot that is still being written (`BuildContext.onDocuments`); null for a finished one.
   */
  write(
    snapshotPath: string,
    written: readonly SectionEntry[] | null = null,
  ): void {
    using snapshot = new DiskSnapshot(snapshotPath, written);
    using writer = new SectionFileWriter(
      extendedPath(snapshotPath),
      EXTENDED_FILE,
    );
    this.derive(writer, snapshot);
    writer.finish();
  }

  /** Writes the sections of the index of a snapshot, whose members it frees. Call this or `write`, once. */
  derive(writer: SectionWriter, snapshot: DiskSnapshot): void {
    const draft = this.#draft;
    const { id, parts } = this.#details.metadata;
    const docs = docsOf(this.#details, snapshot);
    if (docs.length !== draft.count)
      throw new Error("The details and the rows have different providers");
    const { folding } = snapshot.taxonomies;
    snapshot.forget();
    writer.write(EXTENDED_SECTIONS.metadata, encodeJson({ id }));
    if (parts.includes("taxonomies"))
      draft.slots.write(
        writer,
        docs,
        {
          kind: snapshot.sections.get(SECTIONS.kind),
          taxonomy: snapshot.taxonomy,
          taxonomies: snapshot.taxonomies,
        },
        (code) => this.#task.taxonomyNames.get(code) ?? null,
      );
    if (parts.includes("other_names")) draft.names.write(writer, docs, folding);
    if (parts.includes("locations")) draft.locations.write(writer, docs);
    if (parts.includes("identity"))
      draft.officials.write(writer, docs, folding);
    writeAddresses(writer, draft, parts, docs, snapshot);
  }

  [Symbol.dispose](): void {
    this.#details[Symbol.dispose]();
  }
}

const MAKING = new TaskProgram(
  import.meta.url,
  {
    name: "extended",
    purpose: "builds the extended index",
    errors: [SnapshotFormatError],
  },
  (task: ExtendedTask) => {
    const maker = new ExtendedIndexBuilder(task);
    return {
      write(
        snapshotPath: string,
        written: readonly SectionEntry[] | null,
      ): void {
        using used = maker;
        used.write(snapshotPath, written);
      },
    };
  },
);

/** An index being built in the background. Disposing stops it. */
export interface ExtendedBuild extends AsyncDisposable {
  /** Writes the index of a snapshot, as ExtendedIndexBuilder does. Call it once. */
  write(snapshotPath: string, written?: readonly SectionEntry[]): Promise<void>;
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
    write: (snapshotPath, written) =>
      making.ask("write", snapshotPath, written ?? null),
    [Symbol.asyncDispose]: () => making[Symbol.asyncDispose](),
  };
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

/** Lists the document of each provider with details, in the order of the details. */
function docsOf(details: DetailsReader, snapshot: DiskSnapshot): Uint32Array {
  const index = details.index();
  const docsByNpi = snapshot.sections.get(SECTIONS.npis.order);
  if (index.length !== docsByNpi.length)
    throw new Error("The details and the snapshot have different NPIs");
  const { keys, order } = sortByKey(index, index.length);
  const first = lowerBound(keys, NO_ENTRY + 1);
  release(index, keys);
  const docs = order.subarray(first).map((rank) => docsByNpi[rank]!);
  release(order, docsByNpi);
  return docs;
}

/**
 * Collects the primary practice addresses of active providers outside of the 50 states and DC. Those inside are found
 * by the snapshot's places; of these, places don't have all that searches for addresses compare.
 */
function unusualAddresses(
  snapshot: SnapshotView,
  areas: AreasDraft,
): AddressListDraft {
  const draft = new AddressListDraft("any");
  const { cities, count, kinds, places, records } = snapshot;
  const address = new AddressBytes();
  const add = (doc: number, place: number, state: string | null): void => {
    if (isDeactivated(kinds.column[doc]!)) return;
    records.open(doc);
    const city = places.cityOf(doc, place, records.number(Has.citySpelling));
    const country = records.has(Has.noCountry)
      ? null
      : (records.text(Has.country) ?? "US");
    address.set(AddressText.city, cities.spelling(city));
    address.set(AddressText.state, state ?? records.text(Has.state));
    address.set(
      AddressText.postal_code,
      records.postalCode(places.zipOf(doc, place) - 1),
    );
    address.set(AddressText.country, country);
    draft.add(doc, areas.read(address));
  };
  for (let place = 0; place < places.count; place++) {
    const state = places.state[place]!;
    if (isStateOrDc(state)) continue;
    const end = places.starts[place + 1]!;
    for (let doc = places.starts[place]!; doc < end; doc++)
      add(doc, place, STATE_CODES[state - 1]!);
  }
  for (let doc = places.placedDocs; doc < count; doc++) add(doc, -1, null);
  return draft;
}

/** The texts of one address as bytes. */
class AddressBytes implements RecordTexts {
  bytes: Uint8Array = new Uint8Array(0);
  readonly starts = new Int32Array(ADDRESS_TEXTS);
  readonly ends = new Int32Array(ADDRESS_TEXTS);
  readonly #texts: string[] = Array.from({ length: ADDRESS_TEXTS }, () => "");

  set(text: number, value: string | null): void {
    this.#texts[text] = value ?? "";
    if (text !== AddressText.country) return;
    this.bytes = Buffer.from(this.#texts.join(""));
    let at = 0;
    this.#texts.forEach((each, index) => {
      this.starts[index] = at;
      at += Buffer.byteLength(each);
      this.ends[index] = at;
    });
  }
}
