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
  #pools: (StringPool | null)[];

  constructor({ columns, createdBy, write }: ParquetTableOptions) {
    this.#columns = columns;
    this.#write = write;
    this.#values = columns.map(() => []);
    this.#pools = columns.map(() => new StringPool());
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
    const pools = this.#pools;
    for (let i = 0; i < columns.length; i++) {
      const value = columns[i]!.valueOf(row);
      const pool = pools[i]!;
      values[i]!.push(
        pool !== null && typeof value === "string" ? pool.of(value) : value,
      );
    }
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
    this.#pools = this.#pools.map((pool) =>
      pool?.isWorthwhile === true ? new StringPool() : null,
    );
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#out.getBytes());
    this.#out.index = 0;
  }
}

/** Replaces equal strings by the same one, so that the collector can free other copies at once. */
class StringPool {
  readonly #strings = new Map<string, string>();
  #asked = 0;

  /** True if most strings were there already. */
  get isWorthwhile(): boolean {
    return this.#strings.size * 2 <= this.#asked;
  }

  of(text: string): string {
    this.#asked++;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, text);
    return text;
  }
}
