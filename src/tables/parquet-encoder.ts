import type { DetailPart } from "../contract/detail-parts.ts";
import { moving, TaskProgram } from "../threads/task-thread.ts";
import { ParquetWriter } from "../parquet/parquet-writer.ts";
import { exportColumns } from "./columns.ts";
import { LineReader } from "./line-reader.ts";

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
    let written: Uint8Array[] = [];
    const columns = exportColumns(parts);
    const writer = new ParquetWriter({
      columns,
      createdBy,
      write: (bytes) => void written.push(bytes.slice()),
    });

    const reader = new LineReader([{ columns, list: null, writer }]);

    return {
      add(lines) {
        reader.read(lines);
        return taken();
      },
      end() {
        writer.end();
        return taken();
      },
    };

    /** Takes the bytes that were written since the last call. */
    function taken(): Uint8Array {
      const bytes = new Uint8Array(Buffer.concat(written));
      written = [];
      return moving(bytes, [bytes.buffer]);
    }
  },
);
