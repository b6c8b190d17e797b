import { BitSet } from "./bytes/bitset.ts";
import { SECTIONS } from "./container/descriptors.ts";
import { DiskSections } from "./container/disk-sections.ts";
import {
  openGroup,
  type Sections,
  MemorySections,
} from "./container/sections.ts";
import { type SharedFile, LazySections } from "./container/shared-file.ts";
import type { Dictionary } from "./dictionary/dictionary.ts";
import { openTaxonomyNames } from "./dictionary/taxonomy-names.ts";
import { openExtended, type ExtendedIndex } from "./extended/extended-index.ts";
import { parseMetadata, type SnapshotMetadata } from "./metadata.ts";
import { CredentialWords } from "./names/credential-words.ts";
import { MiddleInitials } from "./names/middle-initials.ts";
import { NameIndex, releaseAll } from "./names/name-index.ts";
import type { CentroidGrid } from "./places/centroids.ts";
import { LocatedZips } from "./places/located-zips.ts";
import { Places } from "./places/places.ts";
import { Kinds } from "./postings/kinds.ts";
import { NpiIndex } from "./postings/npi-index.ts";
import {
  readUpdatedDays,
  UpdatedDays,
  type UpdatedColumn,
} from "./postings/updated-days.ts";
import type { Postings } from "./postings/postings.ts";
import { DiskRecords } from "./records/disk-records.ts";
import { RecordReader } from "./records/records.ts";

/**
 * A snapshot's contents, in memory or on disk. Its `count` documents are numbered from 0 in the order state, city, ZIP,
 * NPI; their names are in the base class. Each member is opened on first use and kept.
 */
export class SnapshotView<S extends Sections = Sections> extends NameIndex<S> {
  #metadata: SnapshotMetadata | undefined;
  #npi: Uint32Array | undefined;
  #npiIndex: NpiIndex | undefined;
  #kinds: Kinds | undefined;
  #middleInitials: MiddleInitials | null | undefined;
  #cities: Dictionary | undefined;
  #places: Places | undefined;
  #taxonomy: Uint16Array | undefined;
  #taxonomies: Dictionary | undefined;
  #taxonomyNames: readonly (string | null)[] | undefined;
  #taxonomyDocs: Postings | undefined;
  #records: RecordReader | undefined;
  #credentials: CredentialWords | null | undefined;
  #centroids: CentroidGrid | undefined;

  override get count(): number {
    return this.npi.length;
  }

