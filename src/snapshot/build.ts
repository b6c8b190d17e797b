import { ByteInterner } from "./byte-interner.ts";
import { writeCentroids, type Centroids } from "./centroids.ts";
import {
  Dictionary,
  draftDictionary,
  writeDictionary,
  type DictionaryDraft,
} from "./dictionary.ts";
import { foldCityBytes, type SnapshotDraft } from "./draft.ts";
import { writeGrams } from "./grams.ts";
import { withRoom } from "./growable.ts";
import { entityOf, isDeactivated, writeKinds } from "./kinds.ts";
import { layOut, type Layout } from "./layout.ts";
import { groupItems, writePostings } from "./postings.ts";
import { writeRecords } from "./record-writer.ts";
import { SectionWriter } from "./section-file.ts";
import { NPI_BUCKET_BITS } from "./snapshot.ts";
import { Entity } from "../registry/provider-row.ts";
import { RegistryFileError } from "../registry/registry-file-error.ts";
import type { SnapshotCounts, SnapshotMetadata } from "./metadata.ts";

const SPACE = 0x20;
const MAX_TAXONOMIES = 0xffff;

/** What a snapshot needs besides its rows. */
export interface BuildContext {
  /** All of the metadata but the counts, which come from the rows. */
  metadata: Omit<SnapshotMetadata, "counts">;
  /** The display name of a taxonomy code in upper case, or null. */
  taxonomyName: (code: string) => string | null;
  centroids: Centroids;
}

/** Lays a draft out in the snapshot's order and writes it to a new file at `path`. Returns the snapshot's metadata. */
export function buildSnapshot(
  draft: SnapshotDraft,
  context: BuildContext,
  path: string,
): SnapshotMetadata {
  refuseTaxonomies(draft.taxonomies.size - 1);
  using writer = new SectionWriter(path);
  const cities = draftDictionary(draft.cities, foldCityBytes);
  const layout = layOut(draft, cities);
  const metadata = { ...context.metadata, counts: countKinds(draft, layout) };
  writer.write("metadata", encodeJson(metadata));
  writeNpis(writer, draft, layout);
  writeKinds(
    writer,
    gather(draft.rows.kind, layout.rows, new Uint8Array(layout.rows.length)),
  );
  writeDictionary(writer, "city", cities);
  writePlaces(writer, layout);
  writeTaxonomies(writer, draft, layout, context.taxonomyName);
  writeNames(writer, draft, layout);
  writeRecords(writer, draft, cities, layout);
  writeCentroids(writer, context.centroids);
  writer.finish();
  return metadata;
}

/** The column of taxonomies has 16 bits. NUCC lists some nine hundred. */
function refuseTaxonomies(count: number): void {
  if (count <= MAX_TAXONOMIES) return;
  throw new RegistryFileError(
    `The rows name ${count} different taxonomy codes, and a snapshot holds ${MAX_TAXONOMIES} at most: the file is not what the registry publishes; get it anew.`,
  );
}

function writeNpis(
  writer: SectionWriter,
  draft: SnapshotDraft,
  { rows, docsByNpi }: Layout,
): void {
  const npi = gather(draft.rows.npi, rows, new Uint32Array(rows.length));
  writer.write("npi", npi);
  writer.write("npi.order", docsByNpi);
  const count = docsByNpi.length;
  const bucketOf = (index: number): number =>
    npi[docsByNpi[index]!]! >>> NPI_BUCKET_BITS;
  const firstBucket = count === 0 ? 0 : bucketOf(0);
  const buckets = new Uint32Array(
    count === 0 ? 1 : bucketOf(count - 1) - firstBucket + 2,
  );
  for (let index = 0; index < count; index++)
    buckets[bucketOf(index) - firstBucket + 1]!++;
  for (let bucket = 1; bucket < buckets.length; bucket++)
    buckets[bucket]! += buckets[bucket - 1]!;
  writer.write("npi.buckets", buckets);
}

function writePlaces(writer: SectionWriter, layout: Layout): void {
  const { places, loose, cityCount } = layout;
  writer.write("place.state", places.state);
  writer.write("place.city", places.city);
  writer.write("place.zip", places.zip);
  writer.write("place.starts", places.starts);
  writer.write("loose.city", loose.city);
  writer.write("loose.zip", loose.zip);
  writePostings(writer, "city.places", groupItems(places.city, cityCount));
  writePostings(
    writer,
    "city.loose",
    groupItems(loose.comparedCity, cityCount),
  );
  const zips = distinct(places.zip, loose.zip);
  const number = (zip: number): number => (zip === 0 ? 0 : zips.get(zip)!);
  writer.write(
    "zip.numbers",
    Uint32Array.from(zips.keys(), (zip) => zip - 1),
  );
  writePostings(
    writer,
    "zip.places",
    groupItems(places.zip.map(number), zips.size),
  );
  writePostings(
    writer,
    "zip.loose",
    groupItems(loose.zip.map(number), zips.size),
  );
}

