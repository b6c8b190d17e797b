import { lazily } from "../bytes/once.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
} from "../dictionary/dictionary.ts";
import { withRoom } from "../bytes/growable.ts";
import { groupItems } from "../postings/postings.ts";
import type { Postings } from "../postings/postings.ts";
import { countOtherTaxonomies } from "../postings/taxonomy-counts.ts";
import { sortByKey } from "../bytes/radix-sort.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import {
  openTaxonomyNames,
  writeTaxonomyCodes,
} from "../dictionary/taxonomy-names.ts";
import type { RecordTexts } from "./doc-order.ts";

const SECTIONS = EXTENDED_SECTIONS.taxonomies;

/** The taxonomies of non-primary slots (FORMAT.md, "Extended index"). */
export interface TaxonomySlots {
  readonly taxonomies: Dictionary;
  /** Display name by taxonomy number; null if unknown. */
  readonly taxonomyNames: readonly (string | null)[];
  /** Per taxonomy number, the documents that have it in such a slot. */
  readonly taxonomyDocs: Postings;
  /** Active providers per taxonomy number, as `countOtherTaxonomies` counts them; null if the file lacks them. */
  readonly taxonomyCounts: Uint32Array | null;
}

/** The snapshot's documents. */
interface PrimaryTaxonomies {
  /** The kind of each. */
  readonly kind: Uint8Array;
  /** The number of each one's primary taxonomy in the snapshot's dictionary. */
  readonly taxonomy: Uint16Array;
  readonly taxonomies: Dictionary;
}

/** Slots under construction, by provider number; `docs` maps provider numbers to documents. */
export class TaxonomySlotsDraft {
  readonly #codes = new ByteInterner();
  /** Code in upper case, by number. */
  readonly #upper: string[] = [""];
  #count = 0;
  #providers: Uint32Array = new Uint32Array(0);
  #numbers: Uint32Array = new Uint32Array(0);

  /** Adds a slot, whose taxonomy is text `code`. Those of one provider must be added in a row. */
  add(
    provider: number,
    { bytes, ends, starts }: RecordTexts,
    code: number,
  ): void {
    const start = starts[code]!;
    const end = ends[code]!;
    const number = this.#codes.intern(bytes, start, end);
    if (number === this.#upper.length)
      this.#upper.push(
        Buffer.from(bytes.subarray(start, end)).toString().toUpperCase(),
      );
    if (number === 0) return;
    const providers = this.#providers;
    for (let at = this.#count - 1; at >= 0 && providers[at] === provider; at--)
      if (this.#numbers[at] === number) return;
    this.#providers = withRoom(this.#providers, this.#count + 1);
    this.#numbers = withRoom(this.#numbers, this.#count + 1);
    this.#providers[this.#count] = provider;
    this.#numbers[this.#count++] = number;
  }

  /** Writes the slots, except those that repeat the document's primary taxonomy, ignoring case. */
  write(
    writer: SectionWriter,
    docs: Uint32Array,
    { kind, taxonomies, taxonomy }: PrimaryTaxonomies,
    nameOf: (code: string) => string | null,
  ): void {
    const codes = draftDictionary(this.#codes, taxonomies.folding);
    writeTaxonomyCodes(writer, codes, nameOf);
    const { numbers, primaries } = alike(this.#upper, taxonomies);
    const slotDocs = new Uint32Array(this.#count);
    const slotCodes = new Uint32Array(this.#count);
    let count = 0;
    for (let slot = 0; slot < this.#count; slot++) {
      const doc = docs[this.#providers[slot]!]!;
      const number = this.#numbers[slot]!;
      if (numbers[number] === primaries[taxonomy[doc]!]) continue;
      slotDocs[count] = doc;
      slotCodes[count++] = codes.numbers[number]!;
    }
    const { keys: docOfSlot, order } = sortByKey(slotDocs, count);
    const lists = groupItems(
      order.map((slot) => slotCodes[slot]!),
      countOf(codes),
    );
    const { items } = lists;
    for (let at = 0; at < items.length; at++)
      items[at] = docOfSlot[items[at]!]!;
    writer.writeGroup(SECTIONS.taxonomyDocs, lists);
    writer.write(
      SECTIONS.taxonomyCounts,
      countOtherTaxonomies(new Dictionary(codes), lists, kind),
    );
  }
}

/** Numbers upper-case codes and the spellings of a dictionary, so equal codes have equal numbers. */
function alike(
  codes: readonly string[],
  taxonomies: Dictionary,
): { numbers: Uint32Array; primaries: Uint32Array } {
  const known = new Map<string, number>();
  const numberOf = (code: string): number => {
    const number = known.get(code) ?? known.size;
    known.set(code, number);
    return number;
  };
  return {
    numbers: Uint32Array.from(codes, numberOf),
    primaries: Uint32Array.from({ length: taxonomies.count + 1 }, (_, number) =>
      numberOf(taxonomies.spelling(number)?.toUpperCase() ?? ""),
    ),
  };
}

/** Opens codes, names, and counts without the lists, which are large. */
export function openTaxonomySlots(sections: Sections): TaxonomySlots {
  return lazily<TaxonomySlots>({
    taxonomies: () => Dictionary.open(sections, SECTIONS.taxonomies),
    taxonomyNames: () => openTaxonomyNames(sections),
    taxonomyDocs: () => openGroup(sections, SECTIONS.taxonomyDocs),
    taxonomyCounts: () =>
      sections.has(SECTIONS.taxonomyCounts)
        ? sections.get(SECTIONS.taxonomyCounts)
        : null,
  });
}
