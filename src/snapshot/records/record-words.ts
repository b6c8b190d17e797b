import { ByteInterner } from "../bytes/byte-interner.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { withRoom } from "../bytes/growable.ts";
import { orderByKey } from "../bytes/radix-sort.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** The words that records' texts are made of, numbered in the order of first sight, and how often each is used. */
export class RecordWords {
  readonly #interner = new ByteInterner();
  #uses: Uint32Array = new Uint32Array(1);

  /** The number of a word that a record uses once more. */
  use(bytes: Uint8Array, start: number, end: number): number {
    const word = this.#interner.intern(bytes, start, end);
    if (word >= this.#uses.length) this.#uses = withRoom(this.#uses, word + 1);
    this.#uses[word]!++;
    return word;
  }

  /** Gives back the memory that only `use` needs, which must not be called any more. */
  close(): void {
    this.#interner.close();
  }

  /** Writes the sections of words, the most used ones first, and returns per word its new number. */
  write(writer: SectionWriter): Uint32Array {
    const { arena, offsets, size } = this.#interner;
    const rarity = new Uint32Array(size).map(
      (_, word) => 0xffffffff - this.#uses[word]!,
    );
    // The empty word keeps its 0, however often it is used.
    rarity[0] = 0;
    const order = orderByKey(rarity, size);
    const numbers = new Uint32Array(size);
    const bytes = new Uint8Array(offsets[size]!);
    const starts = new Uint32Array(size + 1);
    let to = 0;
    order.forEach((word, number) => {
      numbers[word] = number;
      for (let from = offsets[word]!; from < offsets[word + 1]!; from++)
        bytes[to++] = arena[from]!;
      starts[number + 1] = to;
    });
    writer.writeGroup(SECTIONS.words, { bytes, offsets: starts });
    return numbers;
  }

  /** Writes the sections of words: those of a snapshot under their old numbers, then the new ones. Returns per word its number. */
  writeBehind(writer: SectionWriter, base: Words): Uint32Array {
    const { arena, offsets, size } = this.#interner;
    const all = new ByteInterner(base.offsets.length + size);
    for (let word = 0; word + 1 < base.offsets.length; word++)
      all.intern(base.bytes, base.offsets[word]!, base.offsets[word + 1]!);
    const numbers = new Uint32Array(size).map((_, word) =>
      all.intern(arena, offsets[word]!, offsets[word + 1]!),
    );
    writer.writeGroup(SECTIONS.words, {
      bytes: all.arena.subarray(0, all.offsets[all.size]),
      offsets: all.offsets.subarray(0, all.size + 1),
    });
    return numbers;
  }
}

/** Words one after the other: word `n` is `bytes[offsets[n], offsets[n + 1])`. Word 0 is the empty one. */
export interface Words {
  bytes: Uint8Array;
  offsets: Uint32Array;
}
