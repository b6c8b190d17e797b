import { Dictionary } from "./dictionary/dictionary.ts";
import { Kinds } from "./postings/kinds.ts";
import { Places } from "./places/places.ts";
import { openCentroids, type CentroidGrid } from "./places/centroids.ts";
import { NameIndex } from "./names/name-index.ts";
import { NpiIndex } from "./postings/npi-index.ts";
import { openPostings, type Postings } from "./postings/postings.ts";
import { RecordReader } from "./records/records.ts";
import { openScopes, type Scopes } from "./extended/scopes.ts";
import { SectionFile } from "./container/section-file.ts";
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
  readonly file: SectionFile;
  readonly #npiIndex: NpiIndex;

  /** Throws SnapshotFormatError where the bytes are no snapshot that this program reads. */
  constructor(buffer: SharedArrayBuffer) {
    const file = new SectionFile(buffer);
    super(file);
    this.file = file;
    this.metadata = parseMetadata(file.bytes("metadata"));
    this.npi = file.uint32("npi");
    this.kinds = new Kinds(file);
    this.cities = Dictionary.open(file, "city");
    this.places = new Places(file, this.cities);
    this.taxonomy = file.uint16("taxonomy");
    this.taxonomies = Dictionary.open(file, "taxonomy");
    this.taxonomyNames = openTaxonomyNames(file);
    this.taxonomyDocs = openPostings(file, "taxonomy.docs");
    this.records = RecordReader.open(file);
    this.centroids = openCentroids(file);
    this.scopes = openScopes(file);
    this.#npiIndex = new NpiIndex(
      this.npi,
      file.uint32("npi.order"),
      file.uint32("npi.buckets"),
    );
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
