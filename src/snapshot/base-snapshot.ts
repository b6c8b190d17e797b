import { Entity } from "../registry/rows/provider-row.ts";
import { SECTIONS, type DictionarySections } from "./container/descriptors.ts";
import { openGroup } from "./container/sections.ts";
import { Dictionary } from "./dictionary/dictionary.ts";
import type { DetailsReader } from "./details/details-reader.ts";
import type { DiskSections } from "./container/disk-sections.ts";
import { entityOf, isDeactivated } from "./postings/kinds.ts";
import { parseMetadata, type SnapshotMetadata } from "./metadata.ts";
import { NpiIndex } from "./postings/npi-index.ts";
import { Places } from "./places/places.ts";
import { release } from "./bytes/release.ts";
import { DiskRecords } from "./records/disk-records.ts";
import type { RecordOrigin } from "./records/records.ts";

/**
 * The snapshot that an import builds on, left on the disk: in memory is what each row is compared with, its NPIs and
 * kinds, some 90 MB for the whole registry; all else is read when it is asked for.
 */
export class BaseSnapshot implements Disposable {
  readonly sections: DiskSections;
  /** The file of details beside it, null where there is none. */
  readonly details: DetailsReader | null;
  readonly metadata: SnapshotMetadata;
  readonly count: number;
  readonly npi: Uint32Array;
  readonly npiOrder: Uint32Array;
  readonly npiIndex: NpiIndex;
  readonly kind: Uint8Array;
  readonly #dictionaries = new Map<DictionarySections, Dictionary>();
  #places: Places | undefined;
  #records: DiskRecords | undefined;

  /** It owns the sections and the details, once it is made. */
  constructor(sections: DiskSections, details: DetailsReader | null) {
    this.sections = sections;
    this.details = details;
    this.metadata = parseMetadata(sections.get(SECTIONS.metadata));
    const npis = openGroup(sections, SECTIONS.npis);
    this.npi = npis.npi;
    this.count = this.npi.length;
    this.npiOrder = npis.order;
    this.npiIndex = new NpiIndex(npis);
    this.kind = sections.get(SECTIONS.kind);
  }

  get records(): DiskRecords {
    return (this.#records ??= new DiskRecords(this.sections));
  }

  get cities(): Dictionary {
    return this.#dictionary(SECTIONS.cities);
  }

  get places(): Places {
    return (this.#places ??= new Places(this.sections, this.cities));
  }

  get lastNames(): Dictionary {
    return this.#dictionary(SECTIONS.lastNames);
  }

  get firstNames(): Dictionary {
    return this.#dictionary(SECTIONS.firstNames);
  }

  get organizations(): Dictionary {
    return this.#dictionary(SECTIONS.organizations);
  }

  get taxonomies(): Dictionary {
    return this.#dictionary(SECTIONS.taxonomies);
  }

  /** Gives the dictionaries' memory back; they are read again when they are asked for. */
  forgetDictionaries(): void {
    for (const { bytes, offsets } of this.#dictionaries.values())
      release(bytes, offsets);
    this.#dictionaries.clear();
  }

  /** A document's name, first name and taxonomy, as the columns have them. */
  name(doc: number): number {
    return this.sections.element(SECTIONS.name, doc);
  }

  firstName(doc: number): number {
    return this.sections.element(SECTIONS.first, doc);
  }

  taxonomy(doc: number): number {
    return this.sections.element(SECTIONS.taxonomy, doc);
  }

  /** Where a document's details come from. */
  origin(doc: number): RecordOrigin {
    return this.records.origin(doc);
  }

  /** Whether a document's details are the last ones known, no longer shown by the registry. */
  isCarriedOver(doc: number): boolean {
    return this.records.isCarriedOver(doc);
  }

  /** Whether the registry shows no more of a document than its deactivation, whatever is held of it. */
  isWithheld(doc: number): boolean {
    const kind = this.kind[doc]!;
    return (
      isDeactivated(kind) &&
      (entityOf(kind) === Entity.withheld || this.isCarriedOver(doc))
    );
  }

  /** Gives all memory back; only `sections` may be used from then on. */
  forget(): void {
    this.forgetDictionaries();
    release(this.npi, this.npiOrder, this.kind);
    this.#records = undefined;
    this.#places = undefined;
  }

  [Symbol.dispose](): void {
    this.forget();
    this.sections[Symbol.dispose]();
    this.details?.[Symbol.dispose]();
  }

  #dictionary(group: DictionarySections): Dictionary {
    const known = this.#dictionaries.get(group);
    if (known !== undefined) return known;
    const dictionary = Dictionary.open(this.sections, group);
    this.#dictionaries.set(group, dictionary);
    return dictionary;
  }
}
