import { constants, zstdCompressSync } from "node:zlib";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { DetailPart } from "../contract/detail-parts.ts";
import { moving, TaskProgram } from "../threads/task-thread.ts";
import { parquetColumns } from "./parquet-columns.ts";

/** Rows of a row group, which is encoded at once. DuckDB reads groups of this size in parallel. */
const GROUP_ROWS = 122_880;
const LF = 0x0a;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};

export interface EncoderInput {
  readonly parts: readonly DetailPart[];
  readonly createdBy: string;
}

/** Makes a Parquet file of records: with their bytes in order, both return the next bytes of the file. */
export interface ParquetRequests {
  /** Takes whole lines of NDJSON. */
  add(lines: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Encodes records as a Parquet file. */
export const PARQUET_ENCODER = new TaskProgram<EncoderInput, ParquetRequests>(
  import.meta.url,
  { name: "parquet", purpose: "encodes Parquet" },
  ({ createdBy, parts }) => {
    const columns = parquetColumns(parts);
    let values = columns.map((): unknown[] => []);
    const out = new ByteWriter();
    const writer = new ParquetWriter({
      writer: out,
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, COMPRESSION) },
      schema: [
        { name: "providers", num_children: columns.length },
        ...columns.flatMap(({ elements }) => elements),
      ],
      createdBy,
    });

    return {
      add(lines) {
        let from = 0;
        const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
        for (let to = text.indexOf(LF); to >= 0; to = text.indexOf(LF, from)) {
          addRecord(JSON.parse(text.toString("utf8", from, to)));
          from = to + 1;
        }
        return taken();
      },
      end() {
        writeGroup();
        void writer.finish();
        return taken();
      },
    };

    function addRecord(record: unknown): void {
      for (let i = 0; i < columns.length; i++)
        values[i]!.push(columns[i]!.valueOf(record));
      if (values[0]!.length === GROUP_ROWS) writeGroup();
    }

    function writeGroup(): void {
      void writer.write({
        columnData: columns.map(({ name }, i) => ({ name, data: values[i]! })),
        rowGroupSize: GROUP_ROWS,
      });
      values = columns.map(() => []);
    }

    /** Takes the bytes that were written since the last call. */
    function taken(): Uint8Array {
      const bytes = new Uint8Array(out.buffer.slice(0, out.index));
      out.index = 0;
      return moving(bytes, [bytes.buffer]);
    }
  },
);
