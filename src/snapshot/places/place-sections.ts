import { SECTIONS } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import { BitSet } from "../bytes/bitset.ts";
import { groupItems, groupValues } from "../postings/postings.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** ZIPs have five digits. A column of ZIPs plus one has 0 for none; minus one, that is outside this range. */
const ZIPS = 100_000;

/** The places in order, and the first document of each (FORMAT.md, "Places"). */
export type PlaceColumns = ArraysOf<typeof SECTIONS.places>;

/** Per unplaced document: its city entry, the ZIP plus one. */
export type UnplacedColumns = ArraysOf<typeof SECTIONS.unplaced>;

/**
 * Writes the place sections, and the lists of places and unplaced documents by city and by ZIP. `firstSpelling` has the
 * first entry with the same compared city of each city.
 */
export function writePlaces(
  writer: SectionWriter,
  places: PlaceColumns,
  unplaced: UnplacedColumns,
  firstSpelling: Uint32Array,
): void {
  const cityCount = firstSpelling.length - 1;
  writer.writeGroup(SECTIONS.places, places);
  writer.writeGroup(SECTIONS.unplaced, unplaced);
  writer.writeGroup(SECTIONS.cityPlaces, groupItems(places.city, cityCount));
  writer.writeGroup(
    SECTIONS.unplacedByCity,
    groupItems(
      unplaced.city.map((city) => firstSpelling[city]!),
      cityCount,
    ),
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