function writeTaxonomies(
  writer: SectionWriter,
  draft: SnapshotDraft,
  { rows }: Layout,
  nameOf: BuildContext["taxonomyName"],
): void {
  const codes = draftDictionary(draft.taxonomies);
  const dictionary = new Dictionary(codes.bytes, codes.offsets);
  const names = Array.from({ length: dictionary.count + 1 }, (_, number) => {
    const code = dictionary.spelling(number);
    return code === null ? null : nameOf(code.toUpperCase());
  });
  const column = new Uint16Array(rows.length);
  for (let doc = 0; doc < rows.length; doc++)
    column[doc] = codes.numbers[draft.rows.taxonomy[rows[doc]!]!]!;
  writeDictionary(writer, "taxonomy", codes);
  writer.write("taxonomy.names", encodeJson(names));
  writer.write("taxonomy", column);
  writePostings(writer, "taxonomy.docs", groupItems(column, dictionary.count));
}

function writeNames(
  writer: SectionWriter,
  draft: SnapshotDraft,
  { rows }: Layout,
): void {
  const last = writeNameDictionary(writer, "last", draft.lastNames);
  const first = writeNameDictionary(writer, "first", draft.firstNames);
  const organizations = draftDictionary(draft.organizations);
  writeDictionary(writer, "organization", organizations);
  writeOrganizationWords(writer, organizations);

  const lastCount = last.numbers.length - 1;
  const { kind, name } = draft.rows;
  const names = rows.map((row) => {
    const id = name[row]!;
    if (id === 0) return 0;
    return entityOf(kind[row]!) === Entity.individual
      ? last.numbers[id]!
      : lastCount + organizations.numbers[id]!;
  });
  writer.write("name", names);
  writePostings(
    writer,
    "name.docs",
    groupItems(names, lastCount + organizations.numbers.length - 1),
  );
  const firsts = rows.map((row) => first.numbers[draft.rows.first[row]!]!);
  writer.write("first", firsts);
  writePostings(
    writer,
    "first.docs",
    groupItems(firsts, first.numbers.length - 1),
  );
}

function writeNameDictionary(
  writer: SectionWriter,
  name: string,
  spellings: ByteInterner,
): DictionaryDraft {
  const draft = draftDictionary(spellings);
  writeDictionary(writer, name, draft);
  writeGrams(writer, name, new Dictionary(draft.bytes, draft.offsets));
  return draft;
}

/** The words of organization names, and per word the names that contain it. */
function writeOrganizationWords(
  writer: SectionWriter,
  organizations: DictionaryDraft,
): void {
  const names = new Dictionary(organizations.bytes, organizations.offsets);
  const interner = new ByteInterner();
  const uses = wordUses(names, interner);
  const words = draftDictionary(interner);
  writeDictionary(writer, "word", words);
  writeGrams(writer, "word", new Dictionary(words.bytes, words.offsets));
  const byUse = groupItems(
    uses.words.map((id) => words.numbers[id]!),
    interner.size - 1,
  );
  writePostings(writer, "word.names", {
    starts: byUse.starts,
    items: byUse.items.map((use) => uses.names[use]!),
  });
}

/** Each word of each name, once per name, names ascending. */
function wordUses(
  names: Dictionary,
  interner: ByteInterner,
): { words: Uint32Array; names: Uint32Array } {
  const { bytes, offsets } = names;
  let words: Uint32Array = new Uint32Array(names.count * 4);
  let users: Uint32Array = new Uint32Array(names.count * 4);
  /** Per word the name that used it last. */
  let lastUser: Uint32Array = new Uint32Array(1024);
  let count = 0;
  for (let number = 1; number <= names.count; number++) {
    const end = names.foldedEnd(number);
    for (let start = offsets[number]!; start < end;) {
      let wordEnd = start;
      while (wordEnd < end && bytes[wordEnd] !== SPACE) wordEnd++;
      const word = interner.intern(bytes, start, wordEnd);
      start = wordEnd + 1;
      lastUser = withRoom(lastUser, word + 1);
      if (lastUser[word] === number) continue;
      lastUser[word] = number;
      words = withRoom(words, count + 1);
      users = withRoom(users, count + 1);
      words[count] = word;
      users[count++] = number;
    }
  }
  return { words: words.subarray(0, count), names: users.subarray(0, count) };
}

function countKinds(draft: SnapshotDraft, { rows }: Layout): SnapshotCounts {
  const counts = {
    providers: rows.length,
    individuals: 0,
    organizations: 0,
    deactivated: 0,
    withheld: 0,
  };
  for (const row of rows) {
    const kind = draft.rows.kind[row]!;
    const entity = entityOf(kind);
    if (entity === Entity.individual) counts.individuals++;
    else if (entity === Entity.organization) counts.organizations++;
    else counts.withheld++;
    if (isDeactivated(kind)) counts.deactivated++;
  }
  return counts;
}

/** The distinct values but 0, ascending, each with its place from 1 on. */
function distinct(...columns: Uint32Array[]): Map<number, number> {
  const values = new Set<number>();
  for (const column of columns)
    for (const value of column) if (value !== 0) values.add(value);
  return new Map(
    [...values].sort((a, b) => a - b).map((value, index) => [value, index + 1]),
  );
}

/** The rows' values of a column, in the order of the rows, in `target`. */
function gather<T extends Uint8Array | Uint32Array>(
  column: T,
  rows: Uint32Array,
  target: T,
): T {
  for (let doc = 0; doc < rows.length; doc++) target[doc] = column[rows[doc]!]!;
  return target;
}

function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
