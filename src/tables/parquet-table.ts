import { constants, zstdCompressSync } from "node:zlib";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ParquetColumn } from "./parquet-columns.ts";

/** Rows of a row group, which is encoded at once. DuckDB reads groups of this size in parallel. */
const GROUP_ROWS = 122_880;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};

export interface ParquetTableOptions {
  readonly columns: readonly ParquetColumn[];
  /** Names the program in the file. */
  readonly createdBy: string;
  /** Takes the next bytes of the file, which change after the call. */
  readonly write: (bytes: Uint8Array) => void;
}

/** Encodes rows, which were parsed from JSON, as a Parquet file, a row group at a time. */
export class ParquetTable {
  /** The number of rows so far. */
  rows = 0;
  readonly #columns: readonly ParquetColumn[];
  readonly #write: ParquetTableOptions["write"];
  readonly #out = new ByteWriter();
  readonly #writer: ParquetWriter;
  #values: unknown[][];

  constructor({ columns, createdBy, write }: ParquetTableOptions) {
    this.#columns = columns;
    this.#write = write;
    this.#values = columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: this.#out,
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, COMPRESSION) },
      schema: [
        { name: "providers", num_children: columns.length },
        ...columns.flatMap(({ elements }) => elements),
      ],
      createdBy,
    });
  }

  add(row: unknown): void {
    const columns = this.#columns;
    const values = this.#values;
    for (let i = 0; i < columns.length; i++)
      values[i]!.push(columns[i]!.valueOf(row));
    this.rows++;
    if (values[0]!.length === GROUP_ROWS) this.#writeGroup();
  }

  /** Writes the end of the file. */
  end(): void {
    this.#writeGroup();
    void this.#writer.finish();
    this.#flush();
  }

  #writeGroup(): void {
    const values = this.#values;
    void this.#writer.write({
      columnData: this.#columns.map(({ name }, i) => ({
        name,
        data: values[i]!,
      })),
      rowGroupSize: GROUP_ROWS,
    });
    this.#values = this.#columns.map(() => []);
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#out.getBytes());
    this.#out.index = 0;
  }
}
