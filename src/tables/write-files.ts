import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import process from "node:process";
import { constants, zstdCompressSync } from "node:zlib";
import type { SnapshotFile } from "../contract/answers.ts";
import { filePath } from "../contract/files.ts";
import { ChangeReader } from "../changes/change-reader.ts";
import { ParquetWriter } from "../parquet/parquet-writer.ts";
import { Directory } from "../search/directory.ts";
import { matchedDocs } from "../search/evaluate/matched-docs.ts";
import { rowFormat } from "../search/render/row-formats.ts";
import type { SharedFile } from "../snapshot/container/shared-file.ts";
import { DetailsReader } from "../snapshot/details/details-reader.ts";
import { Snapshot } from "../snapshot/snapshot.ts";
import { TaskProgram } from "../threads/task-thread.ts";
import { sqlType } from "./columns.ts";
import { LineReader, type LineTable } from "./line-reader.ts";
import { docsInOrder } from "./orders.ts";
import {
  CHANGE_COLUMNS,
  memberParts,
  tablesOf,
  type Order,
  type Table,
} from "./tables.ts";

const PARQUET_TYPE = "application/vnd.apache.parquet";
/** The least priority that still gets a share of a busy machine. Requests come first. */
const NICENESS = 10;
/** Rows are compressed this many bytes at a time, each as a separate frame. */
const FRAME_BYTES = 4 << 20;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};

/** The snapshot whose files are written. */
export interface FilesInput {
  readonly file: SharedFile;
  /** The path of its details file. */
  readonly detailsPath: string;
  readonly dataDir: string;
  /** The folder to write to. */
  readonly folder: string;
  /** Names the program in files. */
  readonly createdBy: string;
}

export interface FilesRequests {
  /** Writes the files whose rows are in an order, and returns their descriptions. */
  write(order: Order): SnapshotFile[];
  /** Writes the changes that led to the snapshot from the one before. Null if they aren't listed. */
  writeChanges(): { file: SnapshotFile; from: string } | null;
}

/** Writes the files of a snapshot to a folder, in the background. */
export const FILE_WRITER = new TaskProgram<FilesInput, FilesRequests>(
  import.meta.url,
  { name: "files", purpose: "writes a snapshot's files" },
  (input) => {
    // Of this thread only, on Linux.
    if (process.platform === "linux") os.setPriority(0, NICENESS);
    const snapshot = new Snapshot(input.file);
    const { id } = snapshot.metadata;
    const parts = snapshot.metadata.details ?? [];
    const directory = new Directory(
      snapshot,
      parts.length > 0 ? new DetailsReader(input.detailsPath) : null,
    );

    return {
      write(order) {
        const lines = order === "npi" ? new LinesFile(input, id) : null;
        const tables = tablesOf(parts).filter((table) => table.order === order);
        const outs = tables.map((table) => new TableFile(input, id, table));
        const reader = new LineReader(outs);
        const docs = matchedDocs(docsInOrder(snapshot, order));
        const shown = lines === null ? memberParts(parts) : parts;
        const rows = directory.lookup.rows(docs, rowFormat("ndjson"), shown);
        for (let slice = rows.next(); slice !== null; slice = rows.next()) {
          lines?.write(slice);
          reader.read(slice);
        }
        const files = outs.map((out) => out.end());
        return lines === null ? files : [...files, lines.end(rows.rendered)];
      },
      writeChanges() {
        using changes = new ChangeReader(input.dataDir);
        const set = changes.lineage(id).sets.at(-1);
        if (set?.snapshot !== id || !set.isListed || set.base === null)
          return null;
        const file = new TableFile(input, id, {
          name: "changes",
          description: `What changed since snapshot ${set.base}, by NPI.`,
          columns: CHANGE_COLUMNS,
          list: null,
        });
        const reader = new LineReader([file]);
        for (const { details = {}, fields, kind, npi } of changes.changes(
          set,
          null,
          true,
        ))
          reader.read(
            Buffer.from(
              `${JSON.stringify({
                npi,
                kind,
                date: set.appliedOn,
                data_date: set.dataDate,
                changed_fields: Object.keys(fields),
                changed_details: Object.keys(details),
              })}\n`,
            ),
          );
        return { file: file.end(), from: set.base };
      },
    };
  },
);

/** A file that is written and hashed. */
class HashedFile {
  readonly #name: string;
  readonly #snapshot: string;
  readonly #descriptor: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(folder: string, snapshot: string, name: string) {
    this.#name = name;
    this.#snapshot = snapshot;
    this.#descriptor = openSync(join(folder, name), "wx");
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#descriptor, bytes, at);
    this.#bytes += bytes.length;
  }

  /** Flushes it to the disk. */
  end(
    described: Pick<
      SnapshotFile,
      "columns" | "description" | "media_type" | "rows"
    >,
  ): SnapshotFile {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    return {
      name: this.#name,
      bytes: this.#bytes,
      sha256: this.#hash.digest("hex"),
      url: filePath(this.#snapshot, this.#name),
      ...described,
    };
  }
}

/** A table's file. */
class TableFile implements LineTable {
  readonly columns: LineTable["columns"];
  readonly list: LineTable["list"];
  readonly writer: ParquetWriter;
  readonly #file: HashedFile;
  readonly #description: string;

  constructor(
    { createdBy, folder }: FilesInput,
    snapshot: string,
    { columns, description, list, name }: Omit<Table, "order">,
  ) {
    const file = new HashedFile(folder, snapshot, `${name}.parquet`);
    this.columns = columns;
    this.list = list;
    this.#file = file;
    this.#description = description;
    const write = (bytes: Uint8Array): void => file.write(bytes);
    this.writer = new ParquetWriter({ columns, createdBy, write });
  }

  end(): SnapshotFile {
    this.writer.end();
    return this.#file.end({
      description: this.#description,
      media_type: PARQUET_TYPE,
      rows: this.writer.rows,
      columns: this.columns.map((column) => ({
        name: column.name,
        type: sqlType(column),
      })),
    });
  }
}

/** The file of whole records. */
class LinesFile {
  readonly #file: HashedFile;
  #waiting: Buffer[] = [];
  #length = 0;

  constructor({ folder }: FilesInput, snapshot: string) {
    this.#file = new HashedFile(folder, snapshot, "providers.ndjson.zst");
  }

  /** Takes whole lines, which may change after the call. */
  write(lines: Uint8Array): void {
    this.#waiting.push(Buffer.from(lines));
    this.#length += lines.length;
    if (this.#length >= FRAME_BYTES) this.#flush();
  }

  end(rows: number): SnapshotFile {
    this.#flush();
    return this.#file.end({
      description:
        "A line of JSON for each provider, with all details, by NPI.",
      media_type: "application/zstd",
      rows,
      columns: [],
    });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting, this.#length);
    this.#file.write(zstdCompressSync(bytes, COMPRESSION));
    this.#waiting = [];
    this.#length = 0;
  }
}
