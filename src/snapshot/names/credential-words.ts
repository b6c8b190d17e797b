import { words } from "../../text/fold.ts";
import { FOLDING } from "../../text/foldings.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { ByteReader } from "../bytes/varint.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import type { Sections } from "../container/sections.ts";
import { Dictionary, draftDictionary } from "../dictionary/dictionary.ts";
import { Has, type Words } from "../records/records.ts";

/** A letter says nothing: M of `M. D.`. */
const MIN_LETTERS = 2;
const FREQUENT_WORDS = 1 << 16;

/** The words of credentials, folded, and how many providers have each: MD and PHD of `M.D., Ph.D.`. */
export class CredentialWords {
  readonly #dictionary: Dictionary;
  readonly #counts: Uint32Array;

  constructor(sections: Sections) {
    this.#dictionary = Dictionary.open(sections, SECTIONS.credentials);
    this.#counts = sections.get(SECTIONS.credentialCounts);
  }

  /** Returns how many providers have a folded word; one that repeats it counts twice. */
  countOf(folded: string): number {
    const { from, to } = this.#dictionary.equalTo(Buffer.from(folded));
    return from < to ? this.#counts[from]! : 0;
  }
}

/** Counts the words of credentials while records are written. */
export class CredentialCounter {
  /** By number of a word of records: of the most frequent words in an array, which is faster. */
  readonly #frequent = new Uint32Array(FREQUENT_WORDS);
  readonly #others = new Map<number, number>();
  readonly #reader = new ByteReader();

  /** Counts the credential of the record that starts at a byte, without its length. */
  count(bytes: Uint8Array, start: number): void {
    const reader = this.#reader;
    reader.bytes = bytes;
    reader.at = start;
    const has = reader.two();
    if ((has & Has.credential) === 0) return;
    if (has & Has.citySpelling) reader.varint();
    if (has & Has.file) reader.varint();
    if (has & Has.middle) while (reader.varint() & 1);
    for (let more = 1; more === 1;) {
      const code = reader.varint();
      more = code & 1;
      const word = code >>> 1;
      if (word < FREQUENT_WORDS) this.#frequent[word]!++;
      else this.#others.set(word, (this.#others.get(word) ?? 0) + 1);
    }
  }

  /** Writes the sections. `words` are those of the records. */
  write(writer: SectionWriter, { bytes, offsets }: Words): void {
    const interner = new ByteInterner();
    const counts: number[] = [0];
    const all: (readonly [word: number, uses: number])[] = [];
    this.#frequent.forEach((uses, word) => {
      if (uses > 0) all.push([word, uses]);
    });
    for (const [word, uses] of [...all, ...this.#others]) {
      const text = Buffer.from(
        bytes.subarray(offsets[word], offsets[word + 1]),
      );
      for (const folded of words(FOLDING.fold(text.toString()))) {
        if (folded.length < MIN_LETTERS) continue;
        const entry = Buffer.from(folded);
        const id = interner.intern(entry, 0, entry.length);
        counts[id] = (counts[id] ?? 0) + uses;
      }
    }
    const { numbers, ...entries } = draftDictionary(interner);
    const sorted = new Uint32Array(counts.length);
    counts.forEach((count, id) => (sorted[numbers[id]!] = count));
    writer.writeGroup(SECTIONS.credentials, entries);
    writer.write(SECTIONS.credentialCounts, sorted);
  }
}
