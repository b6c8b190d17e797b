import { sortByKey } from "../bytes/radix-sort.ts";
import { writeDerived } from "../build/build.ts";
import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { allSections, type Item } from "../container/section.ts";
import { FORMAT_VERSION } from "../container/section-file.ts";
import { SectionWriter } from "../container/section-writer.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import { encodeJson } from "../metadata.ts";
import { CredentialCounter } from "../names/credential-words.ts";
import { readMiddleInitials } from "../names/middle-initials.ts";
import type { Snapshot, SnapshotView } from "../snapshot.ts";

/** The parts that the extended index has covered since its first version. */
const SEARCHABLE_PARTS = ["taxonomies", "other_names", "locations"] as const;

/**
 * Verifies a whole snapshot: all checksums, then the order, bounds, and agreement of its primary data, then that its
 * derived sections are what this program derives from that data. Files of an older format, whose sections were derived
 * by another program, end before the last step. Returns the faults, one sentence each.
 */
export function verifySnapshot(snapshot: Snapshot): string[] {
  const corrupt = snapshot.corruptSections();
  if (corrupt.length > 0)
    return corrupt.map(
      (name) => `Section "${name}" does not match its checksum.`,
    );
  const faults = failuresOf({
    ...primaryClaims(snapshot),
    "the extended index is the snapshot's": isExtendedIndexOwn(snapshot),
    "the details that are kept can be searched": areDetailsSearchable(snapshot),
  });
  return faults.length > 0 ? faults : differencesOf(snapshot);
}

/** Makes a sentence for each claim that is false. */
export function failuresOf(
  claims: Readonly<Record<string, boolean>>,
): string[] {
  return Object.entries(claims)
    .filter(([, holds]) => !holds)
    .map(([claim]) => `Check failed: ${claim}.`);
}

/** Finds the first section that was derived again and isn't in the file with the same bytes; null if all are. */
export function firstDifferent(
  { written }: SectionWriter,
  { entries }: Sections,
): string | null {
  const stored = new Map(entries.map((entry) => [entry.name, entry]));
  const different = written.find(({ bytes, crc, name }) => {
    const entry = stored.get(name);
    return entry?.bytes !== bytes || entry.crc !== crc;
  });
  return different?.name ?? null;
}

/** True if this program derives the same sections from the primary data as the one that wrote the file. */
export function isOfThisFormat({ sections }: SnapshotView): boolean {
  return sections.header.version === FORMAT_VERSION;
}

function differencesOf(snapshot: Snapshot): string[] {
  if (!isOfThisFormat(snapshot)) return [];
  const { firstName, kinds, name, npi, sections, taxonomy } = snapshot;
  const writer = new SectionWriter();
  writeCredentials(writer, snapshot);
  const primary = {
    npi,
    kind: kinds.column,
    taxonomy,
    name,
    first: firstName,
    taxonomies: openGroup(sections, SECTIONS.taxonomies),
    lastNames: openGroup(sections, SECTIONS.lastNames),
    firstNames: openGroup(sections, SECTIONS.firstNames),
    organizations: openGroup(sections, SECTIONS.organizations),
    cities: openGroup(sections, SECTIONS.cities),
    places: openGroup(sections, SECTIONS.places),
    unplaced: openGroup(sections, SECTIONS.unplaced),
  };
  writeDerived(writer, primary, () => {});
  const different = firstDifferent(writer, sections);
  return different === null
    ? []
    : [`Section "${different}" is not what the primary data gives.`];
}

function writeCredentials(
  writer: SectionWriter,
  { count, records }: Snapshot,
): void {
  const counter = new CredentialCounter();
  for (let doc = 0; doc < count; doc++) {
    records.open(doc);
    counter.count(records.bytes, records.start);
  }
  counter.write(writer, records.words);
}

