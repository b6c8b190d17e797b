import { ByteInterner } from "./byte-interner.ts";
import { Dictionary, draftDictionary } from "./dictionary.ts";
import { withRoom } from "./growable.ts";
import {
  groupItems,
  itemsOf,
  openPostings,
  writePostings,
} from "./postings.ts";
import type { Postings } from "./postings.ts";
import { orderByKey } from "./radix-sort.ts";
import type { SectionFile } from "./section-file.ts";
import type { SectionWriter } from "./section-writer.ts";
import { openTaxonomyNames, writeTaxonomyCodes } from "./taxonomy-names.ts";

/** The taxonomies of slots that are not the primary one (FORMAT.md, "Scopes"). */
export interface TaxonomySlots {
  readonly taxonomies: Dictionary;
  /** Per taxonomy number its display name, null where none is known. */
  readonly taxonomyNames: readonly (string | null)[];
  /** Per taxonomy number the documents that have it in such a slot. */
  readonly taxonomyDocs: Postings;
}

/** Slots in the making, of providers by their numbers: `docs` tells the document of each. */
export class TaxonomySlotsDraft {
  readonly #codes = new ByteInterner();
  /** Per number its code in upper case. */
  readonly #upper: string[] = [""];
  #count = 0;
  #providers: Uint32Array = new Uint32Array(0);
  #numbers: Uint32Array = new Uint32Array(0);

  /** Adds a slot; those of a provider follow each other. */
  add(provider: number, bytes: Uint8Array, start: number, end: number): void {
    const number = this.#intern(bytes, start, end);
    if (number === 0) return;
    const providers = this.#providers;
    for (let at = this.#count - 1; at >= 0 && providers[at] === provider; at--)
      if (this.#numbers[at] === number) return;
    this.#push(provider, number);
  }

  /** Adds what providers have already, who are numbered like the documents there; only of those that stay. */
  addHeld(
    { taxonomies, taxonomyDocs }: TaxonomySlots,
    stays: (doc: number) => boolean,
  ): void {
    const { bytes, offsets } = taxonomies;
    for (let held = 1; held <= taxonomies.count; held++) {
      const number = this.#intern(
        bytes,
        taxonomies.spellingStart(held),
        offsets[held + 1]!,
      );
      for (const doc of itemsOf(taxonomyDocs, held))
        if (stays(doc)) this.#push(doc, number);
    }
  }

  /** Writes the slots but for those that say what the document's primary taxonomy says, given in upper case. */
  write(
    writer: SectionWriter,
    docs: Uint32Array,
    primaryOf: (doc: number) => string | null,
    nameOf: (code: string) => string | null,
  ): void {
    this.#codes.close();
    const codes = draftDictionary(this.#codes);
    writeTaxonomyCodes(writer, codes, nameOf);
    const slotDocs = this.#providers
      .subarray(0, this.#count)
      .map((provider) => docs[provider]!);
    const order = orderByKey(slotDocs, this.#count).filter(
      (slot) =>
        this.#upper[this.#numbers[slot]!] !== primaryOf(slotDocs[slot]!),
    );
    const slots = groupItems(
      order.map((slot) => codes.numbers[this.#numbers[slot]!]!),
      this.#codes.size - 1,
    );
    writePostings(writer, "taxonomy.docs", {
      starts: slots.starts,
      items: slots.items.map((at) => slotDocs[order[at]!]!),
    });
  }

  #intern(bytes: Uint8Array, start: number, end: number): number {
    const number = this.#codes.intern(bytes, start, end);
    if (number === this.#upper.length)
      this.#upper.push(
        Buffer.from(bytes.subarray(start, end)).toString().toUpperCase(),
      );
    return number;
  }

  #push(provider: number, number: number): void {
    const at = this.#count++;
    this.#providers = withRoom(this.#providers, this.#count);
    this.#numbers = withRoom(this.#numbers, this.#count);
    this.#providers[at] = provider;
    this.#numbers[at] = number;
  }
}

export function openTaxonomySlots(file: SectionFile): TaxonomySlots {
  return {
    taxonomies: Dictionary.open(file, "taxonomy"),
    taxonomyNames: openTaxonomyNames(file),
    taxonomyDocs: openPostings(file, "taxonomy.docs"),
  };
}
