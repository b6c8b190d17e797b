import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  PARTS,
  SECTIONS,
  type Members,
  type Section,
} from "../../contract/provider-fields.ts";
import type { CsvScanner } from "../../csv/csv-scanner.ts";
import { dayOfBytes } from "../../text/dates.ts";
import { npiOfBytes } from "../npi.ts";
import { CELL_COUNT, NEEDED_COLUMNS, slots } from "../rows/header.ts";
import type { CellSection, RowValues } from "../rows/values.ts";

/** The columns of the cells from CELL_COUNT on, each with its names in older files. A file may lack any of them. */
export const DETAIL_COLUMNS: (readonly string[])[] = [];

/** The sections of a provider's own row, and the cells of the texts of their records, one record after the other. */
const ROW_SECTIONS = Object.values<Section>(SECTIONS)
  .filter(({ from }) => from === "row")
  .map(rowSection);
const STATUS = SECTIONS.status.number;
/** The last cell of the status. */
const REPLACEMENT = ROW_SECTIONS.find(
  ({ number }) => number === STATUS,
)!.cells.at(-1)!;

export const ALL_CELL_COUNT = CELL_COUNT + DETAIL_COLUMNS.length;

/** Writes the details in a provider's own row as the start of a blob. */
export class DetailEncoder {
  readonly #scanner: CsvScanner;
  readonly #values: RowValues;
  readonly #sections: readonly (CellSection & { lowest: number })[];
  /** The cells that are dates. */
  readonly #dates: readonly number[];

  constructor(
    parts: ReadonlySet<DetailPart>,
    scanner: CsvScanner,
    values: RowValues,
  ) {
    this.#scanner = scanner;
    this.#values = values;
    const sections = ROW_SECTIONS.filter(({ part }) => parts.has(part));
    this.#sections = sections.map((section) => ({
      ...section,
      cells: values.list(section.cells),
    }));
    this.#dates = sections.flatMap(({ dates }) => dates);
  }

  /** Writes the details of an NPI's row at `to`, and returns their end. A withheld row has only the status. */
  encode(npi: number, isWithheld: boolean, to: number): number {
    const values = this.#values;
    const { bytes, ends, lastCell, starts } = this.#scanner;
    for (const cell of this.#dates)
      if (starts[cell] !== ends[cell])
        values.writeDay(cell, dayOfBytes(bytes, starts[cell]!, ends[cell]!));
    // The registry names some providers as their own replacement.
    if (npiOfBytes(bytes, starts[REPLACEMENT]!, ends[REPLACEMENT]!) === npi)
      ends[REPLACEMENT] = starts[REPLACEMENT]!;
    let at = to;
    for (const section of this.#sections)
      if (
        lastCell >= section.lowest &&
        (!isWithheld || section.number === STATUS)
      )
        at = values.section(section, at);
    return at;
  }
}

function rowSection({
  isKeyed = false,
  number,
  part,
  slots: count,
  texts,
}: Section) {
  const members: Members = PARTS[part].members;
  const columns = Object.values(texts).map((names) => [names].flat());
  const cells =
    count === undefined
      ? columns.map(cellOf)
      : slots(count, columns.flat()).map((name) => cellOf([name]));
  const dates = Object.keys(texts).map(
    (text) => members[text]?.kind === "date",
  );
  return {
    number,
    part,
    cells,
    texts: columns.length,
    isKeyed,
    isOnly: count === undefined,
    lowest: Math.min(...cells),
    dates: cells.filter((_, text) => dates[text]),
  };
}

/** Returns the cell of a column: that of every row, or a new one. */
function cellOf(names: readonly string[]): number {
  const known = NEEDED_COLUMNS.indexOf(names[0]!);
  return known < 0 ? CELL_COUNT + DETAIL_COLUMNS.push(names) - 1 : known + 1;
}
