import { Dictionary } from "./dictionary.ts";
import { GramIndex } from "./grams.ts";
import { Kinds } from "./kinds.ts";
import { Places } from "./places.ts";
import { openCentroids, type CentroidGrid } from "./centroids.ts";
import { openPostings, type Postings } from "./postings.ts";
import { RecordReader } from "./records.ts";
import { SectionFile } from "./section-file.ts";
import { parseMetadata, type SnapshotMetadata } from "./metadata.ts";

/** NPIs are looked up through buckets of this many bits, of some 160 NPIs each at full scale. */
export const NPI_BUCKET_BITS = 14;

/**
 * A snapshot, opened: views of the sections in shared memory. Documents are numbered from 0 in the snapshot's order:
 * state, city, ZIP, NPI. Opening copies nothing, so every thread opens the same bytes for itself.
 */
export class Snapshot {
  readonly metadata: SnapshotMetadata;
  /** How many documents there are. */
  readonly count: number;
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
  /** Per document: its last name's number, or for an organization its name's number plus `lastNames.count`; 0 for none. */
  readonly name: Uint32Array;
  readonly nameDocs: Postings;
  readonly lastNames: Dictionary;
  readonly lastNameGrams: GramIndex;
  readonly organizations: Dictionary;
  /** The distinct words of organization names, and per word the organization names that contain it. */
  readonly organizationWords: Dictionary;
  readonly organizationWordGrams: GramIndex;
  readonly organizationsOfWord: Postings;
  /** Per document: the number of its first name, 0 for none. */
  readonly firstName: Uint32Array;
  readonly firstNameDocs: Postings;
  readonly firstNames: Dictionary;
  readonly firstNameGrams: GramIndex;
  readonly records: RecordReader;
  readonly centroids: CentroidGrid;
  readonly file: SectionFile;
  readonly #npiOrder: Uint32Array;
  readonly #npiBuckets: Uint32Array;
  readonly #firstBucket: number;

  /** Throws SnapshotFormatError where the bytes are no snapshot that this program reads. */
  constructor(buffer: SharedArrayBuffer) {
    const file = new SectionFile(buffer);
    this.file = file;
    this.metadata = parseMetadata(file.bytes("metadata"));
    this.npi = file.uint32("npi");
    this.count = this.npi.length;
    this.kinds = new Kinds(file);
    this.cities = Dictionary.open(file, "city");
    this.places = new Places(file, this.cities);
    this.taxonomy = file.uint16("taxonomy");
    this.taxonomies = Dictionary.open(file, "taxonomy");
    this.taxonomyNames = parseTaxonomyNames(file);
    this.taxonomyDocs = openPostings(file, "taxonomy.docs");
    this.name = file.uint32("name");
    this.nameDocs = openPostings(file, "name.docs");
    this.lastNames = Dictionary.open(file, "last");
    this.lastNameGrams = new GramIndex(file, "last", this.lastNames);
    this.organizations = Dictionary.open(file, "organization");
    this.organizationWords = Dictionary.open(file, "word");
    this.organizationWordGrams = new GramIndex(
      file,
      "word",
      this.organizationWords,
    );
    this.organizationsOfWord = openPostings(file, "word.names");
    this.firstName = file.uint32("first");
    this.firstNameDocs = openPostings(file, "first.docs");
    this.firstNames = Dictionary.open(file, "first");
    this.firstNameGrams = new GramIndex(file, "first", this.firstNames);
    this.records = new RecordReader(file);
    this.centroids = openCentroids(file);
    this.#npiOrder = file.uint32("npi.order");
    this.#npiBuckets = file.uint32("npi.buckets");
    this.#firstBucket =
      this.count === 0 ? 0 : this.npi[this.#npiOrder[0]!]! >>> NPI_BUCKET_BITS;
  }

  /** The document of an NPI, or -1. */
  find(npi: number): number {
    const bucket = (npi >>> NPI_BUCKET_BITS) - this.#firstBucket;
    if (bucket < 0 || bucket >= this.#npiBuckets.length - 1) return -1;
    let low = this.#npiBuckets[bucket]!;
    let high = this.#npiBuckets[bucket + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.npi[this.#npiOrder[middle]!]! < npi) low = middle + 1;
      else high = middle;
    }
    const doc = this.#npiOrder[low];
    return doc !== undefined && this.npi[doc] === npi ? doc : -1;
  }
}

/** A section's JSON; the section's checksum stands for its shape. */
function parseTaxonomyNames(file: SectionFile): (string | null)[] {
  return JSON.parse(
    new TextDecoder().decode(file.bytes("taxonomy.names").slice()),
  );
}
