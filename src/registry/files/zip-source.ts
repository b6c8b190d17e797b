import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";
import type { InflateRaw, ZlibOptions } from "node:zlib";
import { fromFdPromise } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { readRange } from "./csv-source.ts";
import type { CsvSource } from "./csv-source.ts";
import { baseName, isDataFile, isWorkbook } from "./file-name.ts";
import { RegistryFileError } from "./registry-file-error.ts";

const STORED = 0;
const DEFLATED = 8;
const LISTED_NAMES = 8;
/** The registry's zips hold some ten files. */
const MOST_ENTRIES = 1_000;
const WORKBOOK_PART = "xl/workbook.xml";
const OFFICE_DOCUMENT = "[Content_Types].xml";

/**
 * Large output chunks inflate twice as fast as Node's 16 KB, and several of them are made ready in the thread pool while
 * the scanner works on one.
 */
const INFLATE_OPTIONS: ZlibOptions & { readableHighWaterMark: number } = {
  chunkSize: 1 << 20,
  readableHighWaterMark: 8 << 20,
};

/**
 * Opens the one `npidata_pfile_*.csv` in a zip, ZIP64 included, or the one workbook in a zip that holds no such CSV; the
 * source owns the handle from then on. Returns "workbook" for a zip that is one itself. Throws a RegistryFileError when
 * the zip's list of contents is damaged, or holds no such entry, or several.
 */
export async function openZipSource(
  path: string,
  handle: FileHandle,
): Promise<CsvSource | "workbook"> {
  const { zip, entries } = await readDirectory(path, handle);
  if (entries.some(({ fileName }) => fileName === WORKBOOK_PART))
    return "workbook";
  return openEntry(path, handle, zip, onlyDataEntry(path, entries));
}

/**
 * Opens the one entry of a zip whose name `isWanted`; null where there is none. Throws as `openZipSource` does; the source
 * owns the handle, where there is one.
 */
export async function openZipEntry(
  path: string,
  handle: FileHandle,
  isWanted: (name: string) => boolean,
): Promise<CsvSource | null> {
  const { zip, entries } = await readDirectory(path, handle);
  const [entry, another] = entries.filter(({ fileName }) => isWanted(fileName));
  if (entry === undefined) return null;
  if (another === undefined) return openEntry(path, handle, zip, entry);
  throw new RegistryFileError(
    `${path} holds both ${entry.fileName} and ${another.fileName}: give a zip that holds one of them, as the registry publishes it.`,
  );
}

async function openEntry(
  path: string,
  handle: FileHandle,
  zip: ZipFile,
  entry: Entry,
): Promise<CsvSource> {
  if (entry.isEncrypted()) {
    throw new RegistryFileError(
      `${path} is encrypted: unpack ${entry.fileName} with its password and give the CSV.`,
    );
  }
  if (
    entry.compressionMethod !== STORED &&
    entry.compressionMethod !== DEFLATED
  ) {
    throw new RegistryFileError(
      `${path} is compressed by a method (${entry.compressionMethod}) that cannot be read here: unpack ${entry.fileName} and give the CSV.`,
    );
  }
  const start = await dataStart(path, zip, entry);
  return new ZipSource(path, handle, entry, start);
}

class ZipSource implements CsvSource {
  readonly name: string;
  readonly content: "csv" | "workbook";
  readonly bytesTotal: number;
  csvBytesRead = 0;
  checksum = 0;
  readonly declared: { bytes: number; crc32: number };
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #entry: Entry;
  readonly #start: number;
  #inflate: InflateRaw | undefined;

  constructor(path: string, handle: FileHandle, entry: Entry, start: number) {
    this.name = baseName(entry.fileName);
    this.content = isWorkbook(entry.fileName) ? "workbook" : "csv";
    this.bytesTotal = entry.compressedSize;
    this.declared = { bytes: entry.uncompressedSize, crc32: entry.crc32 };
    this.#path = path;
    this.#handle = handle;
    this.#entry = entry;
    this.#start = start;
  }

