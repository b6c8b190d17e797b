import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import { join } from "node:path";
import process from "node:process";
import { constants, zstdCompressSync } from "node:zlib";
import type { SnapshotFile } from "../contract/answers.ts";
import { filePath } from "../contract/files.ts";
import { ChangeReader } from "../changes/change-reader.ts";
import {
  MAGIC,
  ParquetWriter,
  type ParquetPart,
} from "../parquet/parquet-writer.ts";
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
import { CHANGE_COLUMNS, memberParts, tablesOf, type Table } from "./tables.ts";

const PARQUET_TYPE = "application/vnd.apache.parquet";
/** The least priority that still gets a share of a busy machine. Requests come first. */
const NICENESS = 10;
/** Rows are compressed this many bytes at a time, each as a separate frame. */
const FRAME_BYTES = 4 << 20;
/** Parts are copied this many bytes at a time. */
const COPIED_BYTES = 4 << 20;
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

/** A thread's part of a file, which is a file itself until it is appended. */
interface FilePart extends ParquetPart {
  readonly name: string;
}

export interface FilesRequests {
  /** Writes part `part` of `parts` of all files that have records. The first part is kept for `join`. */
  write(part: number, parts: number): FilePart[];
  /** Writes the other parts behind the first, and removes them. Returns the descriptions of the files. */
  join(others: readonly FilePart[][]): SnapshotFile[];
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
    const details = snapshot.metadata.details ?? [];
    const directory = new Directory(
      snapshot,
      details.length > 0 ? new DetailsReader(input.detailsPath, "held") : null,
    );
    const files: (TableFile | LinesFile)[] = [];

    return {
      write(part, parts) {
        const { count } = snapshot;
        const [from, to] = [part, part + 1].map((which) =>
          Math.round((count / parts) * which),
        );
        for (const order of ["place", "npi"] as const) {
          const lines = order === "npi" ? new LinesFile(input, part) : null;
          const tables = tablesOf(details)
            .filter((table) => table.order === order)
            .map((table) => new TableFile(input, part, table));
          const reader = new LineReader(tables);
          const docs = docsInOrder(snapshot, order);
          const rows = directory.lookup.rows(
            matchedDocs(docs.subarray(from, to)),
            rowFormat("ndjson"),
            lines === null ? memberParts(details) : details,
          );
          for (let slice = rows.next(); slice !== null; slice = rows.next()) {
            lines?.write(slice);
            reader.read(slice);
          }
          files.push(...tables);
          if (lines === null) continue;
          lines.rows = rows.rendered;
          files.push(lines);
        }
        return files.map((file) => file.endPart());
      },
      join(others) {
        return files.map((file, index) => {
          for (const parts of others) file.append(parts[index]!);
          return file.end(id);
        });
      },
      writeChanges() {
        using changes = new ChangeReader(input.dataDir);
        const set = changes.lineage(id).sets.at(-1);
        if (set?.snapshot !== id || !set.isListed || set.base === null)
          return null;
        const file = new TableFile(input, 0, {
          name: "changes",
          description: `What changed since snapshot ${set.base}, by NPI.`,
          columns: CHANGE_COLUMNS,
          list: null,
        });
        const reader = new LineReader([file]);
        for (const {
          details: changed = {},
          fields,
          kind,
          npi,
        } of changes.changes(set, null, true))
          reader.read(
            Buffer.from(
              `${JSON.stringify({
                npi,
                kind,
                date: set.appliedOn,
                data_date: set.dataDate,
                changed_fields: Object.keys(fields),
                changed_details: Object.keys(changed),
              })}\n`,
            ),
          );
        return { file: file.end(id), from: set.base };
      },
    };
  },
);

/** A file, or a part of one, that is written and hashed. */
class HashedFile {
  readonly name: string;
  readonly #folder: string;
  readonly #descriptor: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  /** Parts behind the first have their number behind the name. */
  constructor({ folder }: FilesInput, name: string, part: number) {
    this.name = part === 0 ? name : `${name}.${part}`;
    this.#folder = folder;
    this.#descriptor = openSync(join(folder, this.name), "wx");
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#descriptor, bytes, at);
    this.#bytes += bytes.length;
  }

  /** Writes another file's bytes from `from` on, and removes it. Returns how many. */
  append(name: string, from: number): number {
    const path = join(this.#folder, name);
    const before = this.#bytes;
    const descriptor = openSync(path, "r");
    const buffer = Buffer.alloc(COPIED_BYTES);
    for (let at = from, read = 1; read > 0; at += read) {
      read = readSync(descriptor, buffer, 0, buffer.length, at);
      this.write(buffer.subarray(0, read));
    }
    closeSync(descriptor);
    rmSync(path);
    return this.#bytes - before;
  }

  /** Flushes it to the disk. */
  end(
    snapshot: string,
    described: Pick<
      SnapshotFile,
      "columns" | "description" | "media_type" | "rows"
    >,
  ): SnapshotFile {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    return {
      name: this.name,
      bytes: this.#bytes,
      sha256: this.#hash.digest("hex"),
      url: filePath(snapshot, this.name),
      ...described,
    };
  }
}

/** A table's file, or a part of it. */
class TableFile implements LineTable {
  readonly columns: LineTable["columns"];
  readonly list: LineTable["list"];
  readonly writer: ParquetWriter;
  readonly #file: HashedFile;
  readonly #description: string;

  constructor(
    input: FilesInput,
    part: number,
    { columns, description, list, name }: Omit<Table, "order">,
  ) {
    const { createdBy } = input;
    const file = new HashedFile(input, `${name}.parquet`, part);
    this.columns = columns;
    this.list = list;
    this.#file = file;
    this.#description = description;
    const write = (bytes: Uint8Array): void => file.write(bytes);
    this.writer = new ParquetWriter({ columns, createdBy, write });
  }

  endPart(): FilePart {
    return { name: this.#file.name, ...this.writer.endPart() };
  }

  append(part: FilePart): void {
    const bytes = this.#file.append(part.name, MAGIC.length);
    this.writer.append(part, bytes);
  }

  end(snapshot: string): SnapshotFile {
    this.writer.end();
    return this.#file.end(snapshot, {
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

/** The file of whole records, or a part of it. */
class LinesFile {
  readonly #file: HashedFile;
  #waiting: Buffer[] = [];
  #length = 0;
  rows = 0;

  constructor(input: FilesInput, part: number) {
    this.#file = new HashedFile(input, "providers.ndjson.zst", part);
  }

  /** Takes whole lines, which may change after the call. */
  write(lines: Uint8Array): void {
    this.#waiting.push(Buffer.from(lines));
    this.#length += lines.length;
    if (this.#length >= FRAME_BYTES) this.#flush();
  }

  endPart(): FilePart {
    this.#flush();
    return { name: this.#file.name, rows: this.rows, groups: [] };
  }

  append({ name, rows }: FilePart): void {
    this.#file.append(name, 0);
    this.rows += rows;
  }

  end(snapshot: string): SnapshotFile {
    return this.#file.end(snapshot, {
      description:
        "A line of JSON for each provider, with all details, by NPI.",
      media_type: "application/zstd",
      rows: this.rows,
      columns: [],
    });
  }

  #flush(): void {
    if (this.#length === 0) return;
    const bytes = Buffer.concat(this.#waiting, this.#length);
    this.#file.write(zstdCompressSync(bytes, COMPRESSION));
    this.#waiting = [];
    this.#length = 0;
  }
}
