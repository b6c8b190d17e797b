import { ByteWriter } from "./byte-writer.ts";
import {
  ColumnValues,
  TYPES,
  type ColumnChunk,
  type Leaf,
  type ValueKind,
} from "./column-values.ts";
import { i32, i64, list, struct, text, type Thrift } from "./thrift.ts";

/** The most rows of a row group, which is kept in memory. */
const GROUP_ROWS = 100_000;
/** The first and the last bytes of a file. */
export const MAGIC = new TextEncoder().encode("PAR1");
const FORMAT_VERSION = 1;
const OPTIONAL = i32(1);
const REPEATED = i32(2);
const LIST = i32(3);
/** The numbers of the types that say how values are to be read. */
const CONVERTED = { text: i32(0), date: i32(6), boolean: undefined };

/** The kind of a column's values, each of which can be null. */
export type Shape =
  | ValueKind
  | { readonly listOf: Shape }
  | { readonly members: readonly Column[] };

export interface Column {
  readonly name: string;
  readonly shape: Shape;
}

/** The values of a shape in a file: of the column itself, of its items, or of its members. */
export type ShapeValues =
  | ColumnValues
  | { readonly items: ShapeValues; readonly list: number }
  | { readonly members: readonly (readonly [string, ShapeValues])[] };

export interface ParquetOptions {
  readonly columns: readonly Column[];
  /** Names the program in the file. */
  readonly createdBy: string;
  /** Takes the next bytes of the file, which change after the call. */
  readonly write: (bytes: Uint8Array) => void;
}

interface RowGroup {
  readonly rows: number;
  /** By leaf. */
  readonly chunks: readonly ColumnChunk[];
  /** The bytes by which its chunks were moved since they were written. */
  readonly shift: number;
}

/** Rows that were written to a file without its end. */
export interface ParquetPart {
  readonly rows: number;
  readonly groups: readonly RowGroup[];
}

/**
 * Writes a Parquet file, a row group at a time: values compressed with zstd, by dictionaries where these are smaller,
 * with the least and the greatest of each row group. See https://parquet.apache.org/docs/file-format/.
 */
export class ParquetWriter {
  /** The number of rows so far. */
  rows = 0;
  /** The columns' values. Each needs a value or a null before `endRow`. */
  readonly values: readonly ShapeValues[];
  readonly #createdBy: string;
  readonly #write: ParquetOptions["write"];
  readonly #out = new ByteWriter();
  readonly #schema: Thrift[];
  readonly #leaves: ColumnValues[] = [];
  readonly #groups: RowGroup[] = [];
  #rowsInGroup = 0;
  /** The bytes that were passed on. */
  #written = 0;

  constructor({ columns, createdBy, write }: ParquetOptions) {
    this.#createdBy = createdBy;
    this.#write = write;
    this.#schema = [struct({ 4: text("schema"), 5: i32(columns.length) })];
    this.values = columns.map((column) => this.#add(column, ROOT));
    this.#out.raw(MAGIC);
  }

  endRow(): void {
    this.rows++;
    if (++this.#rowsInGroup === GROUP_ROWS) this.#writeGroup();
  }

  /** Writes what is left of the rows, and no end: another writer appends this file, which starts with `MAGIC`. */
  endPart(): ParquetPart {
    if (this.#rowsInGroup > 0) this.#writeGroup();
    else this.#flush();
    return { rows: this.rows, groups: this.#groups };
  }

  /** Appends rows of the same columns. The caller writes their file's `bytes` behind `MAGIC` to this one. */
  append({ groups, rows }: ParquetPart, bytes: number): void {
    const shift = this.#written - MAGIC.length;
    this.#groups.push(...groups.map((group) => ({ ...group, shift })));
    this.rows += rows;
    this.#written += bytes;
  }

  /** Writes the end of the file. */
  end(): void {
    this.endPart();
    const out = this.#out;
    struct({
      1: i32(FORMAT_VERSION),
      2: list(this.#schema),
      3: i64(this.rows),
      4: list(this.#groups.map((group) => this.#describe(group))),
      6: text(this.#createdBy),
      // The order of each column's statistics is that of its type.
      7: list(this.#leaves.map(() => struct({ 1: struct({}) }))),
    }).write(out);
    out.low(out.length, 4);
    out.raw(MAGIC);
    this.#flush();
  }

  #describe({ chunks, rows, shift }: RowGroup): Thrift {
    return struct({
      1: list(
        chunks.map((chunk, leaf) => this.#leaves[leaf]!.describe(chunk, shift)),
      ),
      2: i64(chunks.reduce((sum, chunk) => sum + chunk.uncompressed, 0)),
      3: i64(rows),
    });
  }

  #writeGroup(): void {
    const start = this.#written;
    const chunks = this.#leaves.map((leaf) => leaf.write(this.#out, start));
    this.#groups.push({ rows: this.#rowsInGroup, chunks, shift: 0 });
    this.#rowsInGroup = 0;
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#out.view());
    this.#written += this.#out.length;
    this.#out.clear();
  }

  /** Adds a column to the schema, with all that is nested in it. */
  #add({ name, shape }: Column, around: Leaf): ShapeValues {
    const path = [...around.path, name];
    const inside = { ...around, path, definition: around.definition + 1 };
    const element = (fields: Readonly<Record<number, Thrift | undefined>>) =>
      void this.#schema.push(struct({ 3: OPTIONAL, 4: text(name), ...fields }));
    if (typeof shape === "string") {
      element({ 1: i32(TYPES[shape]), 6: CONVERTED[shape] });
      const values = new ColumnValues({ ...inside, kind: shape });
      this.#leaves.push(values);
      return values;
    }
    if ("members" in shape) {
      element({ 5: i32(shape.members.length) });
      return {
        members: shape.members.map((one) => [one.name, this.#add(one, inside)]),
      };
    }
    element({ 5: i32(1), 6: LIST });
    this.#schema.push(struct({ 3: REPEATED, 4: text("list"), 5: i32(1) }));
    const items = { name: "element", shape: shape.listOf };
    const lists = around.lists + 1;
    return {
      list: lists,
      items: this.#add(items, {
        ...inside,
        path: [...path, "list"],
        definition: inside.definition + 1,
        lists,
      }),
    };
  }
}

const ROOT: Leaf = { path: [], kind: "text", definition: 0, lists: 0 };
