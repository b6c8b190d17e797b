import { posix } from "node:path";
import { fromBufferPromise, type Entry, type ZipFile } from "yauzl";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { attributeOf, XmlScanner, type XmlHandlers } from "./xml-scanner.ts";

/** A cell: text, a number, or a date if the number is formatted as one; null if it is blank. */
export type CellValue = string | number | Date | null;

/** The fault of a workbook: `missing` if it has no such sheet, `large` if it exceeds a limit. */
export class WorkbookError extends Error {
  override readonly name = "WorkbookError";
  readonly fault: "broken" | "missing" | "large";

  constructor(
    fault: WorkbookError["fault"],
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.fault = fault;
  }
}

/** The maximum of an Excel sheet. With two columns, this is about 150 MB of XML. */
const MAX_ROWS = 1 << 20;
const MAX_SHEET_BYTES = 1 << 28;
/** The shared strings of that many rows. */
const MAX_STRINGS_BYTES = 1 << 27;
const MAX_STRINGS = MAX_ROWS * 2;
/** Limit for every other part, and for the number of entries. */
const MAX_PART_BYTES = 1 << 22;
const MAX_ENTRIES = 1_000;
/** Longer text, and cells further right, are never needed and skipped. */
const MAX_TEXT_LENGTH = 255;
const MAX_COLUMNS = 64;

const WORKBOOK = "xl/workbook.xml";
const WORKBOOK_LINKS = "xl/_rels/workbook.xml.rels";
const STRINGS = "xl/sharedStrings.xml";
const STYLES = "xl/styles.xml";

/** Excel counts days from 1899-12-30 (for dates after its nonexistent 29 February 1900), or from 1904-01-01. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1904 = 1_462;
const DAY_MS = 86_400_000;
/** Built-in number formats for dates, which a workbook need not define. */
const BUILTIN_DATE_FORMATS = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47,
]);
const QUOTED_IN_FORMAT = /"[^"]*"|\\.|\[[^\]]*\]/g;

/**
 * Reads one sheet of a workbook (.xlsx), row by row: `onRow` gets the cells by column, and the row number that Excel
 * shows. Keeps the workbook, its shared strings and one row in memory. Throws WorkbookError.
 */
export async function readSheetRows(
  workbook: Uint8Array,
  sheet: string,
  onRow: (cells: readonly CellValue[], line: number) => void,
): Promise<void> {
  const parts = await Parts.open(workbook);
  const { has1904Dates, link } = await findSheet(parts, sheet);
  const target = await findTarget(parts, link);
  const strings = await readStrings(parts);
  const isDate = await readDateStyles(parts);
  await parts.read(
    target,
    MAX_SHEET_BYTES,
    new SheetReader({ strings, isDate, has1904Dates, onRow }),
  );
}

/** The files in a workbook's zip. */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open({
    buffer,
    byteLength,
    byteOffset,
  }: Uint8Array): Promise<Parts> {
    return broken(async () => {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const zip = await fromBufferPromise(bytes, { lazyEntries: true });
      const entries = new Map<string, Entry>();
      if (zip.entryCount > MAX_ENTRIES)
        throw tooLarge(`it contains more than ${MAX_ENTRIES} files`);
      for await (const entry of zip.eachEntry())
        entries.set(entry.fileName, entry);
      return new Parts(zip, entries);
    });
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Reads a part as XML, up to `maxBytes`. */
  async read(
    name: string,
    maxBytes: number,
    handlers: XmlHandlers,
  ): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined)
      throw new WorkbookError("broken", `it lacks ${name}`);
    await broken(async () => {
      const scanner = new XmlScanner(handlers);
      const decoder = new TextDecoder("utf-8", { fatal: true });
      const stream = await this.#zip.openReadStreamPromise(entry);
      let bytes = 0;
      for await (const chunk of stream) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError("zlib hands out bytes");
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(`${name} is too long`);
        scanner.push(decoder.decode(chunk, { stream: true }));
      }
      scanner.push(decoder.decode());
      scanner.end();
    });
  }
}

