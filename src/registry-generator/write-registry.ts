import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { namedAs } from "../registry/files/registry-file-error.ts";
import { lineOf } from "./csv-row.ts";
import {
  chunksOf,
  columnHeaderFileName,
  DEFAULT_AS_OF,
  syntheticFiles,
  type SyntheticContents,
  type SyntheticFile,
} from "./registry-files.ts";
import { RegistryGeneratorError } from "./registry-generator-error.ts";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

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

/** Returns what is wrong with the name of the file to write, such as "must end in .csv or .zip"; else null. */
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
  const files = syntheticFiles(options);
  const total = files[0]?.total ?? 0;
  let csvBytes = 0;
  const { onProgress, signal } = options;
  const memory = Array.from({ length: CHUNKS }, () =>
    Buffer.allocUnsafeSlow(CHUNK_BYTES),
  );
  let used = 0;
  const allocate = () => memory[used++ % CHUNKS]!;
  /** Yields the bytes of a file, and counts the main one's. Other files are small compared to it. */
  function* bytesOf(file: SyntheticFile): Generator<Uint8Array> {
    for (const { bytes, providers } of chunksOf(file, CHUNK_BYTES, allocate)) {
      signal?.throwIfAborted();
      yield bytes;
      if (file !== files[0]) continue;
      csvBytes += bytes.length;
      onProgress?.({ rows: providers, totalRows: total, csvBytes });
    }
  }
  const partial = join(
    dirname(out),
    `.${basename(out)}.${process.pid}.partial`,
  );
  try {
    await using file = await open(partial, "w");
    const { asOf = DEFAULT_AS_OF, week } = options;
    // The registry's zips also have each header in a separate file.
    const entries = files.flatMap((each) => [
      { name: each.name, chunks: bytesOf(each) },
      {
        name: columnHeaderFileName(each.name),
        chunks: [lineOf(each.columns)],
      },
    ]);
    if (kind === ".zip") await writeZip(file, week?.to ?? asOf, entries);
    else await file.writeFile(bytesOf(files[0]!));
    await file.sync();
    const { size } = await file.stat();
    await rename(partial, out);
    return { rows: total, bytes: size, csvBytes };
  } catch (error) {
    await rm(partial, { force: true });
    throw namedAs(error, out);
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

/** 7 % larger than level 4 and a tenth faster: about as fast as rows are generated. */
const COMPRESSION_LEVEL = 3;

export interface ZipEntry {
  name: string;
  /** About six chunks are in use at a time and must not change. */
  chunks: Iterable<Uint8Array>;
}

/**
 * Writes a zip to an open, empty file, entry by entry, deflating chunks as they come. `day` is the ISO date of the
 * entries. Throws what the chunks throw, and file system errors.
 */
export async function writeZip(
  file: FileHandle,
  day: string,
  entries: Iterable<ZipEntry>,
): Promise<void> {
  const zip = new ZipFile();
  const { outputStream } = zip;
  if (!(outputStream instanceof Readable))
    throw new TypeError("yazl hands out a stream that can be destroyed");
  const options = {
    compressionLevel: COMPRESSION_LEVEL,
    mode: 0o100644,
    // Zips have local time. This way, the same rows give the same bytes in every time zone.
    mtime: new Date(`${day}T12:00:00`),
    forceDosTimestamp: true,
  };
  using sources = new DisposableStack();
  for (const { name, chunks } of entries) {
    const source = sources.adopt(
      Readable.from(chunks, { objectMode: false }),
      (each) => each.destroy(),
    );
    // yazl does not handle errors of sources.
    source.on("error", (error) => outputStream.destroy(error));
    zip.addReadStream(source, name, options);
  }
  zip.end();
  await file.writeFile(outputStream);
}
