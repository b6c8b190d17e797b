import { withRoom } from "../bytes/growable.ts";
import { release } from "../bytes/once.ts";
import { lowerBound } from "../bytes/sorted.ts";
import type { AddressListSections } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { groupItems, type Postings } from "../postings/postings.ts";
import { NO_ZIP4, type ReadAddress } from "./areas.ts";
import { orderByDoc } from "./doc-order.ts";

/** The sections of a list; with `owners`, items are addresses, without, they are documents. */
export type ListSections = AddressListSections & {
  readonly owners?: Section<Uint32Array>;
};

/** Addresses under construction, by provider number; `docs` maps provider numbers to documents. */
export class AddressListDraft {
  /** Null if a provider has at most one address, which then has the provider's number. */
  #providers: Uint32Array | null;
  #count = 0;
  #areas: Uint32Array = new Uint32Array(0);
  #zip4s: Uint16Array = new Uint16Array(0);

  constructor(addressesPerProvider: "one" | "any") {
    this.#providers =
      addressesPerProvider === "one" ? null : new Uint32Array(0);
  }

  add(provider: number, { area, zip4 }: ReadAddress): void {
    if (area === 0) return;
    const at = this.#providers === null ? provider : this.#count;
    this.#count = Math.max(this.#count, at + 1);
    this.#areas = withRoom(this.#areas, this.#count);
    this.#zip4s = withRoom(this.#zip4s, this.#count);
    this.#areas[at] = area;
    this.#zip4s[at] = zip4;
    if (this.#providers === null) return;
    this.#providers = withRoom(this.#providers, this.#count);
    this.#providers[at] = provider;
  }

  /**
   * Writes the list. `areas` has the number in the file of each area; `docCount` is the number of documents of the
   * snapshot. Without `docs`, providers have the numbers of documents. The sections have `owners` if a provider can
   * have several addresses.
   */
  write(
    writer: SectionWriter,
    sections: ListSections,
    docs: Uint32Array | null,
    areas: Uint32Array,
    docCount: number,
  ): void {
    const { owners } = sections;
    const providers = this.#providers;
    if ((owners === undefined) !== (providers === null))
      throw new Error("Only several addresses of a document have owners");
    const length = providers === null ? docCount : this.#count;
    const area = new Uint32Array(length);
    const zip4 = new Uint16Array(length).fill(NO_ZIP4);
    const put = (from: number, to: number): void => {
      area[to] = areas[this.#areas[from]!]!;
      zip4[to] = this.#zip4s[from]!;
    };
    if (owners === undefined || providers === null) {
      for (let at = 0; at < this.#count; at++)
        if (this.#areas[at] !== 0) put(at, docs === null ? at : docs[at]!);
    } else {
      const order = orderByDoc(providers.subarray(0, this.#count), docs);
      order.rows.forEach(put);
      writer.write(owners, order.docs);
    }
    release(this.#areas, this.#zip4s);
    writer.write(sections.area, area);
    writer.write(sections.zip4, zip4);
    release(zip4);
    const byArea = groupItems(area, areas.length - 1);
    writer.writeGroup(sections.byArea, byArea);
    release(area, byArea.items);
  }
}

/** Addresses of documents (FORMAT.md, "Extended index"); items are addresses, or documents with one address each. */
export class AddressList {
  /** The document of each address, ascending; null if items are documents. */
  readonly owners: Uint32Array | null;
  /** The number of the area of each item; 0 for a document without an address. */
  readonly area: Uint32Array;
  readonly zip4: Uint16Array;
  /** The items of each area, ascending. */
  readonly byArea: Postings;

  constructor(sections: Sections, list: ListSections) {
    this.owners = list.owners === undefined ? null : sections.get(list.owners);
    this.area = sections.get(list.area);
    this.zip4 = sections.get(list.zip4);
    this.byArea = openGroup(sections, list.byArea);
  }

  /** Returns the document of an item. */
  docOf(item: number): number {
    return this.owners === null ? item : this.owners[item]!;
  }

  /** True if an item of a document passes a test. */
  someOf(doc: number, test: (item: number) => boolean): boolean {
    if (this.owners === null) return test(doc);
    const { owners } = this;
    for (let at = lowerBound(owners, doc); owners[at] === doc; at++)
      if (test(at)) return true;
    return false;
  }
}
