/**
 * Every section of the files in FORMAT.md: its name, the type of its elements, and what it has one element of. Writers,
 * readers and verify take all three from here; a test holds FORMAT.md to it. What is read and written together is a group,
 * in the order in which it is written.
 *
 * A new column of documents is one line in `SECTIONS`, `column: u16("column", "document")`, and one in FORMAT.md. Where it
 * may be missing, readers ask `sections.has` first.
 */

/** The typed arrays that a section may hold. */
export type SectionArray =
  Uint8Array | Uint16Array | Uint32Array | Float64Array;

interface Element<A extends SectionArray> {
  /** As FORMAT.md calls it. */
  readonly type: "f64" | "u16" | "u32" | "u8";
  readonly bytes: number;
  /** An array over `length` elements from byte `at` of a buffer on. */
  readonly view: (buffer: ArrayBufferLike, at: number, length: number) => A;
}

/** What a section may have one element of. */
export type Item =
  | "document"
  | "location"
  | "loose document"
  | "name"
  | "NPI"
  | "piece"
  | "place";

export interface Section<A extends SectionArray = SectionArray> {
  readonly name: string;
  readonly element: Element<A>;
  /** Sections of one file with an element per such a thing have one length; null for one whose length is its own. */
  readonly per: Item | null;
}

export type SectionGroup = Readonly<Record<string, Section>>;

/** The arrays of a group's sections, by the group's keys. */
export type ArraysOf<G extends SectionGroup> = {
  [K in keyof G]: G[K] extends Section<infer A> ? A : never;
};

type Kind<A extends SectionArray> = (name: string, per?: Item) => Section<A>;

export const u8 = kind("u8", 1, (...at): Uint8Array => new Uint8Array(...at));
export const u16 = kind(
  "u16",
  2,
  (...at): Uint16Array => new Uint16Array(...at),
);
export const u32 = kind(
  "u32",
  4,
  (...at): Uint32Array => new Uint32Array(...at),
);
export const f64 = kind(
  "f64",
  8,
  (...at): Float64Array => new Float64Array(...at),
);

/** The sections of a snapshot. */
export const SECTIONS = {
  metadata: u8("metadata"),
  npis: {
    npi: u32("npi", "document"),
    order: u32("npi.order", "document"),
    buckets: u32("npi.buckets"),
  },
  kind: u8("kind", "document"),
  kindBlocks: u32("kind.blocks"),
  kindBits: u32("kind.bits"),
  taxonomy: u16("taxonomy", "document"),
  ...taxonomies(),
  ...names("document"),
  cities: dictionary("city"),
  places: {
    state: u8("place.state", "place"),
    city: u32("place.city", "place"),
    zip: u32("place.zip", "place"),
    starts: u32("place.starts"),
  },
  loose: {
    city: u32("loose.city", "loose document"),
    zip: u32("loose.zip", "loose document"),
  },
  cityPlaces: postings("city.places"),
  cityLoose: postings("city.loose"),
  zipNumbers: u32("zip.numbers"),
  zipPlaces: postings("zip.places"),
  zipLoose: postings("zip.loose"),
  words: { bytes: u8("record.wordBytes"), offsets: u32("record.wordOffsets") },
  recordBytes: u8("record.bytes"),
  recordBlocks: u32("record.blocks"),
  centroids: {
    zips: u32("centroid.zips"),
    lat: f64("centroid.lat"),
    lng: f64("centroid.lng"),
    cellStarts: u32("centroid.cellStarts"),
    cellItems: u32("centroid.cellItems"),
  },
  /** Optional: holds a file of `EXTENDED_SECTIONS`. */
  scopes: u8("scopes"),
};

/** The sections of the file in the section `scopes`; each of the three parts may be missing. */
export const EXTENDED_SECTIONS = {
  taxonomies: taxonomies(),
  names: { owners: u32("name.owners", "name"), ...names("name") },
  locations: {
    docs: u32("location.docs", "location"),
    zips: u32("location.zips", "location"),
    indexes: u16("location.indexes", "location"),
    zipNumbers: u32("zip.numbers"),
    byZip: postings("zip.locations"),
  },
};

/** The sections of a details file. */
export const DETAILS_SECTIONS = {
  index: u32("index", "NPI"),
  superseded: u32("superseded"),
  taxonomyNames: u8("taxonomy.names"),
  metadata: u8("metadata"),
};

/** The section of a file of entries. */
export const ENTRIES_SECTIONS = { entries: u8("entries") };

export type DictionarySections = ReturnType<typeof dictionary>;
export type PostingsSections = ReturnType<typeof postings>;
export type NgramSections = ReturnType<typeof ngrams>;

function dictionary(name: string) {
  return { bytes: u8(`${name}.bytes`), offsets: u32(`${name}.offsets`) };
}

function postings(name: string) {
  return { starts: u32(`${name}.starts`), items: u32(`${name}.items`) };
}

function ngrams(name: string) {
  return {
    inside: ngramLists(`${name}.gram`),
    begin: ngramLists(`${name}.begin`),
  };
}

function ngramLists(prefix: string) {
  return {
    grams: u32(`${prefix}s`),
    starts: u32(`${prefix}Starts`),
    counts: u32(`${prefix}Counts`),
    docs: u32(`${prefix}Docs`),
    lists: u8(`${prefix}Lists`),
  };
}

function taxonomies() {
  return {
    taxonomies: dictionary("taxonomy"),
    taxonomyNames: u8("taxonomy.names"),
    taxonomyDocs: postings("taxonomy.docs"),
  };
}

/** The sections of a name index, in which each `item` has a name. */
function names(item: Item) {
  return {
    lastNames: dictionary("last"),
    firstNames: dictionary("first"),
    organizations: dictionary("organization"),
    organizationWords: dictionary("word"),
    name: u32("name", item),
    nameDocs: postings("name.docs"),
    first: u32("first", item),
    firstDocs: postings("first.docs"),
    wordDocs: postings("word.docs"),
    ngrams: {
      last: ngrams("last"),
      first: ngrams("first"),
      word: ngrams("word"),
    },
    pieces: {
      sets: u32("piece.sets"),
      numbers: u32("piece.numbers", "piece"),
      docs: u32("piece.docs", "piece"),
      counts: u16("piece.counts"),
    },
  };
}

function kind<A extends SectionArray>(
  type: Element<A>["type"],
  bytes: number,
  view: Element<A>["view"],
): Kind<A> {
  const element = { type, bytes, view };
  return (name, per) => ({ name, element, per: per ?? null });
}

export interface SectionTree {
  readonly [key: string]: Section | SectionTree;
}

/** All sections of groups and of groups of groups. */
export function allSections(tree: SectionTree): Section[] {
  return Object.values(tree).flatMap((each) =>
    isSection(each) ? [each] : allSections(each),
  );
}

function isSection(each: Section | SectionTree): each is Section {
  return typeof each.name === "string";
}
