import { readFileSync, statSync } from "node:fs";
import { CsvScanner } from "../csv/csv-scanner.ts";
import { decodeCell, readFirstRow, unquoted } from "../text/csv-text.ts";

/** A taxonomy as NUCC's table has it. */
export interface TaxonomyRow {
  /** Ten letters and digits, upper case. */
  readonly code: string;
  /** Its display name. */
  readonly name: string;
  /** The levels of NUCC's hierarchy, from the top; null if the table does not have them. */
  readonly grouping: string | null;
  readonly classification: string | null;
  readonly specialization: string | null;
}

/** NUCC's taxonomy codes and their display names. */
export interface TaxonomyTable {
  /** Returns the display name of a code (ten letters and digits, upper case), or null if the table does not have it. */
  name(code: string): string | null;
  /** Codes and display names, in source order. */
  entries(): Iterable<[code: string, name: string]>;
  /** Lists all of them, in source order. */
  rows(): Iterable<TaxonomyRow>;
}

/** The file is not a NUCC taxonomy CSV; the message says why and what to do. */
export class TaxonomyFileError extends Error {
  override readonly name = "TaxonomyFileError";
}

const CODE_COLUMN = "Code";
const NAME_COLUMN = "Display Name";
const CODE_CELL = 1;
const NAME_CELL = 2;
/** The columns that an edition may lack, and their cells. */
const OPTIONAL_CELLS = {
  Grouping: 3,
  Classification: 4,
  Specialization: 5,
} as const;
const CELL_COUNT = 6;
/** NUCC's file is about half a megabyte. */
const MAX_FILE_BYTES = 1 << 24;
const CODE = /^[0-9A-Z]{10}$/;
const OLD_EDITION =
  " NUCC's editions have that column since 21.1 (nucc_taxonomy_211.csv, July 2021).";

/**
 * Reads NUCC's CSV (`nucc_taxonomy_251.csv`), columns by header name, each cell in UTF-8, or else in windows-1252,
 * which older editions use. Throws TaxonomyFileError if the file is something else, and file system errors.
 */
export function readTaxonomyFile(path: string): TaxonomyTable {
  const { size } = statSync(path);
  if (size > MAX_FILE_BYTES)
    throw notTaxonomy(path, `it has ${Math.ceil(size / 1e6)} MB`);
  return parseTaxonomy(readFileSync(path), path);
}

/** Does what readTaxonomyFile does, for bytes in memory; `source` is their name in errors. */
export function parseTaxonomy(
  bytes: Uint8Array,
  source: string,
): TaxonomyTable {
  const header = readFirstRow(bytes, true);
  const columns = header?.cells.map((name) => name.trim()) ?? [];
  const cellOfColumn = new Uint16Array(columns.length);
  for (const [column, cell] of [
    [CODE_COLUMN, CODE_CELL],
    [NAME_COLUMN, NAME_CELL],
  ] as const) {
    const at = columns.indexOf(column);
    if (at === -1)
      throw notTaxonomy(
        source,
        `it has no column "${column}"`,
        columns.includes(CODE_COLUMN) ? OLD_EDITION : "",
      );
    cellOfColumn[at] = cell;
  }
  for (const [column, cell] of Object.entries(OPTIONAL_CELLS)) {
    const at = columns.indexOf(column);
    if (at !== -1) cellOfColumn[at] = cell;
  }
  const optional = (column: keyof typeof OPTIONAL_CELLS): string | null =>
    columns.includes(column)
      ? cellOf(scanner, OPTIONAL_CELLS[column]) || null
      : null;
  const rows = new Map<string, TaxonomyRow>();
  let record = 1;
  const read = (): void => {
    record++;
    const code = cellOf(scanner, CODE_CELL);
    const name = cellOf(scanner, NAME_CELL);
    if (code === "") return;
    if (!CODE.test(code))
      throw notTaxonomy(
        source,
        `record ${record} has the code "${code.slice(0, 40)}"`,
      );
    if (name !== "")
      rows.set(code, {
        code,
        name,
        grouping: optional("Grouping"),
        classification: optional("Classification"),
        specialization: optional("Specialization"),
      });
  };
  const scanner: CsvScanner = new CsvScanner(
    {
      columns: columns.length,
      cellOfColumn,
      cellCount: CELL_COUNT,
      firstLine: header?.nextLine ?? 1,
      maxRowBytes: MAX_FILE_BYTES,
    },
    // A record with missing or extra columns still counts.
    { row: read, fault: read },
  );
  scanner.push(bytes.subarray(header?.next ?? 0));
  scanner.end();
  if (rows.size === 0) throw notTaxonomy(source, "it has no codes");
  return tableOf(rows);
}

/** Makes a table that has only codes and names. */
export function taxonomyTable(
  names: ReadonlyMap<string, string>,
): TaxonomyTable {
  return tableOf(
    new Map(
      Array.from(names, ([code, name]) => [
        code,
        {
          code,
          name,
          grouping: null,
          classification: null,
          specialization: null,
        },
      ]),
    ),
  );
}

function tableOf(rows: ReadonlyMap<string, TaxonomyRow>): TaxonomyTable {
  return {
    name: (code) => rows.get(code)?.name ?? null,
    entries: () =>
      Array.from(rows.values(), ({ code, name }): [string, string] => [
        code,
        name,
      ]),
    rows: () => rows.values(),
  };
}

function cellOf({ bytes, ends, starts }: CsvScanner, cell: number): string {
  const text = decodeCell(bytes.subarray(starts[cell], ends[cell]));
  return unquoted(text).trim();
}

function notTaxonomy(
  source: string,
  why: string,
  note = "",
): TaxonomyFileError {
  return new TaxonomyFileError(
    `${source} is not a NUCC taxonomy file: ${why}. Give the CSV that NUCC publishes, with the columns "${CODE_COLUMN}" and "${NAME_COLUMN}".${note}`,
  );
}
