/**
 * All sections of the files in FORMAT.md: name, purpose, element type, and what it has one element for. Writers,
 * readers, verify and `snapshots inspect` all use these; a test compares them with FORMAT.md. Sections that are read
 * and written together form a group, in file order.
 *
 * A new document column is one line in `SECTIONS`, `column: u16("column", "Its purpose.", "document")`, and one in its
 * chapter of FORMAT.md. If it can be missing, readers must call `sections.has` first.
 */

import { f64, u16, u32, u8, type Item } from "./section.ts";

/** The sections of a snapshot. */
export const SECTIONS = {
  metadata: u8(
    "metadata",
    "The snapshot's metadata: its ID, files, counts and details.",
  ),
  npis: {
    npi: u32("npi", "The NPI of each document.", "document"),
    order: u32("npi.order", "The documents by ascending NPI.", "document"),
    buckets: u32(
      "npi.buckets",
      "Where each block of NPIs starts in npi.order.",
    ),
  },
  kind: u8(
    "kind",
    "The type and status of each document: individual, organization or withheld; active or deactivated.",
    "document",
  ),
  kindBlocks: u32(
    "kind.blocks",
    "The documents of each kind before each block of 4,096, for totals and deep pages.",
  ),
  kindBits: u32(
    "kind.bits",
    "The individuals, organizations and deactivated providers as three sets.",
  ),
  taxonomy: u16(
    "taxonomy",
    "The primary taxonomy of each document.",
    "document",
  ),
  ...taxonomies("taxonomies"),
  /** Optional. */
  taxonomyTable: u8(
    "taxonomy.table",
    "The taxonomies of NUCC's table, as it was loaded.",
  ),
  ...names("document", "documents"),
  /** Optional. */
  middle: u8(
    "middle",
    "The initial of each document's middle name.",
    "document",
  ),
  /** Optional: files of version 2 lack it. */
  nameOrder: u32("name.order", "The documents by the name shown.", "document"),
  cities: dictionary("city", "cities"),
  places: {
    state: u8("place.state", "The state of each place.", "place"),
    city: u32("place.city", "The city of each place.", "place"),
    zip: u32("place.zip", "The ZIP code of each place.", "place"),
    starts: u32("place.starts", "The first document of each place."),
  },
  unplaced: {
    city: u32(
      "unplaced.city",
      "The city of each unplaced document.",
      "unplaced document",
    ),
    zip: u32(
      "unplaced.zip",
      "The ZIP code of each unplaced document.",
      "unplaced document",
    ),
  },
  cityPlaces: postings("city.places", "places", "city"),
  unplacedByCity: postings("city.unplaced", "unplaced documents", "city"),
  zipNumbers: u32("zip.numbers", "The ZIP codes that occur."),
  zipPlaces: postings("zip.places", "places", "ZIP code"),
  unplacedByZip: postings("zip.unplaced", "unplaced documents", "ZIP code"),
  words: {
    bytes: u8("record.wordBytes", "The words that records consist of."),
    offsets: u32("record.wordOffsets", "Where each of these words starts."),
  },
  recordBytes: u8(
    "record.bytes",
    "What records show in addition to the columns: address lines, dates, credentials.",
  ),
  recordBlocks: u32("record.blocks", "Where every 16th record starts."),
  /** Optional: files of version 2 lack both. */
  credentials: dictionary("credential", "words of credentials"),
  credentialCounts: u32(
    "credential.counts",
    "How many providers have each word in their credential.",
  ),
  centroids: {
    zips: u32("centroid.zips", "The ZIP codes with a known centroid."),
    lat: f64("centroid.lat", "The latitude of each centroid."),
    lng: f64("centroid.lng", "The longitude of each centroid."),
    cellStarts: u32(
      "centroid.cellStarts",
      "Where each cell of one degree starts in centroid.cellItems.",
    ),
    cellItems: u32("centroid.cellItems", "The centroids by cell, for nearby."),
  },
};

/** The sections of the extended index. Each part can be missing. */
export const EXTENDED_SECTIONS = {
  metadata: u8("metadata", "The file's metadata: its snapshot."),
  taxonomies: taxonomies("taxonomies of all slots"),
  names: {
    owners: u32("name.owners", "The document of each other name.", "name"),
    ...names("name", "other names"),
  },
  locations: {
    docs: u32("location.docs", "The document of each location.", "location"),
    zips: u32("location.zips", "The ZIP code of each location.", "location"),
    indexes: u16(
      "location.indexes",
      "The index of each location among its provider's in the details file.",
      "location",
    ),
    zipNumbers: u32("zip.numbers", "The ZIP codes that occur."),
    byZip: postings("zip.locations", "locations", "ZIP code"),
  },
  areas: {
    countries: dictionary("country", "countries of addresses"),
    states: dictionary("state", "states of addresses"),
    cities: dictionary("city", "cities of addresses"),
    postalCodes: dictionary(
      "postalCode",
      "postal codes that are not a ZIP code",
    ),
    state: u32("area.state", "The state of each area.", "area"),
    city: u32("area.city", "The city of each area.", "area"),
    zip: u32("area.zip", "The ZIP or postal code of each area.", "area"),
    country: u32("area.country", "The country of each area.", "area"),
    byCity: u32("area.byCity", "The areas by city.", "area"),
    byZip: u32("area.byZip", "The areas by ZIP or postal code.", "area"),
  },
  mailing: addressList("mailing", "mailing addresses", "document"),
  secondary: {
    owners: u32(
      "secondary.owners",
      "The document of each secondary practice address.",
      "secondary address",
    ),
    ...addressList(
      "secondary",
      "secondary practice addresses",
      "secondary address",
    ),
  },
  unusual: {
    owners: u32(
      "unusual.owners",
      "The document of each primary practice address outside of the 50 states and DC.",
    ),
    ...addressList(
      "unusual",
      "primary practice addresses outside of the 50 states and DC",
    ),
  },
  officials: {
    owners: u32(
      "official.owners",
      "The document of each authorized official.",
      "official",
    ),
    lastNames: dictionary("officialLast", "last names of officials"),
    firstNames: dictionary("officialFirst", "first names of officials"),
    name: u32(
      "official.last",
      "The last name of each authorized official.",
      "official",
    ),
    first: u32(
      "official.first",
      "The first name of each authorized official.",
      "official",
    ),
    nameDocs: postings("official.byLast", "authorized officials", "last name"),
    firstDocs: postings(
      "official.byFirst",
      "authorized officials",
      "first name",
    ),
  },
};