/** Finds the part name of a sheet, and whether dates count from 1904. */
async function findSheet(
  parts: Parts,
  sheet: string,
): Promise<{ link: string; has1904Dates: boolean }> {
  let link: string | null = null;
  let has1904Dates = false;
  await parts.read(WORKBOOK, MAX_PART_BYTES, {
    open(name, attributes) {
      if (name === "workbookPr") {
        const value = attributeOf(attributes, "date1904");
        has1904Dates = value === "1" || value === "true";
      }
      if (name === "sheet" && attributeOf(attributes, "name") === sheet)
        link = attributeOf(attributes, "r:id");
    },
    close: ignore,
    text: ignore,
  });
  if (link === null)
    throw new WorkbookError("missing", `it has no sheet ${sheet}`);
  return { link, has1904Dates };
}

async function findTarget(parts: Parts, link: string): Promise<string> {
  let target: string | null = null;
  await parts.read(WORKBOOK_LINKS, MAX_PART_BYTES, {
    open(name, attributes) {
      if (name === "Relationship" && attributeOf(attributes, "Id") === link)
        target = attributeOf(attributes, "Target");
    },
    close: ignore,
    text: ignore,
  });
  if (target === null)
    throw new WorkbookError("broken", `it has no target for ${link}`);
  return posix.resolve("/xl", target).slice(1);
}

async function readStrings(parts: Parts): Promise<TextList> {
  const strings = new TextList();
  if (!parts.has(STRINGS)) return strings;
  const text = new CellText();
  await parts.read(STRINGS, MAX_STRINGS_BYTES, {
    open(name) {
      if (name === "si") text.begin();
      text.open(name);
    },
    close(name) {
      text.close(name);
      if (name !== "si") return;
      if (strings.count === MAX_STRINGS)
        throw tooLarge("it has too many strings");
      strings.add(text.value);
    },
    text: (piece) => text.add(piece),
  });
  return strings;
}

/** True if numbers of a style are formatted as dates. */
async function readDateStyles(
  parts: Parts,
): Promise<(style: number) => boolean> {
  const dates = new Set<number>();
  if (!parts.has(STYLES)) return () => false;
  const formats = new Set(BUILTIN_DATE_FORMATS);
  let isInStyles = false;
  let style = 0;
  await parts.read(STYLES, MAX_PART_BYTES, {
    open(name, attributes) {
      if (name === "cellXfs") isInStyles = true;
      if (name === "numFmt") {
        const code = attributeOf(attributes, "formatCode") ?? "";
        if (/[dmy]/i.test(code.replace(QUOTED_IN_FORMAT, "")))
          formats.add(Number(attributeOf(attributes, "numFmtId")));
      }
      if (name !== "xf" || !isInStyles) return;
      if (formats.has(Number(attributeOf(attributes, "numFmtId"))))
        dates.add(style);
      style++;
    },
    close(name) {
      if (name === "cellXfs") isInStyles = false;
    },
    text: ignore,
  });
  return (each) => dates.has(each);
}

interface SheetOptions {
  strings: TextList;
  isDate: (style: number) => boolean;
  has1904Dates: boolean;
  onRow: (cells: readonly CellValue[], line: number) => void;
}

/** Converts a sheet's XML into rows. */
class SheetReader implements XmlHandlers {
  readonly #options: SheetOptions;
  readonly #text = new CellText();
  #cells: CellValue[] = [];
  #line = 0;
  #rows = 0;
  #column = 0;
  #type: string | null = null;
  #style = 0;

  constructor(options: SheetOptions) {
    this.#options = options;
  }

