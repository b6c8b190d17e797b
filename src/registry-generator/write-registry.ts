import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import {
  columnHeaderFileName,
  DEFAULT_AS_OF,
  RegistryRows,
  type SyntheticContents,
} from "./registry-rows.ts";
import { otherFileRows } from "./other-files.ts";
import { headerLine } from "./csv-row.ts";
import { RegistryGeneratorError } from "./registry-generator-error.ts";
import { writeZip, type ZipEntry } from "./write-zip.ts";

const CHUNK_BYTES = 1 << 20;
/** Memory of its own for each piece would cost a fifth more; some six are on their way to a zip at a time. */
const CHUNKS = 16;

export interface SyntheticRegistryOptions extends SyntheticContents {
  /** The file to write; `.csv`, or `.zip` with the CSV in it under its official name. An older file of this name is replaced. */
  out: string;
  /** Called about once per megabyte of CSV. */
  onProgress?: (progress: SyntheticProgress) => void;
  /** Stops the writing; the promise is then rejected with the signal's reason, and no file is left. */
  signal?: AbortSignal;
}

export interface SyntheticProgress {
  rows: number;
  totalRows: number;
  /** Bytes of CSV so far, before they are packed. */
  csvBytes: number;
}

export interface SyntheticResult {
  rows: number;
  /** Size of the file. */
  bytes: number;
  /** Size of the main CSV in it; the same as `bytes` when it is not packed. */
  csvBytes: number;
}

/**
 * Writes a registry file of invented providers in the official layout (330 columns), with constant memory. It is written
 * under another name in the same folder and gets its own when it is complete and on the disk.
 * Throws a RegistryGeneratorError for a file or contents that cannot be, and the file system's own errors.
 */
export async function writeSyntheticRegistry(
  options: SyntheticRegistryOptions,
): Promise<SyntheticResult> {
  const { out } = options;
  const kind = extname(out).toLowerCase();
  if (kind !== ".csv" && kind !== ".zip") {
    throw new RegistryGeneratorError(`${out} must end in .csv or .zip.`);
  }
  if (kind === ".csv" && options.otherFiles === true) {
    throw new RegistryGeneratorError(
      `${out} must end in .zip: the registry's other files do not fit in one CSV.`,
    );
  }
  await requireFolder(out);
  options.signal?.throwIfAborted();
  const rows = new RegistryRows(options);
  const { onProgress, signal } = options;
  const chunks = new RowChunks(rows, { onProgress, signal });
  const partial = join(
    dirname(out),
    `.${basename(out)}.${process.pid}.partial`,
  );
  try {
    await using file = await open(partial, "w");
    const { asOf = DEFAULT_AS_OF, week } = options;
    if (kind === ".zip")
      await writeZip(file, week?.to ?? asOf, zipEntries(rows, chunks, options));
    else await file.writeFile(chunks);
    await file.sync();
    const { size } = await file.stat();
    await rename(partial, out);
    return { rows: rows.written, bytes: size, csvBytes: chunks.bytes };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function* zipEntries(
  rows: RegistryRows,
  chunks: RowChunks,
  { otherFiles = false, signal }: SyntheticRegistryOptions,
): Generator<ZipEntry> {
  yield { name: rows.fileName, chunks };
  // The registry's own zips hold the header once more, in a file of its own.
  yield { name: columnHeaderFileName(rows.fileName), chunks: [headerLine()] };
  for (const other of otherFiles ? otherFileRows(rows) : []) {
    const { fileName: name, header } = other;
    // They are small beside the main one, whose rows the progress counts.
    yield { name, chunks: new RowChunks(other, { signal }) };
    yield { name: columnHeaderFileName(name), chunks: [header] };
  }
}

interface ChunkOptions {
  onProgress?: ((progress: SyntheticProgress) => void) | undefined;
  signal: AbortSignal | undefined;
}

/** The rows of one file, made as they are asked for. */
type Rows = Pick<RegistryRows, "fill" | "total" | "written">;

/** The rows in pieces, in memory that is used by turns: a piece stays as it is until `PIECES` more are asked for. */
class RowChunks {
  /** Bytes handed out so far. */
  bytes = 0;
  readonly #rows: Rows;
  readonly #options: ChunkOptions;

  constructor(rows: Rows, options: ChunkOptions) {
    this.#rows = rows;
    this.#options = options;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    const memory = Array.from({ length: CHUNKS }, () =>
      Buffer.allocUnsafeSlow(CHUNK_BYTES),
    );
    for (let next = 0; ; next = (next + 1) % CHUNKS) {
      this.#options.signal?.throwIfAborted();
      const chunk = memory[next]!;
      const bytes = this.#rows.fill(chunk);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
      this.bytes += bytes;
      this.#options.onProgress?.({
        rows: this.#rows.written,
        totalRows: this.#rows.total,
        csvBytes: this.bytes,
      });
    }
  }
}

async function requireFolder(out: string): Promise<void> {
  const folder = dirname(out);
  if (!(await isFolder(folder))) {
    throw new RegistryGeneratorError(
      `The folder ${folder} does not exist. Create it, or choose another path for ${basename(out)}.`,
    );
  }
  if (await isFolder(out))
    throw new RegistryGeneratorError(`${out} is a folder. Give a file name.`);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