/** The sections of a details file. */
export const DETAILS_SECTIONS = {
  index: u32("index", "Where the details of each NPI are.", "NPI"),
  superseded: u32("superseded", "The entries that a later import replaced."),
  taxonomyNames: u8(
    "taxonomy.names",
    "The display names of the taxonomies in the details.",
  ),
  metadata: u8(
    "metadata",
    "The file's metadata: its snapshot, parts and files of entries.",
  ),
};

/** The section of an entry file. */
export const ENTRIES_SECTIONS = {
  entries: u8("entries", "The details of each provider in an import."),
};

export type AddressListSections = ReturnType<typeof addressList>;
export type DictionarySections = ReturnType<typeof dictionary>;
export type PostingsSections = ReturnType<typeof postings>;
export type NgramSections = ReturnType<typeof ngrams>;

/** Describes a dictionary. `entries` names its entries in purposes, as the parameters of the functions below do. */
function dictionary(name: string, entries: string) {
  return {
    bytes: u8(`${name}.bytes`, `The distinct ${entries}, sorted.`),
    offsets: u32(
      `${name}.offsets`,
      `Where each entry of ${name}.bytes starts.`,
    ),
  };
}

function postings(name: string, items: string, key: string) {
  return {
    starts: u32(`${name}.starts`, `Where the ${items} of each ${key} start.`),
    items: u32(`${name}.items`, `The ${items} by ${key}.`),
  };
}

function addressList(name: string, addresses: string, item?: Item) {
  return {
    area: u32(`${name}.area`, `The area of each of the ${addresses}.`, item),
    zip4: u16(
      `${name}.zip4`,
      `The four digits after the ZIP code of each of the ${addresses}.`,
      item,
    ),
    byArea: postings(`${name}.byArea`, addresses, "area"),
  };
}

function ngrams(name: string, entries: string, items: string) {
  return {
    inside: ngramLists(`${name}.ngram`, `in ${entries}`, items),
    begin: ngramLists(`${name}.begin`, `at the start of ${entries}`, items),
  };
}

function ngramLists(prefix: string, where: string, items: string) {
  return {
    ngrams: u32(`${prefix}s`, `The n-grams ${where}.`),
    starts: u32(
      `${prefix}Starts`,
      `Where the entries of each n-gram ${where} start.`,
    ),
    counts: u32(
      `${prefix}Counts`,
      `The number of entries of each n-gram ${where}.`,
    ),
    docs: u32(
      `${prefix}Docs`,
      `The number of ${items} of each n-gram ${where}.`,
    ),
    lists: u8(`${prefix}Lists`, `The entries of each n-gram ${where}.`),
  };
}

function taxonomies(which: string) {
  return {
    taxonomies: dictionary("taxonomy", `codes of the ${which}`),
    taxonomyNames: u8("taxonomy.names", `The display names of the ${which}.`),
    taxonomyDocs: postings("taxonomy.docs", "documents", "taxonomy"),
    /** Optional. */
    taxonomyCounts: u32(
      "taxonomy.counts",
      `The number of active individuals and organizations with each of the ${which}.`,
    ),
  };
}

/** Describes the sections of a name index with a name for each `item`. */
function names(item: Item, items: string) {
  return {
    lastNames: dictionary("last", "last names"),
    firstNames: dictionary("first", "first names"),
    organizations: dictionary("organization", "organization names"),
    organizationWords: dictionary("word", "words of organization names"),
    name: u32(
      "name",
      `The last name or organization name of each of the ${items}.`,
      item,
    ),
    nameDocs: postings("name.docs", items, "last name or organization name"),
    first: u32("first", `The first name of each of the ${items}.`, item),
    firstDocs: postings("first.docs", items, "first name"),
    wordDocs: postings("word.docs", items, "word of an organization name"),
    ngrams: {
      last: ngrams("last", "words of last names", items),
      first: ngrams("first", "words of first names", items),
      word: ngrams("word", "words of organization names", items),
    },
    frequentNgrams: {
      sets: u32(
        "frequentNgrams.sets",
        `The ${items} with each of the most frequent n-grams, as sets.`,
      ),
      numbers: u32(
        "frequentNgrams.numbers",
        "The frequent n-grams: words and prefixes of up to three bytes.",
        "frequent n-gram",
      ),
      docs: u32(
        "frequentNgrams.docs",
        `How many ${items} have each n-gram.`,
        "frequent n-gram",
      ),
      counts: u16(
        "frequentNgrams.counts",
        `How many of each block of 2,048 ${items} have each n-gram.`,
      ),
    },
  };
}