/** Claims about the data that other sections are derived from, each with whether it is true. */
function primaryClaims(snapshot: Snapshot): Record<string, boolean> {
  const { cities, firstNames, lastNames, organizations, taxonomies } = snapshot;
  const { city, placedDocs, unplacedCity } = snapshot.places;
  return {
    "the metadata has the number of documents":
      snapshot.count === snapshot.metadata.counts.providers,
    "columns have one element for each document, place or n-gram":
      haveOneLength(snapshot.sections),
    "each document has another NPI": areDistinct(snapshot.npi),
    "each document has a place or is unplaced":
      placedDocs + unplacedCity.length === snapshot.count,
    "documents are ordered by NPI within a place":
      documentsAreOrdered(snapshot),
    "places are ordered by state, city and ZIP": placesAreOrdered(snapshot),
    "cities are ordered by folded value": isSorted(cities),
    "taxonomies are ordered by folded value": isSorted(taxonomies),
    "last names are ordered by folded value": isSorted(lastNames),
    "first names are ordered by folded value": isSorted(firstNames),
    "organization names are ordered by folded value": isSorted(organizations),
    "cities of places and documents are in their dictionary":
      areIn(cities.count, city) && areIn(cities.count, unplacedCity),
    "taxonomies of documents are in their dictionary": areIn(
      taxonomies.count,
      snapshot.taxonomy,
    ),
    "names of documents are in their dictionaries":
      areIn(lastNames.count + organizations.count, snapshot.name) &&
      areIn(firstNames.count, snapshot.firstName),
    "the middle initials match the records": areInitialsRight(snapshot),
    "records are contiguous": recordsFollowEachOther(snapshot),
  };
}

/** True if the extended index names this snapshot, or is inside of its file. */
function isExtendedIndexOwn({ extendedFile, metadata }: Snapshot): boolean {
  const section = EXTENDED_SECTIONS.metadata;
  if (extendedFile?.has(section) !== true) return true;
  const own = encodeJson({ id: metadata.id });
  return Buffer.from(own).equals(extendedFile.get(section));
}

function areDetailsSearchable({ extended, metadata }: Snapshot): boolean {
  const { locations, names, slots } = extended;
  const stored = { taxonomies: slots, other_names: names, locations };
  return SEARCHABLE_PARTS.every(
    (part) =>
      metadata.details?.includes(part) !== true || stored[part] !== null,
  );
}

/** True if all sections with one element per document, place, … have the same length. */
function haveOneLength(sections: Sections): boolean {
  const lengths = new Map<Item, number>();
  return allSections(SECTIONS).every((section) => {
    if (section.per === null || !sections.has(section)) return true;
    const { length } = sections.get(section);
    const known = lengths.get(section.per) ?? length;
    lengths.set(section.per, known);
    return length === known;
  });
}

function areDistinct(npis: Uint32Array): boolean {
  const { keys } = sortByKey(npis, npis.length);
  return keys.every((npi, at) => at === 0 || keys[at - 1]! < npi);
}

function documentsAreOrdered({ count, npi, places }: Snapshot): boolean {
  for (let place = 0; place <= places.count; place++) {
    const end = place < places.count ? places.starts[place + 1]! : count;
    for (let doc = places.starts[place]! + 1; doc < end; doc++) {
      if (npi[doc - 1]! >= npi[doc]!) return false;
    }
  }
  return true;
}

function placesAreOrdered({
  places: { city, count, starts, state, zip },
}: Snapshot): boolean {
  for (let place = 1; place < count; place++) {
    const before = place - 1;
    const order =
      state[before]! - state[place]! ||
      city[before]! - city[place]! ||
      zip[before]! - zip[place]!;
    if (order >= 0 || starts[before]! > starts[place]!) return false;
  }
  return true;
}

function isSorted(dictionary: Dictionary): boolean {
  for (let number = 2; number <= dictionary.count; number++) {
    const before = dictionary.entry(number - 1);
    if (Buffer.compare(before, dictionary.entry(number)) >= 0) return false;
  }
  return true;
}

/** True if all numbers are those of entries of a dictionary with `count`, or 0. */
function areIn(count: number, numbers: Uint16Array | Uint32Array): boolean {
  return numbers.every((number) => number <= count);
}

function areInitialsRight(snapshot: Snapshot): boolean {
  const { count, middleInitials, records } = snapshot;
  if (middleInitials === null) return true;
  const { column } = middleInitials;
  return Buffer.from(column.buffer, column.byteOffset, column.length).equals(
    readMiddleInitials(records, count),
  );
}

/** True if each record starts where the previous one ends, and the last one ends with the section. */
function recordsFollowEachOther({ count, records }: Snapshot): boolean {
  let end = 0;
  for (let doc = 0; doc < count; doc++) {
    records.open(doc);
    const prefix = records.start - end;
    if (prefix < 1 || prefix > 5 || records.length < 2) return false;
    end = records.start + records.length;
  }
  return end === records.bytes.length;
}
