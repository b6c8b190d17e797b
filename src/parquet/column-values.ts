import { constants, zstdCompressSync } from "node:zlib";
import { ByteInterner } from "../snapshot/bytes/byte-interner.ts";
import { withRoom } from "../snapshot/bytes/growable.ts";
import { ByteWriter } from "./byte-writer.ts";
import { widthOf, writeHybrid, writePacked } from "./hybrid.ts";
import { binary, i32, i64, list, struct, text, type Thrift } from "./thrift.ts";

/** The kinds of values, each given as UTF-8: a date as `2026-11-29`, a boolean as `true` or `false`. */
export type ValueKind = "text" | "date" | "boolean";

/** A column of a file, in which a nested value has one for each of its members. */
export interface Leaf {
  /** The names of what it is nested in, and its own. */
  readonly path: readonly string[];
  readonly kind: ValueKind;
  /** The definition level of a value; lower ones say how much of its path is there. */
  readonly definition: number;
  /** The number of lists that it is nested in. */
  readonly lists: number;
}

/** The values of a column in a row group, as they were written: positions from the file's start, and bytes. */
export interface ColumnChunk {
  readonly start: number;
  /** The position of the values, or of their numbers, behind the dictionary. */
  readonly values: number;
  readonly bytes: number;
  /** The bytes before compression. */
  readonly uncompressed: number;
  /** The number of values and nulls, and of nulls. */
  readonly count: number;
  readonly nulls: number;
  readonly least: Uint8Array | undefined;
  readonly greatest: Uint8Array | undefined;
}

/** The numbers of Parquet's types. */
export const TYPES = { boolean: 0, date: 1, text: 6 } as const;
const PLAIN = 0;
const RLE = 3;
const RLE_DICTIONARY = 8;
const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;
const ZSTD = 6;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};

const DAY_MS = 86_400_000;
/** Longer texts are left out of statistics: readers compare them to skip row groups, where the start would do. */
const MAX_STATISTIC = 64;
/** The bytes of a date, or of a text's length. */
const FOUR = 4;
const LETTER_T = 0x74;
/** After this many values of a row group, it is known whether numbers pay. */
const PROBE = 10_000;

/**
 * The values of a column in a row group. Equal ones are kept once, with a number, until numbers take more space than
 * the values: then they are kept as they come, as for most columns of addresses.
 */
export class ColumnValues {
  readonly #leaf: Leaf;
  #isNumbered: boolean;
  #distinct = new ByteInterner();
  /** The number of each value, if they have any. */
  #numbers: Uint32Array = new Uint32Array(0);
  /** The values as they come, if they have no numbers. */
  readonly #plain = new ByteWriter();
  #present = 0;
  /** The bytes of all texts. */
  #textBytes = 0;
  /** The levels of values and nulls. Only lists have repetition levels. */
  #definitions: Uint8Array = new Uint8Array(0);
  #repetitions: Uint8Array = new Uint8Array(0);
  #count = 0;
  #extremes = new Extremes();

  constructor(leaf: Leaf) {
    this.#leaf = leaf;
    this.#isNumbered = leaf.kind !== "boolean";
  }

