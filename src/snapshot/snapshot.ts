import { Dictionary } from "./dictionary.ts";
import { openGrams } from "./grams.ts";
import { Kinds } from "./kinds.ts";
import { Places } from "./places.ts";
import { openCentroids, type CentroidGrid } from "./centroids.ts";
import type { NameField } from "./name-field.ts";
import { Pieces } from "./pieces.ts";
import { NpiIndex } from "./npi-index.ts";
import { openPostings, type Postings } from "./postings.ts";
import { RecordReader } from "./records.ts";
import { SectionFile } from "./section-file.ts";
import { parseMetadata, type SnapshotMetadata } from "./metadata.ts";

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
  readonly lastNameField: NameField;
  readonly organizations: Dictionary;
  /** The distinct words of organization names. */
  readonly organizationWords: Dictionary;
  readonly organizationWordField: NameField;
  /** Per document: the number of its first name, 0 for none. */
  readonly firstName: Uint32Array;
  readonly firstNameDocs: Postings;
  readonly firstNames: Dictionary;
  readonly firstNameField: NameField;
  /** Pieces of names, over all three fields. */
  readonly pieces: Pieces;
  readonly records: RecordReader;
  readonly centroids: CentroidGrid;
  readonly file: SectionFile;
  readonly #npiIndex: NpiIndex;

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
    this.lastNameField = {
      grams: openGrams(file, "last", this.lastNames),
      docs: this.nameDocs,
    };
    this.organizations = Dictionary.open(file, "organization");
    this.organizationWords = Dictionary.open(file, "word");
    this.organizationWordField = {
      grams: openGrams(file, "word", this.organizationWords),
      docs: openPostings(file, "word.docs"),
    };
    this.firstName = file.uint32("first");
    this.firstNameDocs = openPostings(file, "first.docs");
    this.firstNames = Dictionary.open(file, "first");
    this.firstNameField = {
      grams: openGrams(file, "first", this.firstNames),
      docs: this.firstNameDocs,
    };
    this.pieces = new Pieces(file, this.count);
    this.records = RecordReader.open(file);
    this.centroids = openCentroids(file);
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

/** A section's JSON; the section's checksum stands for its shape. */
function parseTaxonomyNames(file: SectionFile): (string | null)[] {
  return JSON.parse(
    new TextDecoder().decode(file.bytes("taxonomy.names").slice()),
  );
}
