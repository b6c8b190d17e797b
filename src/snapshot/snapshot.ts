import { SECTIONS } from "./container/descriptors.ts";
import { openGroup } from "./container/sections.ts";
import { Dictionary } from "./dictionary/dictionary.ts";
import { Kinds } from "./postings/kinds.ts";
import { Places } from "./places/places.ts";
import type { CentroidGrid } from "./places/centroids.ts";
import { NameIndex } from "./names/name-index.ts";
import { NpiIndex } from "./postings/npi-index.ts";
import type { Postings } from "./postings/postings.ts";
import { RecordReader } from "./records/records.ts";
import { openScopes, type Scopes } from "./extended/scopes.ts";
import { MemorySections } from "./container/memory-sections.ts";
import { parseMetadata, type SnapshotMetadata } from "./metadata.ts";
import { openTaxonomyNames } from "./dictionary/taxonomy-names.ts";

/**
 * A snapshot, opened: views of the sections in shared memory. Documents are numbered from 0 in the snapshot's order:
 * state, city, ZIP, NPI; `count` of them, whose names are those of the base class. Opening copies nothing, so every thread
 * opens the same bytes for itself.
 */
export class Snapshot extends NameIndex {
  readonly metadata: SnapshotMetadata;
  readonly npi: Uint32Array;
  readonly kinds: Kinds;
  readonly places: Places;
  readonly cities: Dictionary;
  /** Per document: the number of its taxonomy, 0 for none. */
  readonly taxonomy: Uint16Array;
  readonly taxonomies: Dictionary;
  /** Per taxonomy number its display name, null where none is known. */
  readonly taxonomyNames: readonly (string | null)[];
  readonly taxonomyDocs: Postings;
  readonly records: RecordReader;
  readonly centroids: CentroidGrid;
  /** What else there is to find providers by. */
  readonly scopes: Scopes;
  readonly file: MemorySections;
  readonly #npiIndex: NpiIndex;

  /** Throws SnapshotFormatError where the bytes are no snapshot that this program reads. */
  constructor(buffer: SharedArrayBuffer) {
    const file = new MemorySections(buffer);
    super(file);
    this.file = file;
    this.metadata = parseMetadata(file.get(SECTIONS.metadata));
    const npis = openGroup(file, SECTIONS.npis);
    this.npi = npis.npi;
    this.kinds = new Kinds(file);
    this.cities = Dictionary.open(file, SECTIONS.cities);
    this.places = new Places(file, this.cities);
    this.taxonomy = file.get(SECTIONS.taxonomy);
    this.taxonomies = Dictionary.open(file, SECTIONS.taxonomies);
    this.taxonomyNames = openTaxonomyNames(file);
    this.taxonomyDocs = openGroup(file, SECTIONS.taxonomyDocs);
    this.records = RecordReader.open(file);
    this.centroids = openGroup(file, SECTIONS.centroids);
    this.scopes = openScopes(file);
    this.#npiIndex = new NpiIndex(npis);
  }

  /** The document of an NPI, or -1. */
  find(npi: number): number {
    return this.#npiIndex.find(npi);
  }

  /** The place of an NPI among all in ascending order, or -1. */
  rank(npi: number): number {
    return this.#npiIndex.rank(npi);
  }
}
