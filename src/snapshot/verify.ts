import { words } from "../text/fold.ts";
import { listGrams } from "./grams.ts";
import { KIND_BLOCK, KIND_COUNT, kindMask } from "./kinds.ts";
import { NumberSet } from "./number-set.ts";
import { countPieces } from "./count-pieces.ts";
import { organizationWords as wordsOf } from "./organization-words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { GramLists } from "./gram-table.ts";
import type { NameField } from "./name-field.ts";
import { groupItems, openPostings, type Postings } from "./postings.ts";
import { lowerBound } from "./sorted.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Checks a whole snapshot: every section's checksum, then that what searches rely on holds: the order of documents,
 * places, dictionaries and lists, and that lists, counts and columns say the same. Returns the faults, one sentence each.
 */
export function verifySnapshot(snapshot: Snapshot): string[] {
  const corrupt = snapshot.file.corruptSections();
  if (corrupt.length > 0)
    return corrupt.map(
      (name) => `Section "${name}" does not match its checksum.`,
    );
  const {
    cities,
    firstNames,
    lastNames,
    organizations,
    organizationWords,
    taxonomies,
  } = snapshot;
  return Object.entries({
    "There are as many documents as the metadata says":
      snapshot.count === snapshot.metadata.counts.providers,
    "Every NPI leads to its own document": everyNpiIsFound(snapshot),
    "Documents stand by NPI within a place": documentsAreOrdered(snapshot),
    "Places stand by state, city and ZIP": placesAreOrdered(snapshot),
    "Cities stand by their folded values": isSorted(cities),
    "Taxonomies stand by their folded values": isSorted(taxonomies),
    "Last names stand by their folded values": isSorted(lastNames),
    "First names stand by their folded values": isSorted(firstNames),
    "Organization names stand by their folded values": isSorted(organizations),
    "Words stand by their folded values": isSorted(organizationWords),
    "The lists of taxonomies are those of the column": areListsOf(
      snapshot.taxonomyDocs,
      snapshot.taxonomy,
    ),
    "The lists of names are those of the column": areListsOf(
      snapshot.nameDocs,
      snapshot.name,
    ),
    "The lists of first names are those of the column": areListsOf(
      snapshot.firstNameDocs,
      snapshot.firstName,
    ),
    "The lists of words are those of the organization names":
      areWordListsRight(snapshot),
    "The grams of last names are those of the dictionary": areGramsOf(
      snapshot.lastNameField,
      lastNames,
    ),
    "The grams of first names are those of the dictionary": areGramsOf(
      snapshot.firstNameField,
      firstNames,
    ),
    "The grams of words are those of the dictionary": areGramsOf(
      snapshot.organizationWordField,
      organizationWords,
    ),
    "The pieces are those of the names": arePiecesRight(snapshot),
    "The lists of cities are those of the places": isSamePostings(
      openPostings(snapshot.file, "city.places"),
      groupItems(snapshot.places.city, cities.count),
    ),
    "The lists of ZIPs are those of the places": isSamePostings(
      openPostings(snapshot.file, "zip.places"),
      placesByZip(snapshot),
    ),
    "The counts of kinds are those of the column": areKindCountsRight(snapshot),
    "The sets of kinds are those of the column": areKindSetsRight(snapshot),
    "Records follow each other": recordsFollowEachOther(snapshot),
  })
    .filter(([, holds]) => !holds)
    .map(([claim]) => `This does not hold: ${claim}.`);
}

function placesByZip({ file, places }: Snapshot): Postings {
  const zips = file.uint32("zip.numbers");
  const numbers = places.zip.map((zip) =>
    zip === 0 ? 0 : lowerBound(zips, zip - 1) + 1,
  );
  return groupItems(numbers, zips.length);
}

function isSamePostings(some: Postings, others: Postings): boolean {
  return isSame(some.starts, others.starts) && isSame(some.items, others.items);
}