  /** Adds the value `source[from, to)`. */
  add(source: Uint8Array, from: number, to: number, repetition: number): void {
    this.addNull(repetition, this.#leaf.definition);
    const at = this.#present++;
    if (!this.#isNumbered) return this.#put(this.#plain, source, from, to);
    if (at === this.#numbers.length)
      this.#numbers = withRoom(this.#numbers, at + 1);
    this.#numbers[at] = this.#distinct.intern(source, from, to);
    this.#textBytes += to - from;
    if (from === to) this.#extremes.add(source, from, to);
    if (at === PROBE && !this.#isSmallerNumbered()) this.#endNumbers();
  }

  /** Adds a null, with the definition level of what is there. */
  addNull(repetition: number, definition: number): void {
    const count = this.#count++;
    if (count === this.#definitions.length) {
      this.#definitions = withRoom(this.#definitions, count + 1);
      this.#repetitions = withRoom(this.#repetitions, count + 1);
    }
    this.#definitions[count] = definition;
    if (this.#leaf.lists > 0) this.#repetitions[count] = repetition;
  }

  /** Writes the values as a column chunk, and forgets them. `start` is the position of `out` in the file. */
  write(out: ByteWriter, start: number): ColumnChunk {
    const pages = new Pages(out);
    const from = out.length;
    if (this.#isNumbered && !this.#isSmallerNumbered()) this.#endNumbers();
    if (this.#isNumbered) this.#writeDictionary(pages);
    const values = out.length;
    this.#writeData(pages);
    const chunk = {
      start: start + from,
      values: start + values,
      bytes: out.length - from,
      uncompressed: pages.uncompressed,
      count: this.#count,
      nulls: this.#count - this.#present,
      ...this.#statistics(),
    };
    this.#forget();
    return chunk;
  }

  /** Describes a chunk of this column that was written `shift` bytes before its place in the file. */
  describe(chunk: ColumnChunk, shift: number): Thrift {
    const { kind, path } = this.#leaf;
    const { greatest, least } = chunk;
    const isNumbered = chunk.values > chunk.start;
    const start = i64(chunk.start + shift);
    return struct({
      2: start,
      3: struct({
        1: i32(TYPES[kind]),
        2: list([RLE, PLAIN, ...(isNumbered ? [RLE_DICTIONARY] : [])].map(i32)),
        3: list(path.map(text)),
        4: i32(ZSTD),
        5: i64(chunk.count),
        6: i64(chunk.uncompressed),
        7: i64(chunk.bytes),
        9: i64(chunk.values + shift),
        11: isNumbered ? start : undefined,
        12: struct({
          3: i64(chunk.nulls),
          5: greatest && binary(greatest),
          6: least && binary(least),
        }),
      }),
    });
  }

  /** True if a dictionary and numbers take less space than the values. */
  #isSmallerNumbered(): boolean {
    const { offsets, size } = this.#distinct;
    const isDate = this.#leaf.kind === "date";
    const bytesOf = (texts: number, count: number): number =>
      (isDate ? 0 : texts) + count * FOUR;
    const numbers = (this.#present * widthOf(size - 1)) / 8;
    return (
      bytesOf(offsets[size]!, size) + numbers <
      bytesOf(this.#textBytes, this.#present)
    );
  }

  #endNumbers(): void {
    this.#isNumbered = false;
    const { arena, offsets } = this.#distinct;
    for (let i = 0; i < this.#present; i++) {
      const number = this.#numbers[i]!;
      this.#put(this.#plain, arena, offsets[number]!, offsets[number + 1]!);
    }
  }

  /** Writes a value as Parquet does without a dictionary; a boolean as a byte. */
  #put(to: ByteWriter, source: Uint8Array, from: number, end: number): void {
    const { kind } = this.#leaf;
    if (kind === "boolean") return to.byte(source[from] === LETTER_T ? 1 : 0);
    this.#extremes.add(source, from, end);
    if (kind === "date") return to.low(dayOf(source, from, end), FOUR);
    to.low(end - from, FOUR);
    to.raw(source, from, end);
  }

  #writeDictionary(pages: Pages): void {
    const { arena, offsets, size } = this.#distinct;
    const body = pages.begin();
    // Number 0 is the empty text's, whether it is a value or not.
    body.low(0, FOUR);
    for (let number = 1; number < size; number++)
      this.#put(body, arena, offsets[number]!, offsets[number + 1]!);
    pages.end(DICTIONARY_PAGE, {
      7: struct({ 1: i32(size), 2: i32(PLAIN) }),
    });
  }

  #writeData(pages: Pages): void {
    const { definition, kind, lists } = this.#leaf;
    const body = pages.begin();
    if (lists > 0)
      writeLevels(body, this.#repetitions, this.#count, widthOf(lists));
    writeLevels(body, this.#definitions, this.#count, widthOf(definition));
    if (this.#isNumbered) {
      const width = Math.max(1, widthOf(this.#distinct.size - 1));
      body.byte(width);
      writeHybrid(body, this.#numbers, this.#present, width);
    } else if (kind === "boolean")
      writePacked(body, this.#plain.bytes, 0, this.#present, 1);
    else body.raw(this.#plain.view());
    pages.end(DATA_PAGE, {
      5: struct({
        1: i32(this.#count),
        2: i32(this.#isNumbered ? RLE_DICTIONARY : PLAIN),
        3: i32(RLE),
        4: i32(RLE),
      }),
    });
  }

  /** Returns the least and the greatest value, unless they are long. */
  #statistics(): Pick<ColumnChunk, "greatest" | "least"> {
    const { greatest, least } = this.#extremes;
    const isShort =
      Math.max(least?.length ?? 0, greatest?.length ?? 0) <= MAX_STATISTIC;
    return {
      greatest: greatest && isShort ? this.#statistic(greatest) : undefined,
      least: least && isShort ? this.#statistic(least) : undefined,
    };
  }

  #statistic(value: Uint8Array): Uint8Array {
    if (this.#leaf.kind === "text") return value;
    const body = new ByteWriter();
    body.low(dayOf(value, 0, value.length), FOUR);
    return body.view().slice();
  }

  #forget(): void {
    const expected = this.#distinct.size;
    this.#distinct.free();
    this.#distinct = new ByteInterner(expected);
    this.#isNumbered = this.#leaf.kind !== "boolean";
    this.#plain.clear();
    this.#present = this.#count = this.#textBytes = 0;
    this.#extremes = new Extremes();
  }
}

/** The least and the greatest of texts by their bytes, as Parquet compares them. The order of dates is that of theirs. */
class Extremes {
  least: Uint8Array | null = null;
  greatest: Uint8Array | null = null;

  add(source: Uint8Array, from: number, to: number): void {
    if (this.least === null || compare(source, from, to, this.least) < 0)
      this.least = source.slice(from, to);
    if (this.greatest === null || compare(source, from, to, this.greatest) > 0)
      this.greatest = source.slice(from, to);
  }
}

function compare(
  source: Uint8Array,
  from: number,
  to: number,
  other: Uint8Array,
): number {
  const shared = Math.min(to - from, other.length);
  for (let i = 0; i < shared; i++) {
    const difference = source[from + i]! - other[i]!;
    if (difference !== 0) return difference;
  }
  return to - from - other.length;
}

/** Counts the days since 1970-01-01 of a date. */
function dayOf(source: Uint8Array, from: number, to: number): number {
  const { buffer, byteOffset } = source;
  const date = Buffer.from(buffer, byteOffset + from, to - from);
  return Date.parse(date.toString("latin1")) / DAY_MS;
}

/** Writes the pages of a column chunk: a header each, and a compressed body. */
class Pages {
  /** The bytes of headers and bodies before they were compressed. */
  uncompressed = 0;
  readonly #out: ByteWriter;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  /** Returns what the next page's body is to be written to. */
  begin(): ByteWriter {
    BODY.clear();
    return BODY;
  }

  end(type: number, fields: Readonly<Record<number, Thrift>>): void {
    const out = this.#out;
    const compressed = zstdCompressSync(BODY.view(), COMPRESSION);
    const from = out.length;
    struct({
      1: i32(type),
      2: i32(BODY.length),
      3: i32(compressed.length),
      ...fields,
    }).write(out);
    this.uncompressed += out.length - from + BODY.length;
    out.raw(compressed);
  }
}

/** The body of a page. Its memory is used for all pages of a thread. */
const BODY = new ByteWriter();

/** Writes levels with their length before them. */
function writeLevels(
  body: ByteWriter,
  levels: Uint8Array,
  count: number,
  width: number,
): void {
  const at = body.skip(FOUR);
  writeHybrid(body, levels, count, width);
  const { length } = body;
  body.length = at;
  body.low(length - at - FOUR, FOUR);
  body.length = length;
}
