import { SECTIONS, type ArraysOf } from "../container/descriptors.ts";
import { groupItems } from "../postings/postings.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** The places in order, and the first document of each (FORMAT.md, "Places"). */
export type PlaceColumns = ArraysOf<typeof SECTIONS.places>;

/** Per document without a place: its city's entry, the first entry of what that city is compared as, the ZIP plus one. */
export type LooseColumns = ArraysOf<typeof SECTIONS.loose> & {
  comparedCity: Uint32Array;
};

/** Writes the sections of places, and the lists of places and loose documents by city and by ZIP. */
export function writePlaces(
  writer: SectionWriter,
  places: PlaceColumns,
  loose: LooseColumns,
  cityCount: number,
): void {
  writer.writeGroup(SECTIONS.places, places);
  writer.writeGroup(SECTIONS.loose, loose);
  writer.writeGroup(SECTIONS.cityPlaces, groupItems(places.city, cityCount));
  writer.writeGroup(
    SECTIONS.cityLoose,
    groupItems(loose.comparedCity, cityCount),
  );
  const zips = distinct(places.zip, loose.zip);
  const number = (zip: number): number => (zip === 0 ? 0 : zips.get(zip)!);
  writer.write(
    SECTIONS.zipNumbers,
    Uint32Array.from(zips.keys(), (zip) => zip - 1),
  );
  writer.writeGroup(
    SECTIONS.zipPlaces,
    groupItems(places.zip.map(number), zips.size),
  );
  writer.writeGroup(
    SECTIONS.zipLoose,
    groupItems(loose.zip.map(number), zips.size),
  );
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
