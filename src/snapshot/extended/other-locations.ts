import { NumberList } from "../bytes/growable.ts";
import { groupValues, itemsOf, type Postings } from "../postings/postings.ts";
import { indexIn, lowerBound, sortedDistinct } from "../bytes/sorted.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { orderByDoc } from "./doc-order.ts";

const SECTIONS = EXTENDED_SECTIONS.locations;
const MAX_PER_DOC = 0x10000;

/** Locations under construction, by provider number; `docs` maps provider numbers to documents. */
export class OtherLocationsDraft {
  readonly #providers = new NumberList();
  readonly #zips = new NumberList();
  readonly #indexes = new NumberList();

  /** Adds a location; `index` is its index among all of the provider's locations. */
  add(provider: number, zip: number, index: number): void {
    if (zip < 0 || index >= MAX_PER_DOC) return;
    this.#providers.push(provider);
    this.#zips.push(zip);
    this.#indexes.push(index);
  }

  write(writer: SectionWriter, docs: Uint32Array): void {
    const order = orderByDoc(this.#providers.numbers, docs);
    const zipOf = this.#zips.numbers;
    const zips = order.rows.map((at) => zipOf[at]!);
    const numbers = sortedDistinct(zips.slice());
    writer.write(SECTIONS.docs, order.docs);
    writer.write(SECTIONS.zips, zips);
    const indexOf = this.#indexes.numbers;
    writer.write(
      SECTIONS.indexes,
      Uint16Array.from(order.rows, (at) => indexOf[at]!),
    );
    writer.write(SECTIONS.zipNumbers, numbers);
    writer.writeGroup(SECTIONS.byZip, groupValues(zips, numbers));
  }
}

/**
 * Secondary practice locations that have a ZIP (FORMAT.md, "Extended index"), numbered from 0 and ordered by document.
 */
export class OtherLocations {
  /** The document of each location, ascending. */
  readonly docs: Uint32Array;
  /** The ZIP of each location. */
  readonly zips: Uint32Array;
  /** Index of each location among all further locations of its provider, from 0. */
  readonly indexes: Uint16Array;
  /** The ZIPs of locations, ascending. */
  readonly zipNumbers: Uint32Array;
  /** The locations per index in `zipNumbers`, plus 1. */
  readonly byZip: Postings;

  constructor(sections: Sections) {
    this.docs = sections.get(SECTIONS.docs);
    this.zips = sections.get(SECTIONS.zips);
    this.indexes = sections.get(SECTIONS.indexes);
    this.zipNumbers = sections.get(SECTIONS.zipNumbers);
    this.byZip = openGroup(sections, SECTIONS.byZip);
  }

  /** Lists the locations with a ZIP, ascending. */
  ofZip(zip: number): Uint32Array {
    return itemsOf(this.byZip, indexIn(this.zipNumbers, zip) + 1);
  }

  /** Finds the first location of a document, or of the next one that has any. */
  firstFrom(doc: number): number {
    return lowerBound(this.docs, doc);
  }
}
