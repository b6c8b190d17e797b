import { KIND_BLOCK, KIND_COUNT, kindMask } from "../postings/kinds.ts";
import { BitSet } from "../bytes/bitset.ts";
import { countFrequentNgrams } from "../ngrams/count-frequent-ngrams.ts";
import { readMiddleInitials } from "../names/middle-initials.ts";
import type { Names } from "../names/name-index.ts";
import { orderByName } from "../names/name-order.ts";
import { organizationWords as wordsOf } from "../names/organization-words.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import { groupValues } from "../postings/postings.ts";
import { countPrimaryTaxonomies } from "../postings/taxonomy-counts.ts";
import { nameClaims } from "./verify-names.ts";
import { extendedClaims } from "./verify-extended.ts";
import {
  areListsOf,
  haveOneLength,
  isSame,
  isSameGroup,
  isSorted,
} from "./verify-structures.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * Verifies a whole snapshot: all checksums, then everything that searches rely on: the order of documents, places,
 * dictionaries and lists, and that lists, counts and columns agree. Returns the faults, one sentence each.
 */
export function verifySnapshot(snapshot: Snapshot): string[] {
  const corrupt = snapshot.corruptSections();
  if (corrupt.length > 0)
    return corrupt.map(
      (name) => `Section "${name}" does not match its checksum.`,
    );
  const { cities, taxonomies } = snapshot;
  const ofNames = nameClaims(snapshot);
  const areNamesRight = Object.values(ofNames).every((holds) => holds);
  return Object.entries({
    "the metadata has the number of documents":
      snapshot.count === snapshot.metadata.counts.providers,
    "columns have one element for each document, place or n-gram":
      haveOneLength(snapshot.sections, SECTIONS),
    "every NPI is found at its document": everyNpiIsFound(snapshot),
    "documents are ordered by NPI within a place":
      documentsAreOrdered(snapshot),
    "places are ordered by state, city and ZIP": placesAreOrdered(snapshot),
    "cities are ordered by folded value": isSorted(cities),
    "taxonomies are ordered by folded value": isSorted(taxonomies),
    "the taxonomy lists match the taxonomy column": areListsOf(
      snapshot.taxonomyDocs,
      snapshot.taxonomy,
    ),
    "the taxonomy counts match the taxonomy column":
      areTaxonomyCountsRight(snapshot),
    ...ofNames,
    // Names are compared by the dictionaries' order.
    "the order by name matches the names":
      !areNamesRight || isNameOrderRight(snapshot),
    "the frequent n-grams match the names": areFrequentNgramsRight(snapshot),
    "the city lists match the places": areListsOf(
      openGroup(snapshot.sections, SECTIONS.cityPlaces),
      snapshot.places.city,
    ),
    "the ZIP lists match the places": isSameGroup(
      openGroup(snapshot.sections, SECTIONS.zipPlaces),
      groupValues(
        snapshot.places.zip.map((zip) => zip - 1),
        snapshot.sections.get(SECTIONS.zipNumbers),
      ),
    ),
    "the middle initials match the records": areInitialsRight(snapshot),
    "the kind counts match the kind column": areKindCountsRight(snapshot),
    "the kind sets match the kind column": areKindSetsRight(snapshot),
    "records are contiguous": recordsFollowEachOther(snapshot),
    ...extendedClaims(snapshot),
  })
    .filter(([, holds]) => !holds)
    .map(([claim]) => `Check failed: ${claim}.`);
}

function areTaxonomyCountsRight(snapshot: Snapshot): boolean {
  const { kinds, taxonomies, taxonomy, taxonomyCounts: stored } = snapshot;
  if (stored === null) return true;
  const counts = countPrimaryTaxonomies(taxonomies, taxonomy, kinds.column);
  return isSame(stored, counts);
}

function areInitialsRight(snapshot: Snapshot): boolean {
  const { count, middleInitials, records } = snapshot;
  if (middleInitials === null) return true;
  return isSame(middleInitials.column, readMiddleInitials(records, count));
}

function everyNpiIsFound(snapshot: Snapshot): boolean {
  return snapshot.npi.every((npi, doc) => snapshot.npiIndex.find(npi) === doc);
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
    const docs = new BitSet(count);
    docs.bits.fill(0xffff_ffff);
    kinds.restrict(docs, mask);
    for (let doc = 0; doc < count; doc++) {
      if (docs.has(doc) !== (((mask >>> kinds.column[doc]!) & 1) === 1))
        return false;
    }
    return true;
  });
}

function areFrequentNgramsRight(snapshot: Snapshot): boolean {
  const stored = snapshot.frequentNgrams.all();
  const words = {
    words: snapshot.organizationWords,
    uses: wordsOf(snapshot.organizations).uses,
  };
  for (const { number, ngram } of countFrequentNgrams(
    namesOf(snapshot),
    words,
  )) {
    const next = stored.next();
    if (next.done === true || next.value.number !== number) return false;
    const listed = next.value.ngram;
    const isRight =
      listed.docCount === ngram.docCount &&
      isSame(listed.counts, ngram.counts) &&
      (listed.docs === null) === (ngram.docs === null) &&
      (listed.docs === null ||
        ngram.docs === null ||
        isSame(listed.docs.bits, ngram.docs.bits));
    if (!isRight) return false;
  }
  return stored.next().done === true;
}

function isNameOrderRight(snapshot: Snapshot): boolean {
  const { nameOrder, npiIndex } = snapshot;
  return (
    nameOrder === null ||
    isSame(nameOrder, orderByName(namesOf(snapshot), npiIndex.order))
  );
}

function namesOf(snapshot: Snapshot): Names {
  const { firstName, firstNames, lastNames, name, organizations } = snapshot;
  return { name, first: firstName, firstNames, lastNames, organizations };
}

/** Whether each record starts where the previous one ends, and the last one ends with the section. */
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
