import { SECTIONS, type ArraysOf } from "../container/descriptors.ts";
import { BitSet } from "../bytes/bitset.ts";
import { groupItems, groupValues } from "../postings/postings.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** ZIPs have five digits. What a column of ZIPs plus one has for none is, less one, no number of a set of them. */
const ZIPS = 100_000;

/** The places in order, and the first document of each (FORMAT.md, "Places"). */
export type PlaceColumns = ArraysOf<typeof SECTIONS.places>;

/** Per document without a place: its city's entry, the first entry of what that city is compared as, the ZIP plus one. */
export type UnplacedColumns = ArraysOf<typeof SECTIONS.unplaced> & {
  comparedCity: Uint32Array;
};

/** Writes the sections of places, and the lists of places and loose documents by city and by ZIP. */
export function writePlaces(
  writer: SectionWriter,
  places: PlaceColumns,
  unplaced: UnplacedColumns,
  cityCount: number,
): void {
  writer.writeGroup(SECTIONS.places, places);
  writer.writeGroup(SECTIONS.unplaced, unplaced);
  writer.writeGroup(SECTIONS.cityPlaces, groupItems(places.city, cityCount));
  writer.writeGroup(
    SECTIONS.unplacedByCity,
    groupItems(unplaced.comparedCity, cityCount),
  );
  const zips = places.zip.map((zip) => zip - 1);
  const unplacedZips = unplaced.zip.map((zip) => zip - 1);
  const used = BitSet.of(ZIPS, zips);
  used.addAll(unplacedZips, 0, unplacedZips.length);
  const numbers = used.toArray();
  writer.write(SECTIONS.zipNumbers, numbers);
  writer.writeGroup(SECTIONS.zipPlaces, groupValues(zips, numbers));
  writer.writeGroup(SECTIONS.unplacedByZip, groupValues(unplacedZips, numbers));
}
