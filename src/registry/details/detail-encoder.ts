import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  PARTS,
  SECTIONS,
  type Members,
  type Section,
} from "../../contract/provider-fields.ts";
import { dayOfBytes } from "../../text/dates.ts";
import { npiOfBytes } from "../npi.ts";
import { Cell, CELL_COUNT, NEEDED_COLUMNS, slots } from "../rows/header.ts";
import type { PlainValues } from "../rows/plain-values.ts";
import type { ScannedRow } from "../rows/values.ts";
import { TextWriter } from "./text-writer.ts";

/** The columns of the cells from CELL_COUNT on, each with its names in older files. A file may lack any of them. */
export const DETAIL_COLUMNS: (readonly string[])[] = [];

/** A section of a provider's own row. */
interface RowSection {
  readonly number: number;
  readonly part: DetailPart;
  /** The cells of its records' texts, one record after the other. */
  readonly cells: readonly number[];
  /** How many texts a record has, and which of them are dates. */
  readonly texts: number;
  readonly dates: readonly boolean[];
  readonly hasSlots: boolean;
  readonly isKeyed: boolean;
  /** The lowest of the cells. */
  readonly lowest: number;
}

const ROW_SECTIONS = Object.values<Section>(SECTIONS)
  .filter(({ from }) => from === "row")
  .map(rowSection);
/** The NPI's deactivation, which few rows have. The other sections follow it. */
const STATUS = ROW_SECTIONS.find(
  ({ number }) => number === SECTIONS.status.number,
)!;
/** The last cell of the status. */
const REPLACEMENT = STATUS.cells.at(-1)!;

export const ALL_CELL_COUNT = CELL_COUNT + DETAIL_COLUMNS.length;

/** Writes the details in a provider's own row as the start of a blob. */
export class DetailEncoder {
  readonly #out = new TextWriter();
  readonly #plain: PlainValues;
  readonly #hasStatus: boolean;
  readonly #sections: readonly {
    readonly section: RowSection;
    readonly list: Uint16Array;
    readonly dateCell: number;
  }[];

  constructor(parts: ReadonlySet<DetailPart>, plain: PlainValues) {
    this.#plain = plain;
    this.#hasStatus = parts.has(STATUS.part);
    this.#sections = ROW_SECTIONS.filter(
      (section) => section !== STATUS && parts.has(section.part),
    ).map((section) => ({
      section,
      list: plain.list(section.hasSlots ? section.cells : []),
      dateCell: section.cells[section.dates.indexOf(true)] ?? 0,
    }));
  }

  /** What `encode` wrote, up to its result. */
  get bytes(): Uint8Array {
    return this.#out.bytes;
  }

  /** Writes a row's details in the scanner's memory at `to`, and returns their end; null if only `encode` can. */
  encodePlain(row: ScannedRow, to: number): number | null {
    if (!row.isPlain || (this.#hasStatus && hasStatus(row))) return null;
    const plain = this.#plain;
    const { bytes, ends, lastCell, starts } = row;
    let at = to;
    for (const { dateCell, list, section } of this.#sections) {
      const { hasSlots, isKeyed, lowest, number, texts } = section;
      if (lastCell < lowest) continue;
      at = hasSlots
        ? plain.records(number, list, texts, isKeyed, at)
        : plain.record(
            number,
            lowest,
            texts,
            at,
            dateCell,
            dateCell === 0
              ? 0
              : dayOfBytes(bytes, starts[dateCell]!, ends[dateCell]!),
          );
    }
    return at;
  }

  /** Writes a row's details, and returns their end. A withheld row has only the status. */
  encode(row: ScannedRow, isWithheld: boolean): number {
    const out = this.#out;
    out.at = 0;
    // The registry names some providers as their own replacement.
    const isOwn = npiOfCell(row, REPLACEMENT) === npiOfCell(row, Cell.npi);
    if (this.#hasStatus)
      this.#section(row, STATUS, STATUS.texts - (isOwn ? 1 : 0));
    if (!isWithheld)
      for (const { section } of this.#sections)
        this.#section(row, section, section.texts);
    return out.at;
  }

  /**
   * Writes a section with the first `count` texts of its records. Records without texts are left out, and so are the
   * trailing empty texts of an only record.
   */
  #section(
    row: ScannedRow,
    { cells, dates, hasSlots, isKeyed, lowest, number, texts }: RowSection,
    count: number,
  ): void {
    if (row.lastCell < lowest) return;
    const out = this.#out;
    const start = out.begin();
    for (let first = 0; first < cells.length; first += texts) {
      const record = out.at;
      out.filledTo = record;
      for (let text = 0; text < count; text++) {
        const cell = cells[first + text]!;
        if (dates[text] === true) out.date(row, cell);
        else out.cell(row, cell);
        if (isKeyed && out.filledTo === record) break;
      }
      if (out.filledTo === record || !hasSlots) out.at = out.filledTo;
    }
    out.section(number, start);
  }
}

function rowSection({
  isKeyed = false,
  number,
  part,
  slots: count,
  texts,
}: Section): RowSection {
  const members: Members = PARTS[part].members;
  const columns = Object.values(texts).map((names) => [names].flat());
  const cells =
    count === undefined
      ? columns.map(cellOf)
      : slots(count, columns.flat()).map((name) => cellOf([name]));
  return {
    number,
    part,
    cells,
    texts: columns.length,
    dates: Object.keys(texts).map((text) => members[text]?.kind === "date"),
    hasSlots: count !== undefined,
    isKeyed,
    lowest: Math.min(...cells),
  };
}

/** The cell of a column: that of every row, or a new one. */
function cellOf(names: readonly string[]): number {
  const known = NEEDED_COLUMNS.indexOf(names[0]!);
  return known < 0 ? CELL_COUNT + DETAIL_COLUMNS.push(names) - 1 : known + 1;
}

function npiOfCell({ bytes, ends, starts }: ScannedRow, cell: number): number {
  return npiOfBytes(bytes, starts[cell]!, ends[cell]!);
}

function hasStatus({ ends, starts }: ScannedRow): boolean {
  return STATUS.cells.some((cell) => starts[cell] !== ends[cell]);
}