  get metadata(): SnapshotMetadata {
    return (this.#metadata ??= parseMetadata(
      this.sections.get(SECTIONS.metadata),
    ));
  }

  /** The NPI of each document. */
  get npi(): Uint32Array {
    return (this.#npi ??= this.npiIndex.npi);
  }

  get npiIndex(): NpiIndex {
    return (this.#npiIndex ??= new NpiIndex(
      openGroup(this.sections, SECTIONS.npis),
    ));
  }

  get kinds(): Kinds {
    return (this.#kinds ??= new Kinds(this.sections));
  }

  /** Null if the file lacks them. */
  get credentials(): CredentialWords | null {
    return (this.#credentials ??= this.sections.has(SECTIONS.credentialCounts)
      ? new CredentialWords(this.sections)
      : null);
  }

  /** Null if the file lacks them. */
  get middleInitials(): MiddleInitials | null {
    return (this.#middleInitials ??= this.sections.has(SECTIONS.middle)
      ? new MiddleInitials(this.sections.get(SECTIONS.middle))
      : null);
  }

  /** The documents by the name shown; null if the file lacks this order. */
  get nameOrder(): Uint32Array | null {
    return this.sections.has(SECTIONS.nameOrder)
      ? this.sections.get(SECTIONS.nameOrder)
      : null;
  }

  get cities(): Dictionary {
    return (this.#cities ??= this.dictionary(SECTIONS.cities));
  }

  get places(): Places {
    return (this.#places ??= new Places(this.sections, this.cities));
  }

  /** The taxonomy number of each document, 0 for none. */
  get taxonomy(): Uint16Array {
    return (this.#taxonomy ??= this.sections.get(SECTIONS.taxonomy));
  }

  get taxonomies(): Dictionary {
    return (this.#taxonomies ??= this.dictionary(SECTIONS.taxonomies));
  }

  /** Display name per taxonomy number; null if unknown. */
  get taxonomyNames(): readonly (string | null)[] {
    return (this.#taxonomyNames ??= openTaxonomyNames(this.sections));
  }

  get taxonomyDocs(): Postings {
    return (this.#taxonomyDocs ??= openGroup(
      this.sections,
      SECTIONS.taxonomyDocs,
    ));
  }

  /** Active providers per taxonomy number, as `countPrimaryTaxonomies` counts them; null if the file lacks them. */
  get taxonomyCounts(): Uint32Array | null {
    return this.sections.has(SECTIONS.taxonomyCounts)
      ? this.sections.get(SECTIONS.taxonomyCounts)
      : null;
  }

  get records(): RecordReader {
    return (this.#records ??=
      this.sections instanceof DiskSections
        ? new DiskRecords(this.sections)
        : RecordReader.open(this.sections));
  }

  get centroids(): CentroidGrid {
    return (this.#centroids ??= openGroup(this.sections, SECTIONS.centroids));
  }

  /** Finds the index of an NPI among all in ascending order, or -1. */
  rank(npi: number): number {
    return this.npiIndex.rank(npi);
  }

  override forgetDictionaries(): void {
    super.forgetDictionaries();
    releaseAll(this.#cities, this.#taxonomies);
    this.#cities = this.#taxonomies = undefined;
  }

  override forget(): void {
    super.forget();
    releaseAll(this.#npiIndex, this.#kinds, this.#taxonomy, this.#records);
    this.#npi = this.#npiIndex = this.#kinds = this.#taxonomy = undefined;
    this.#middleInitials = undefined;
    this.#records = this.#places = this.#credentials = undefined;
  }
}

/**
 * A snapshot in shared memory. Opening copies nothing, so every thread opens the same bytes. Disposing closes the file
 * of the extended index.
 */
export class Snapshot
  extends SnapshotView<MemorySections>
  implements Disposable
{
  /** The extended index, and the file that it is read from on first use; null if there is none. */
  readonly extended: ExtendedIndex;
  readonly extendedFile: LazySections | null;
  #updatedDays: UpdatedDays | null;
  #withTaxonomy: BitSet | undefined;
  #locatedZips: LocatedZips | undefined;

  /**
   * Throws SnapshotFormatError if the bytes are not a snapshot that this program reads. `updated` has the update dates
   * if another thread reads them for the same snapshot.
   */
  constructor(
    { bytes, extended }: SharedFile,
    updated: UpdatedColumn | null = null,
  ) {
    super(new MemorySections(bytes));
    this.#updatedDays = updated && new UpdatedDays(updated);
    this.extendedFile = extended && new LazySections(extended);
    try {
      this.extended = openExtended(this.extendedFile);
      this.#openMembers();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** The update date of each record. Read on first use, unless another thread does it. */
  get updatedDays(): UpdatedDays {
    return (this.#updatedDays ??= new UpdatedDays(
      readUpdatedDays(this.records, this.count),
    ));
  }

  /** The documents with a taxonomy. Made on first use, in about 10 ms. */
  get withTaxonomy(): BitSet {
    return (this.#withTaxonomy ??= nonZeros(this.taxonomy));
  }

  /** The documents by ZIP of their primary location. Made on first use, in about 15 ms. */
  get locatedZips(): LocatedZips {
    return (this.#locatedZips ??= new LocatedZips(this.centroids, this.places));
  }

  /**
   * Opens all members but the extended index now, so missing sections are reported here. Own properties are also faster
   * to read than getters.
   */
  #openMembers(): void {
    for (const { prototype } of [NameIndex, SnapshotView])
      for (const [member, property] of Object.entries(
        Object.getOwnPropertyDescriptors(prototype),
      ))
        if (property.get !== undefined)
          Object.defineProperty(this, member, {
            value: Reflect.get(this, member),
          });
  }

  /** Lists the corrupt sections of the snapshot and of its extended index. */
  corruptSections(): string[] {
    return [
      ...this.sections.corruptSections(),
      ...inExtended(this.extendedFile?.corruptSections()),
    ];
  }

  /** Does what corruptSections does, in steps of a few milliseconds, so the thread can do other work in between. */
  async findCorruptSections(): Promise<string[]> {
    return [
      ...(await this.sections.findCorruptSections()),
      ...inExtended(await this.extendedFile?.findCorruptSections()),
    ];
  }

  [Symbol.dispose](): void {
    this.extendedFile?.[Symbol.dispose]();
  }
}

function inExtended(names: readonly string[] = []): string[] {
  return names.map((name) => `extended: ${name}`);
}

/** Collects the indexes of numbers other than 0. */
function nonZeros(numbers: Uint16Array): BitSet {
  const set = new BitSet(numbers.length);
  const { bits } = set;
  for (let word = 0; word < bits.length; word++) {
    const from = word << 5;
    const to = Math.min(from + 32, numbers.length);
    let members = 0;
    for (let i = from; i < to; i++)
      members |= (-numbers[i]! >>> 31) << (i & 31);
    bits[word] = members;
  }
  return set;
}
