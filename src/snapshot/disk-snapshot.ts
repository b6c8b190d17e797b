import { SECTIONS } from "./container/descriptors.ts";
import { openGroup } from "./container/sections.ts";
import { Dictionary } from "./dictionary/dictionary.ts";
import { DiskRecords } from "./records/disk-records.ts";
import { DiskSections } from "./container/disk-sections.ts";
import { NpiIndex } from "./postings/npi-index.ts";
import { Places } from "./places/places.ts";
import type { RecordSource } from "./records/record-source.ts";
import type { RecordReader } from "./records/records.ts";
import { release } from "./bytes/release.ts";

/**
 * A snapshot on the disk, opened for its records alone: some 400 MB of memory for the whole registry. Its taxonomies have
 * no display names, which belong to NUCC's table and not to the registry's rows.
 */
export class DiskSnapshot implements RecordSource, Disposable {
  readonly npi: Uint32Array;
  readonly kinds: { readonly column: Uint8Array };
  readonly taxonomy: Uint16Array;
  readonly name: Uint32Array;
  readonly firstName: Uint32Array;
  readonly taxonomies: Dictionary;
  readonly taxonomyNames: readonly null[];
  readonly lastNames: Dictionary;
  readonly organizations: Dictionary;
  readonly firstNames: Dictionary;
  readonly places: Places;
  readonly cities: Dictionary;
  readonly records: RecordReader;
  readonly #sections: DiskSections;
  readonly #npiOrder: Uint32Array;
  readonly #npiIndex: NpiIndex;

  /** Throws SnapshotFormatError where the file is no snapshot that this program reads, and the file system's errors. */
  constructor(path: string) {
    const sections = new DiskSections(path);
    this.#sections = sections;
    const npis = openGroup(sections, SECTIONS.npis);
    this.npi = npis.npi;
    this.kinds = { column: sections.get(SECTIONS.kind) };
    this.taxonomy = sections.get(SECTIONS.taxonomy);
    this.name = sections.get(SECTIONS.name);
    this.firstName = sections.get(SECTIONS.first);
    this.taxonomies = Dictionary.open(sections, SECTIONS.taxonomies);
    this.taxonomyNames = Array.from(
      { length: this.taxonomies.count + 1 },
      () => null,
    );
    this.lastNames = Dictionary.open(sections, SECTIONS.lastNames);
    this.organizations = Dictionary.open(sections, SECTIONS.organizations);
    this.firstNames = Dictionary.open(sections, SECTIONS.firstNames);
    this.cities = Dictionary.open(sections, SECTIONS.cities);
    this.places = new Places(sections, this.cities);
    this.records = new DiskRecords(sections);
    this.#npiOrder = npis.order;
    this.#npiIndex = new NpiIndex(npis);
  }

  /** How many documents there are. */
  get count(): number {
    return this.npi.length;
  }

  /** The document of an NPI, or -1. */
  find(npi: number): number {
    return this.#npiIndex.find(npi);
  }

  [Symbol.dispose](): void {
    for (const { bytes, offsets } of [
      this.lastNames,
      this.organizations,
      this.firstNames,
      this.cities,
    ])
      release(bytes, offsets);
    release(this.npi, this.kinds.column, this.taxonomy, this.name);
    release(this.firstName, this.#npiOrder, this.records.words.bytes);
    this.#sections[Symbol.dispose]();
  }
}