function everyNpiIsFound(snapshot: Snapshot): boolean {
  return snapshot.npi.every((npi, doc) => snapshot.find(npi) === doc);
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

function isSorted({ bytes, count, offsets }: Dictionary): boolean {
  for (let number = 2; number <= count; number++) {
    const before = Buffer.from(
      bytes.buffer,
      bytes.byteOffset + offsets[number - 1]!,
      offsets[number]! - offsets[number - 1]!,
    );
    const own = Buffer.from(
      bytes.buffer,
      bytes.byteOffset + offsets[number]!,
      offsets[number + 1]! - offsets[number]!,
    );
    if (Buffer.compare(before, own) >= 0) return false;
  }
  return true;
}

/** Whether the lists hold each document once, ascending, under the number that its column has. */
function areListsOf(
  { items, starts }: Postings,
  column: Uint32Array | Uint16Array,
): boolean {
  for (let number = 1; number < starts.length - 1; number++) {
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      if (
        column[items[at]!] !== number ||
        (at > starts[number]! && items[at - 1]! >= items[at]!)
      )
        return false;
    }
  }
  let numbered = 0;
  for (let doc = 0; doc < column.length; doc++)
    if (column[doc] !== 0) numbered++;
  return numbered === items.length;
}

function areKindCountsRight({ count, kinds }: Snapshot): boolean {
  for (let kind = 0; kind < KIND_COUNT; kind++) {
    let seen = 0;
    for (let doc = 0; doc < count; doc++) {
      if (doc % KIND_BLOCK === 0 && kinds.count(0, doc, 1 << kind) !== seen)
        return false;
      if (kinds.column[doc] === kind) seen++;
    }
    if (kinds.count(0, count, 1 << kind) !== seen) return false;
  }
  return true;
}

function areKindSetsRight({ count, kinds }: Snapshot): boolean {
  const masks = [
    kindMask("individual", undefined),
    kindMask("organization", undefined),
    kindMask(undefined, "deactivated"),
    kindMask(undefined, "active"),
  ];
  return masks.every((mask) => {
    const docs = new NumberSet(count);
    docs.bits.fill(0xffff_ffff);
    kinds.restrict(docs, mask);
    for (let doc = 0; doc < count; doc++) {
      if (docs.has(doc) !== (((mask >>> kinds.column[doc]!) & 1) === 1))
        return false;
    }
    return true;
  });
}

/** Whether each document is in the lists of the distinct words of its organization's name, and in no others. */
function areWordListsRight({
  lastNames,
  name,
  organizations,
  organizationWordField,
  organizationWords,
}: Snapshot): boolean {
  const { items, starts } = organizationWordField.docs;
  let expected = 0;
  for (const number of name) {
    if (number > lastNames.count)
      expected += new Set(words(organizations.folded(number - lastNames.count)))
        .size;
  }
  if (expected !== items.length) return false;
  for (let word = 1; word <= organizationWords.count; word++) {
    const text = ` ${organizationWords.folded(word)} `;
    let named = 0;
    for (let at = starts[word]!; at < starts[word + 1]!; at++) {
      const doc = items[at]!;
      if (at > starts[word]! && items[at - 1]! >= doc) return false;
      if (name[doc] === named) continue;
      named = name[doc]!;
      if (named <= lastNames.count) return false;
      const organization = organizations.folded(named - lastNames.count);
      if (!` ${organization} `.includes(text)) return false;
    }
  }
  return true;
}

function areGramsOf(
  { docs, grams }: NameField,
  dictionary: Dictionary,
): boolean {
  const { begin, inside } = listGrams(dictionary, docs.starts);
  return (
    areSameLists(grams.sections.inside, inside) &&
    areSameLists(grams.sections.begin, begin)
  );
}

function areSameLists(some: GramLists, others: GramLists): boolean {
  return (
    isSame(some.grams, others.grams) &&
    isSame(some.starts, others.starts) &&
    isSame(some.counts, others.counts) &&
    isSame(some.docs, others.docs) &&
    isSame(some.lists, others.lists)
  );
}

function arePiecesRight(snapshot: Snapshot): boolean {
  const stored = snapshot.pieces.all();
  for (const { number, piece } of countPieces({
    name: snapshot.name,
    first: snapshot.firstName,
    lasts: snapshot.lastNames,
    firsts: snapshot.firstNames,
    words: snapshot.organizationWords,
    uses: wordsOf(snapshot.organizations).uses,
  })) {
    const next = stored.next();
    if (next.done === true || next.value.number !== number) return false;
    const held = next.value.piece;
    const isRight =
      held.docCount === piece.docCount &&
      isSame(held.counts, piece.counts) &&
      (held.docs === null) === (piece.docs === null) &&
      (held.docs === null ||
        piece.docs === null ||
        isSame(held.docs.bits, piece.docs.bits));
    if (!isRight) return false;
  }
  return stored.next().done === true;
}

function isSame(
  some: Uint8Array | Uint16Array | Uint32Array,
  others: Uint8Array | Uint16Array | Uint32Array,
): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}

/** Each record begins where the one before it ends, and the last ends with the section. */
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