  open(name: string, attributes: string): void {
    if (name === "row") {
      const number = attributeOf(attributes, "r");
      this.#line = number === null ? this.#line + 1 : Number(number);
      this.#cells = [];
      this.#column = 0;
    } else if (name === "c") {
      const place = attributeOf(attributes, "r");
      if (place !== null) this.#column = columnOf(place);
      this.#type = attributeOf(attributes, "t");
      this.#style = Number(attributeOf(attributes, "s") ?? 0);
      this.#text.begin();
    } else this.#text.open(name);
  }

  close(name: string): void {
    this.#text.close(name);
    if (name === "c") {
      const column = this.#column++;
      if (column < MAX_COLUMNS) this.#cells[column] = this.#value();
    }
    if (name !== "row") return;
    if (++this.#rows > MAX_ROWS) throw tooLarge("it has too many rows");
    this.#options.onRow(this.#cells, this.#line);
  }

  text(piece: string): void {
    this.#text.add(piece);
  }

  #value(): CellValue {
    const text = this.#text.value;
    if (text === "") return null;
    switch (this.#type) {
      case "s":
        return this.#options.strings.at(Number(text));
      case "str":
      case "inlineStr":
      case "d":
        return text;
      case "b":
      case "e":
        return null;
      default:
        return this.#number(Number(text));
    }
  }

  #number(number: number): CellValue {
    const { has1904Dates, isDate } = this.#options;
    if (!isDate(this.#style)) return number;
    const days = number - DAYS_TO_1970 + (has1904Dates ? DAYS_TO_1904 : 0);
    return new Date(Math.round(days * DAY_MS));
  }
}

/** The text of a cell or of a shared string: its value, or its runs without phonetic hints. */
class CellText {
  value = "";
  #isInside = false;
  #isPronounced = false;

  begin(): void {
    this.value = "";
    this.#isInside = false;
    this.#isPronounced = false;
  }

  open(name: string): void {
    if (name === "rPh") this.#isPronounced = true;
    if (name === "v" || name === "t") this.#isInside = !this.#isPronounced;
  }

  close(name: string): void {
    if (name === "rPh") this.#isPronounced = false;
    if (name === "v" || name === "t") this.#isInside = false;
  }

  add(piece: string): void {
    if (this.#isInside && this.value.length < MAX_TEXT_LENGTH)
      this.value += piece.slice(0, MAX_TEXT_LENGTH - this.value.length);
  }
}

/** Returns the number of a cell's column, from 0: `AB12` is 27. */
function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length; at++) {
    const letter = place.charCodeAt(at) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return Math.max(0, column - 1);
}

function tooLarge(message: string): WorkbookError {
  return new WorkbookError("large", message);
}

/** Converts errors from parsing a workbook's bytes to WorkbookError. */
async function broken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isExplained =
      error instanceof WorkbookError || error instanceof RegistryFileError;
    if (isExplained) throw error;
    throw new WorkbookError("broken", "it cannot be read", { cause: error });
  }
}

function ignore(): void {}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const BYTES_A_UNIT = 3;

/** Texts by number in compact memory: four bytes each in addition to the text. */
export class TextList {
  #bytes = new Uint8Array(1 << 16);
  #ends = new Uint32Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Bytes of all texts. */
  get bytes(): number {
    return this.#count === 0 ? 0 : this.#ends[this.#count - 1]!;
  }

  add(text: string): void {
    const start = this.bytes;
    const room = start + text.length * BYTES_A_UNIT;
    if (room > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(room * 2));
    if (this.#count === this.#ends.length)
      this.#ends = new Uint32Array(this.#ends.buffer.transfer(this.#count * 8));
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(start));
    this.#ends[this.#count++] = start + written;
  }

  /** Returns the text of a number, or null. */
  at(number: number): string | null {
    if (!Number.isInteger(number) || number < 0 || number >= this.#count)
      return null;
    const start = number === 0 ? 0 : this.#ends[number - 1]!;
    return decoder.decode(this.#bytes.subarray(start, this.#ends[number]));
  }
}
