import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import {
  baseName,
  dateByName,
  filePeriod,
  isHeaderFile,
  type FilePeriod,
} from "./file-name.ts";
import { FileSource } from "./file-source.ts";
import { RegistryFileError, unreadable } from "./registry-file-error.ts";
import { ZipDirectory } from "./zip-directory.ts";

const SNIFFED_BYTES = 512;
const ZIP = ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"];

/** First bytes of files that are often given by mistake, and what they are. */
const LOOKALIKES: readonly (readonly [begin: string, is: string])[] = [
  ["\x1f\x8b", "a gzip file"],
  ["BZh", "a bzip2 file"],
  ["\xfd7zXZ", "an xz file"],
  ["\x28\xb5\x2f\xfd", "a Zstandard file"],
  ["7z\xbc\xaf", "a 7-Zip file"],
  ["\xd0\xcf\x11\xe0", "an old Excel workbook"],
  ["%PDF", "a PDF document"],
  ["PAR1", "a Parquet file"],
  ["\xff\xfe", "text in UTF-16"],
  ["\xfe\xff", "text in UTF-16"],
];
/** The same for text, after a byte order mark and white space. */
const TEXT_LOOKALIKES: readonly (readonly [begin: RegExp, is: string])[] = [
  [
    /^<(?:!doctype html|html|head|body)\b/i,
    "a web page, perhaps from a failed download",
  ],
  [/^</, "an XML file"],
  [/^[{[]/, "a JSON file"],
];
const BEFORE_TEXT = /^(?:\xef\xbb\xbf)?\s*/;

/** The facts about a registry file before its rows are read. */
export interface RegistryFileInfo {
  /** Name of the CSV or workbook without folders: that of the zip entry, or of the file. */
  name: string;
  period: FilePeriod;
  /** Uncompressed length of the CSV or workbook. */
  bytes: number;
  /** Its CRC-32 as declared by the zip; null outside a zip, where it would have to be read whole. */
  crc32: number | null;
}

/** An open registry file, with access to the other files in its zip. Dispose it when done. */
export class RegistryFile implements AsyncDisposable {
  readonly path: string;
  /** Its CSV or workbook. */
  readonly source: FileSource;
  readonly #handle: FileHandle;
  readonly #zip: ZipDirectory | null;

  private constructor(
    path: string,
    source: FileSource,
    handle: FileHandle,
    zip: ZipDirectory | null,
  ) {
    this.path = path;
    this.source = source;
    this.#handle = handle;
    this.#zip = zip;
  }

  /**
   * Opens the official zip (ZIP64 included), a CSV, a workbook, or a zip that contains a workbook; the first bytes
   * decide, not the name. Throws RegistryFileError if it is none of these or cannot be opened.
   */
  static async open(path: string): Promise<RegistryFile> {
    const handle = await openHandle(path);
    let file: RegistryFile | null = null;
    try {
      const { begin, size } = await look(path, handle);
      const lookalike = lookalikeOf(begin);
      if (lookalike !== undefined)
        throw new RegistryFileError(
          `${path} looks like ${lookalike}. Give the registry's zip or CSV.`,
        );
      const isZip = ZIP.some((magic) => begin.startsWith(magic));
      if (!isZip && isHeaderFile(path))
        throw new RegistryFileError(
          `${path} contains only column names. Give the npidata_pfile CSV that comes with it.`,
        );
      const zip = isZip ? await ZipDirectory.read(path, handle.fd) : null;
      const isWorkbook = zip?.isWorkbook === true;
      const range =
        zip === null || isWorkbook
          ? {
              path,
              fd: handle.fd,
              start: 0,
              bytesTotal: size,
              name: baseName(path),
              content: isWorkbook ? ("workbook" as const) : ("csv" as const),
              entry: null,
            }
          : await zip.dataRange();
      file = new RegistryFile(path, new FileSource(range), handle, zip);
      return file;
    } finally {
      if (file === null) await handle.close();
    }
  }

  /**
   * Opens the only supplementary file in the zip for which `isWanted(name)`; null if there is none, or no zip. It can
   * be read until this object is disposed. Throws RegistryFileError if there are several, or if its entry is damaged.
   */
  async supplementary(
    isWanted: (name: string) => boolean,
  ): Promise<FileSource | null> {
    const range = (await this.#zip?.rangeOfOnly(isWanted)) ?? null;
    return range === null ? null : new FileSource(range);
  }

  /** Returns its name, period, length and checksum. Reads a deactivation report's title if its name has no date. */
  async info(): Promise<RegistryFileInfo> {
    const { contentBytes: bytes, name, range } = this.source;
    const crc32 = range.entry?.crc32 ?? null;
    return { name, period: await this.#period(), bytes, crc32 };
  }

  async #period(): Promise<FilePeriod> {
    const { name, range } = this.source;
    if (range.content === "csv") return filePeriod(name);
    const end = dateByName(this.path, name);
    if (end !== null) return { kind: "deactivations", begin: null, end };
    const { readDeactivations } =
      await import("../deactivations/read-deactivations.ts");
    return (await readDeactivations(this.source)).summary.period;
  }

  /**
   * Computes the CRC-32 of the CSV or workbook, read whole. Throws RegistryFileError if it cannot be read, and the
   * reason of an aborted `signal`.
   */
  async checksum(signal?: AbortSignal): Promise<number> {
    for await (const _ of this.source.chunks()) signal?.throwIfAborted();
    return this.source.checksum;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

/** Opens a registry file to inspect it. Throws RegistryFileError if it is not one. */
export async function inspectRegistryFile(
  path: string,
): Promise<RegistryFileInfo> {
  await using file = await RegistryFile.open(path);
  return await file.info();
}

async function openHandle(path: string): Promise<FileHandle> {
  try {
    // Otherwise, opening a pipe would block a thread of the process until someone writes.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads the file's size and its first bytes, one character per byte. */
async function look(
  path: string,
  handle: FileHandle,
): Promise<{ begin: string; size: number }> {
  const stat = await handle.stat();
  if (stat.isDirectory())
    throw new RegistryFileError(`${path} is a folder. Name a file in it.`);
  if (!stat.isFile())
    throw new RegistryFileError(
      `${path} is not a regular file. Save it to disk first.`,
    );
  if (stat.size === 0)
    throw new RegistryFileError(`${path} is empty. Download it again.`);
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(SNIFFED_BYTES),
      0,
      SNIFFED_BYTES,
      0,
    );
    return { begin: buffer.toString("latin1", 0, bytesRead), size: stat.size };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function lookalikeOf(begin: string): string | undefined {
  const binary = LOOKALIKES.find(([magic]) => begin.startsWith(magic));
  if (binary !== undefined) return binary[1];
  const text = begin.replace(BEFORE_TEXT, "");
  return TEXT_LOOKALIKES.find(([pattern]) => pattern.test(text))?.[1];
}
