import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { readRange, unreadable } from "./csv-source.ts";
import type { CsvSource } from "./csv-source.ts";
import { baseName, isHeaderFile } from "./file-name.ts";
import { RegistryFileError } from "./registry-file-error.ts";
import { openZipEntry, openZipSource } from "./zip-source.ts";

const SNIFFED_BYTES = 512;
const ZIP = ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"];

/** How files that are given by mistake begin, byte for byte, and what they are. */
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
/** The same for text, behind a byte order mark and white space. */
const TEXT_LOOKALIKES: readonly (readonly [begin: RegExp, is: string])[] = [
  [
    /^<(?:!doctype html|html|head|body)\b/i,
    "a web page, as a failed download leaves one",
  ],
  [/^</, "an XML file"],
  [/^[{[]/, "a JSON file"],
];
const BEFORE_TEXT = /^(?:\xef\xbb\xbf)?\s*/;

/**
 * Opens a registry file: the official zip, read as it is, a CSV, or a workbook. Its first bytes say which, not its name.
 * Throws a RegistryFileError when it is none of them, or when the operating system refuses.
 */
export async function openFile(path: string): Promise<CsvSource> {
  const handle = await openHandle(path);
  let opened = false;
  try {
    const { begin, size } = await look(path, handle);
    const lookalike = seemsToBe(begin);
    if (lookalike !== undefined) {
      throw new RegistryFileError(
        `${path} seems to be ${lookalike}: give the registry's zip or CSV.`,
      );
    }
    const isZip = ZIP.some((magic) => begin.startsWith(magic));
    if (!isZip && isHeaderFile(path)) {
      throw new RegistryFileError(
        `${path} holds column names alone: give the npidata_pfile CSV that comes with it.`,
      );
    }
    const inside = isZip ? await openZipSource(path, handle) : "csv";
    const source =
      typeof inside === "string"
        ? new WholeFile(path, handle, size, inside)
        : inside;
    opened = true;
    return source;
  } finally {
    if (!opened) await handle.close();
  }
}

/**
 * Opens the one further file in a zip whose name `isWanted`. Null where the path leads to something else than a zip, or to
 * a zip without such a file. Throws a RegistryFileError where it cannot be read.
 */
export async function openFurtherFile(
  path: string,
  isWanted: (name: string) => boolean,
): Promise<CsvSource | null> {
  const handle = await openHandle(path);
  let source: CsvSource | null = null;
  try {
    const { begin } = await look(path, handle);
    if (ZIP.some((magic) => begin.startsWith(magic)))
      source = await openZipEntry(path, handle, isWanted);
    return source;
  } finally {
    if (source === null) await handle.close();
  }
}

class WholeFile implements CsvSource {
  readonly name: string;
  readonly content: "csv" | "workbook";
  readonly bytesTotal: number;
  csvBytesRead = 0;
  checksum = 0;
  readonly declared = null;
  readonly #path: string;
  readonly #handle: FileHandle;

  constructor(
    path: string,
    handle: FileHandle,
    size: number,
    content: "csv" | "workbook",
  ) {
    this.name = baseName(path);
    this.content = content;
    this.bytesTotal = size;
    this.#path = path;
    this.#handle = handle;
  }

  get bytesRead(): number {
    return this.csvBytesRead;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readRange(
      this.#handle,
      0,
      this.bytesTotal,
      this.#path,
    )) {
      this.csvBytesRead += chunk.length;
      this.checksum = crc32(chunk, this.checksum);
      yield chunk;
    }
    if (this.csvBytesRead < this.bytesTotal) {
      throw new RegistryFileError(
        `${this.#path} became shorter while it was read: import it again when it is complete.`,
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

async function openHandle(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The file's size and its first bytes, one character a byte. */
async function look(
  path: string,
  handle: FileHandle,
): Promise<{ begin: string; size: number }> {
  const stat = await handle.stat();
  if (stat.isDirectory())
    throw new RegistryFileError(`${path} is a folder: name the file in it.`);
  if (!stat.isFile())
    throw new RegistryFileError(
      `${path} is not a regular file: save it to disk and name it there.`,
    );
  if (stat.size === 0)
    throw new RegistryFileError(`${path} is empty: download it again.`);
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

function seemsToBe(begin: string): string | undefined {
  const binary = LOOKALIKES.find(([magic]) => begin.startsWith(magic));
  if (binary !== undefined) return binary[1];
  const text = begin.replace(BEFORE_TEXT, "");
  return TEXT_LOOKALIKES.find(([pattern]) => pattern.test(text))?.[1];
}
