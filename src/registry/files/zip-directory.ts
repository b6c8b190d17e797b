import { fromFdPromise } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { baseName, isDataFile, isWorkbook } from "./file-name.ts";
import type { FileRange } from "./file-source.ts";
import { damagedZip, RegistryFileError } from "./registry-file-error.ts";

const STORED = 0;
const DEFLATED = 8;
const LISTED_NAMES = 8;
/** The registry's zips have about ten files. */
const MAX_ENTRIES = 1_000;
const WORKBOOK_PART = "xl/workbook.xml";
const OFFICE_DOCUMENT = "[Content_Types].xml";

/** The directory of a zip, ZIP64 included. */
export class ZipDirectory {
  readonly #path: string;
  readonly #fd: number;
  readonly #zip: ZipFile;
  readonly #entries: readonly Entry[];

  private constructor(
    path: string,
    fd: number,
    zip: ZipFile,
    entries: readonly Entry[],
  ) {
    this.#path = path;
    this.#fd = fd;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the directory at the end of an open file. Throws RegistryFileError if it is damaged. */
  static async read(path: string, fd: number): Promise<ZipDirectory> {
    try {
      const zip = await fromFdPromise(fd, {
        autoClose: false,
        lazyEntries: true,
      });
      if (zip.entryCount > MAX_ENTRIES)
        throw new RegistryFileError(
          `${path} contains ${zip.entryCount} files, more than ${MAX_ENTRIES}. Give the registry's zip.`,
        );
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry()) entries.push(entry);
      return new ZipDirectory(path, fd, zip, entries);
    } catch (error) {
      if (error instanceof RegistryFileError) throw error;
      throw damagedZip(path, "its list of contents cannot be read", error);
    }
  }

  /** True if the whole zip is a workbook. */
  get isWorkbook(): boolean {
    return this.#entries.some(({ fileName }) => fileName === WORKBOOK_PART);
  }

  /**
   * Finds the only provider file, or, without one, the only workbook in the zip. Throws RegistryFileError if there is
   * none, or several.
   */
  dataRange(): Promise<FileRange> {
    const [entry, another] = this.#named(isDataFile);
    if (entry !== undefined && another === undefined) return this.#range(entry);
    const [workbook, anotherBook] = this.#named(isWorkbook);
    if (
      entry === undefined &&
      workbook !== undefined &&
      anotherBook === undefined
    )
      return this.#range(workbook);
    const names = this.#entries
      .map(({ fileName }) => fileName)
      .filter((name) => !name.endsWith("/"));
    if (names.includes(OFFICE_DOCUMENT))
      throw new RegistryFileError(
        `${this.#path} looks like another kind of Office document. Give the registry's zip or CSV.`,
      );
    const many = entry !== undefined;
    const list = many ? names.filter((name) => isDataFile(name)) : names;
    throw new RegistryFileError(
      `${this.#path} contains ${many ? "more than one" : "no"} npidata_pfile CSV (${listed(list)}). Give a zip that contains exactly one, or the CSV itself.`,
    );
  }

  /** Finds the only entry for which `isWanted(name)`, or null. Throws RegistryFileError if there are several. */
  async rangeOfOnly(
    isWanted: (name: string) => boolean,
  ): Promise<FileRange | null> {
    const [entry, another] = this.#named(isWanted);
    if (entry === undefined) return null;
    if (another === undefined) return this.#range(entry);
    throw new RegistryFileError(
      `${this.#path} contains both ${entry.fileName} and ${another.fileName}. Give the zip as the registry publishes it, with only one of them.`,
    );
  }

  #named(isWanted: (name: string) => boolean): Entry[] {
    return this.#entries.filter(({ fileName }) => isWanted(fileName));
  }

  async #range(entry: Entry): Promise<FileRange> {
    const path = this.#path;
    const { compressedSize, compressionMethod, fileName } = entry;
    if (entry.isEncrypted())
      throw new RegistryFileError(
        `${path} is encrypted. Unpack ${fileName} with its password and give the CSV.`,
      );
    if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
      throw new RegistryFileError(
        `${path} uses an unsupported compression method (${compressionMethod}). Unpack ${fileName} and give the CSV.`,
      );
    return {
      path,
      fd: this.#fd,
      start: await this.#startOf(entry),
      bytesTotal: compressedSize,
      name: baseName(fileName),
      content: isWorkbook(fileName) ? "workbook" : "csv",
      entry: {
        isDeflated: compressionMethod === DEFLATED,
        bytes: entry.uncompressedSize,
        crc32: entry.crc32,
      },
    };
  }

  async #startOf(entry: Entry): Promise<number> {
    try {
      const header = await this.#zip.readLocalFileHeaderPromise(entry, {
        minimal: true,
      });
      return header.fileDataStart;
    } catch (error) {
      throw damagedZip(this.#path, "the entry's header cannot be read", error);
    }
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "it is empty";
  const shown = names.slice(0, LISTED_NAMES).join(", ");
  return names.length > LISTED_NAMES
    ? `${shown} and ${names.length - LISTED_NAMES} more`
    : shown;
}
