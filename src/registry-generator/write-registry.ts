import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import {
  columnHeaderFileName,
  DEFAULT_AS_OF,
  RegistryRows,
  type SyntheticContents,
} from "./registry-rows.ts";
import { namedAs } from "../registry/files/with-path.ts";
import { otherFileRows } from "./other-files.ts";
import { headerLine } from "./csv-row.ts";
import { RegistryGeneratorError } from "./registry-generator-error.ts";
import { writeZip, type ZipEntry } from "./write-zip.ts";

const CHUNK_BYTES = 1 << 20;
/** Separate memory for each chunk would cost a fifth more. About six are on their way to a zip at a time. */
const CHUNKS = 16;

export interface SyntheticRegistryOptions extends SyntheticContents {
  /** The file to write; `.csv`, or `.zip` with the CSV in it under its official name. Replaces an existing file. */
  out: string;
  /** Called about once per megabyte of CSV. */
  onProgress?: (progress: SyntheticProgress) => void;
  /** Aborting stops the writing; the promise rejects with the signal's reason, and no file is left. */
  signal?: AbortSignal;
}

export interface SyntheticProgress {
  rows: number;
  totalRows: number;
  /** Bytes of CSV so far, before compression. */
  csvBytes: number;
}

export interface SyntheticResult {
  rows: number;
  /** Size of the file. */
  bytes: number;
  /** Size of the main CSV in it; equal to `bytes` if it is not compressed. */
  csvBytes: number;
}

/** What is wrong with the name of the file to write, such as "must end in .csv or .zip"; else null. */
export function problemOfName({
  otherFiles,
  out,
}: Pick<SyntheticRegistryOptions, "otherFiles" | "out">): string | null {
  const kind = kindOf(out);
  if (kind !== ".csv" && kind !== ".zip") return "must end in .csv or .zip";
  return kind === ".csv" && otherFiles === true
    ? "must end in .zip: the registry's other files do not fit in one CSV"
    : null;
}

function kindOf(out: string): string {
  return extname(out).toLowerCase();
}

/**
 * Writes a registry file of invented providers in the official layout (330 columns), with constant memory. The file has
 * a temporary name in the same folder until it is complete and on disk. Throws RegistryGeneratorError for an impossible
 * path or contents, and file system errors.
 */
export async function writeSyntheticRegistry(
  options: SyntheticRegistryOptions,
): Promise<SyntheticResult> {
  const { out } = options;
  const problem = problemOfName(options);
  if (problem !== null) throw new RegistryGeneratorError(`${out} ${problem}.`);
  const kind = kindOf(out);
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
    throw namedAs(error, out);
  }
}

function* zipEntries(
  rows: RegistryRows,
  chunks: RowChunks,
  { otherFiles = false, signal }: SyntheticRegistryOptions,
): Generator<ZipEntry> {
  yield { name: rows.fileName, chunks };
  // The registry's zips also have the header in a separate file.
  yield { name: columnHeaderFileName(rows.fileName), chunks: [headerLine()] };
  for (const other of otherFiles ? otherFileRows(rows) : []) {
    const { fileName: name, header } = other;
    // They are small compared to the main file, whose rows the progress counts.
    yield { name, chunks: new RowChunks(other, { signal }) };
    yield { name: columnHeaderFileName(name), chunks: [header] };
  }
}

interface ChunkOptions {
  onProgress?: ((progress: SyntheticProgress) => void) | undefined;
  signal: AbortSignal | undefined;
}

/** The rows of one file, generated on request. */
type Rows = Pick<RegistryRows, "fill" | "total" | "written">;

/** The rows in chunks of reused memory: a chunk is valid until `CHUNKS` more are requested. */
class RowChunks {
  /** Bytes produced so far. */
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
