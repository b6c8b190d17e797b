import { constants, zstdCompressSync } from "node:zlib";
import { ByteInterner } from "../snapshot/bytes/byte-interner.ts";
import { withRoom } from "../snapshot/bytes/growable.ts";
import { ByteWriter } from "./byte-writer.ts";
import { widthOf, writeHybrid } from "./hybrid.ts";
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

/** The values of a column in a row group, as they were written. */
interface ColumnChunk {
  readonly metadata: Thrift;
  /** The bytes before compression. */
  readonly uncompressed: number;
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

/** The values of a column in a row group. They are numbered as they come, so an equal value is kept once. */
export class ColumnValues {
  readonly #leaf: Leaf;
  #distinct = new ByteInterner();
  /** The number of each value. */
  #numbers: Uint32Array = new Uint32Array(0);
  #present = 0;
  /** The levels of values and nulls. Only lists have repetition levels. */
  #definitions: Uint8Array = new Uint8Array(0);
  #repetitions: Uint8Array = new Uint8Array(0);
  #count = 0;
  /** The bytes of all values, before equal ones are found. */
  #textBytes = 0;
  #hasEmpty = false;

  constructor(leaf: Leaf) {
    this.#leaf = leaf;
  }

  /** Adds the value `source[from, to)`. */
  add(source: Uint8Array, from: number, to: number, repetition: number): void {
    this.addNull(repetition, this.#leaf.definition);
    this.#numbers = withRoom(this.#numbers, this.#present + 1);
    this.#numbers[this.#present++] = this.#distinct.intern(source, from, to);
    this.#textBytes += to - from;
    if (from === to) this.#hasEmpty = true;
  }

  /** Adds a null, with the definition level of what is there. */
  addNull(repetition: number, definition: number): void {
    const count = this.#count++;
    this.#definitions = withRoom(this.#definitions, count + 1);
    this.#definitions[count] = definition;
    if (this.#leaf.lists === 0) return;
    this.#repetitions = withRoom(this.#repetitions, count + 1);
    this.#repetitions[count] = repetition;
  }

  /** Writes the values as a column chunk, and forgets them. `start` is the position of `out` in the file. */
  write(out: ByteWriter, start: number): ColumnChunk {
    const { kind, path } = this.#leaf;
    const pages = new Pages(out);
    const from = out.length;
    const isNumbered = this.#isNumbered();
    if (isNumbered) this.#writeDictionary(pages);
    const dataFrom = out.length;
    this.#writeData(pages, isNumbered);
    const metadata = struct({
      2: i64(start + from),
      3: struct({
        1: i32(TYPES[kind]),
        2: list([RLE, PLAIN, ...(isNumbered ? [RLE_DICTIONARY] : [])].map(i32)),
        3: list(path.map(text)),
        4: i32(ZSTD),
        5: i64(this.#count),
        6: i64(pages.uncompressed),
        7: i64(out.length - from),
        9: i64(start + dataFrom),
        11: isNumbered ? i64(start + from) : undefined,
        12: this.#statistics(),
      }),
    });
    this.#forget();
    return { metadata, uncompressed: pages.uncompressed };
  }

  /** True if a dictionary and numbers take less space than the values. Booleans have none. */
  #isNumbered(): boolean {
    const { offsets, size } = this.#distinct;
    const isDate = this.#leaf.kind === "date";
    const ofAll = (texts: number, count: number): number =>
      (isDate ? 0 : texts) + count * FOUR;
    const numbers = (this.#present * widthOf(size - 1)) / 8;
    return (
      this.#leaf.kind !== "boolean" &&
      ofAll(offsets[size]!, size) + numbers <
        ofAll(this.#textBytes, this.#present)
    );
  }

  #writeDictionary(pages: Pages): void {
    const { size } = this.#distinct;
    const body = pages.begin();
    for (let number = 0; number < size; number++)
      this.#writeValue(body, number);
    pages.end(DICTIONARY_PAGE, {
      7: struct({ 1: i32(size), 2: i32(PLAIN) }),
    });
  }

  #writeData(pages: Pages, isNumbered: boolean): void {
    const { definition, kind, lists } = this.#leaf;
    const numbers = this.#numbers;
    const body = pages.begin();
    if (lists > 0)
      writeLevels(body, this.#repetitions, this.#count, widthOf(lists));
    writeLevels(body, this.#definitions, this.#count, widthOf(definition));
    if (isNumbered) {
      const width = Math.max(1, widthOf(this.#distinct.size - 1));
      body.byte(width);
      writeHybrid(body, numbers, this.#present, width);
    } else if (kind === "boolean") this.#writeBooleans(body);
    else
      for (let i = 0; i < this.#present; i++)
        this.#writeValue(body, numbers[i]!);
    pages.end(DATA_PAGE, {
      5: struct({
        1: i32(this.#count),
        2: i32(isNumbered ? RLE_DICTIONARY : PLAIN),
        3: i32(RLE),
        4: i32(RLE),
      }),
    });
  }

  #writeBooleans(body: ByteWriter): void {
    const first = body.skip(Math.ceil(this.#present / 8));
    body.bytes.fill(0, first, body.length);
    for (let i = 0; i < this.#present; i++)
      if (this.#textOf(this.#numbers[i]!) === "true")
        body.bytes[first + (i >>> 3)]! |= 1 << (i & 7);
  }

  #writeValue(body: ByteWriter, number: number): void {
    if (this.#leaf.kind === "date") return body.low(this.#dayOf(number), FOUR);
    const { arena, offsets } = this.#distinct;
    const from = offsets[number]!;
    const to = offsets[number + 1]!;
    body.low(to - from, FOUR);
    body.raw(arena, from, to);
  }

  /** Counts the days since 1970-01-01 of a date; 0 for an empty text, which no value has. */
  #dayOf(number: number): number {
    return number === 0 ? 0 : Date.parse(this.#textOf(number)) / DAY_MS;
  }

  #textOf(number: number): string {
    const { arena, offsets } = this.#distinct;
    const [from, to] = [offsets[number]!, offsets[number + 1]!];
    return Buffer.from(arena.buffer, from, to - from).toString("latin1");
  }

  /** Describes the number of nulls, and the least and the greatest value unless they are long. */
  #statistics(): Thrift {
    let least = this.#hasEmpty ? 0 : 1;
    let greatest = least;
    const { size } = this.#distinct;
    for (let number = least + 1; number < size; number++)
      if (this.#compare(number, least) < 0) least = number;
      else if (this.#compare(number, greatest) > 0) greatest = number;
    const has =
      this.#present > 0 &&
      this.#leaf.kind !== "boolean" &&
      this.#lengthOf(least) <= MAX_STATISTIC &&
      this.#lengthOf(greatest) <= MAX_STATISTIC;
    return struct({
      3: i64(this.#count - this.#present),
      5: has ? binary(this.#plain(greatest)) : undefined,
      6: has ? binary(this.#plain(least)) : undefined,
    });
  }

  /** Returns a value as it is written, without a text's length. */
  #plain(number: number): Uint8Array {
    const body = new ByteWriter();
    this.#writeValue(body, number);
    return body.view().subarray(this.#leaf.kind === "date" ? 0 : FOUR);
  }

  #lengthOf(number: number): number {
    const { offsets } = this.#distinct;
    return offsets[number + 1]! - offsets[number]!;
  }

  /** Compares texts by their bytes, as Parquet does. The order of dates is that of their texts. */
  #compare(a: number, b: number): number {
    const { arena, offsets } = this.#distinct;
    const [from, other] = [offsets[a]!, offsets[b]!];
    const lengths = this.#lengthOf(a) - this.#lengthOf(b);
    const shared = this.#lengthOf(lengths < 0 ? a : b);
    for (let i = 0; i < shared; i++) {
      const difference = arena[from + i]! - arena[other + i]!;
      if (difference !== 0) return difference;
    }
    return lengths;
  }

  #forget(): void {
    const expected = this.#distinct.size;
    this.#distinct.free();
    this.#distinct = new ByteInterner(expected);
    this.#present = this.#count = this.#textBytes = 0;
    this.#hasEmpty = false;
  }
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