  get bytesRead(): number {
    return (
      this.#inflate?.bytesWritten ??
      Math.min(this.csvBytesRead, this.bytesTotal)
    );
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.#entry;
    const packed = readRange(
      this.#handle,
      this.#start,
      this.#start + entry.compressedSize,
      this.#path,
    );
    for await (const chunk of entry.compressionMethod === STORED
      ? packed
      : this.#inflated(packed)) {
      this.csvBytesRead += chunk.length;
      if (this.csvBytesRead > entry.uncompressedSize)
        throw damaged(this.#path, "it unpacks to more than it says");
      this.checksum = crc32(chunk, this.checksum);
      yield chunk;
    }
    if (this.csvBytesRead < entry.uncompressedSize)
      throw damaged(this.#path, "it unpacks to less than it says");
    if (this.checksum !== entry.crc32)
      throw damaged(this.#path, "its checksum does not fit its content");
  }

  async *#inflated(
    packed: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const inflate = createInflateRaw(INFLATE_OPTIONS);
    this.#inflate = inflate;
    const flow = pipeline(
      Readable.from(packed, { objectMode: false }),
      inflate,
    );
    // What fails in the flow also fails the loop below; it is thrown there.
    flow.catch(() => {});
    try {
      for await (const chunk of inflate) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError("zlib hands out bytes");
        yield chunk;
      }
    } catch (error) {
      if (!isZlibError(error)) throw error;
      throw damaged(this.#path, "its content does not unpack", error);
    } finally {
      inflate.destroy();
      await Promise.allSettled([flow]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

async function readDirectory(
  path: string,
  handle: FileHandle,
): Promise<{ zip: ZipFile; entries: Entry[] }> {
  try {
    const zip = await fromFdPromise(handle.fd, {
      autoClose: false,
      lazyEntries: true,
    });
    if (zip.entryCount > MOST_ENTRIES)
      throw new RegistryFileError(
        `${path} holds ${zip.entryCount} files, more than ${MOST_ENTRIES}: give the registry's zip.`,
      );
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return { zip, entries };
  } catch (error) {
    if (error instanceof RegistryFileError) throw error;
    throw damaged(path, "its list of contents cannot be read", error);
  }
}

function onlyDataEntry(path: string, entries: readonly Entry[]): Entry {
  const [entry, another] = entries.filter(({ fileName }) =>
    isDataFile(fileName),
  );
  if (entry !== undefined && another === undefined) return entry;
  const [workbook, anotherBook] = entries.filter(({ fileName }) =>
    isWorkbook(fileName),
  );
  if (
    entry === undefined &&
    workbook !== undefined &&
    anotherBook === undefined
  )
    return workbook;
  const names = entries
    .map(({ fileName }) => fileName)
    .filter((name) => !name.endsWith("/"));
  if (names.includes(OFFICE_DOCUMENT)) {
    throw new RegistryFileError(
      `${path} seems to be an office document of another kind: give the registry's zip or CSV.`,
    );
  }
  const many = entry !== undefined;
  const list = many ? names.filter((name) => isDataFile(name)) : names;
  throw new RegistryFileError(
    `${path} holds ${many ? "more than one" : "no"} npidata_pfile CSV (${listed(list)}): give a zip that holds exactly one, or the CSV itself.`,
  );
}

async function dataStart(
  path: string,
  zip: ZipFile,
  entry: Entry,
): Promise<number> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry, { minimal: true }))
      .fileDataStart;
  } catch (error) {
    throw damaged(path, "the entry's header cannot be read", error);
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "it is empty";
  const shown = names.slice(0, LISTED_NAMES).join(", ");
  return names.length > LISTED_NAMES
    ? `${shown} and ${names.length - LISTED_NAMES} more`
    : shown;
}

function damaged(
  path: string,
  how: string,
  cause?: unknown,
): RegistryFileError {
  return new RegistryFileError(
    `${path} is a damaged zip, for ${how}: download it again.`,
    { cause },
  );
}

function isZlibError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    String(error.code).startsWith("Z_")
  );
}
