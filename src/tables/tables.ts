import type { DetailPart } from "../contract/detail-parts.ts";
import {
  dateColumn,
  memberColumns,
  memberOf,
  recordColumns,
  textColumn,
  textListColumn,
  type ParquetColumn,
} from "./parquet-columns.ts";

/** The order in which records are read for a table. */
export type Order = "place" | "npi";

/** A table of records, or of the entries of a list in them. */
export interface Table {
  /** The file's name without extension. */
  readonly name: string;
  readonly description: string;
  readonly order: Order;
  readonly columns: readonly ParquetColumn[];
  /** Returns the rows of a record, which was parsed from JSON. */
  readonly rowsOf: (record: unknown) => readonly unknown[];
}

/** An entry of a list in a record. */
interface EntryRow {
  readonly npi: unknown;
  readonly entry: unknown;
}

/** The parts of details whose members are columns of a provider, and the start of their names. */
const MEMBER_PARTS = [
  ["identity", ""],
  ["mailing_address", "mailing_"],
] as const satisfies [DetailPart, string][];

/** The parts that are separate tables, by their names there. */
const LIST_TABLES = [
  ["taxonomies", "taxonomies", "A row for each taxonomy of a provider"],
  ["other_names", "other_names", "A row for each former or other name"],
  [
    "practice_locations",
    "locations",
    "A row for each secondary practice location",
  ],
  ["identifiers", "identifiers", "A row for each number that others gave"],
  ["endpoints", "endpoints", "A row for each electronic address"],
] as const satisfies [string, DetailPart, string][];

/** Lists the tables of a snapshot that has some parts of the details. */
export function tablesOf(parts: readonly DetailPart[]): Table[] {
  const columns = providerColumns(parts);
  return [
    {
      name: "providers",
      description:
        "A row for each provider, by state, ZIP and taxonomy: for queries about places and specialties.",
      order: "place",
      columns,
      rowsOf: itself,
    },
    {
      name: "providers-by-npi",
      description: "The same rows by NPI: to find single providers.",
      order: "npi",
      columns,
      rowsOf: itself,
    },
    ...LIST_TABLES.filter(([, part]) => parts.includes(part)).map(
      ([name, part, description]): Table => ({
        name,
        description: `${description}, by NPI.`,
        order: "npi",
        columns: [
          textColumn("npi"),
          ...memberColumns(part, "", (row) => memberOf(row, "entry")),
        ],
        rowsOf: (record) => entriesOf(record, part),
      }),
    ),
  ];
}

/** Chooses the parts of the details whose members are columns of a provider. */
export function memberParts(parts: readonly DetailPart[]): DetailPart[] {
  return MEMBER_PARTS.map(([part]) => part).filter((part) =>
    parts.includes(part),
  );
}

/** The columns of `changes.parquet`. */
export const CHANGE_COLUMNS: readonly ParquetColumn[] = [
  textColumn("npi"),
  textColumn("kind"),
  dateColumn("date"),
  dateColumn("data_date"),
  textListColumn("changed_fields"),
  textListColumn("changed_details"),
];

/** Lists the columns of CSV, and of the details that a provider has once. A name that is taken starts with the part's. */
function providerColumns(parts: readonly DetailPart[]): ParquetColumn[] {
  const columns = recordColumns();
  for (const [part, prefix] of MEMBER_PARTS) {
    if (!parts.includes(part)) continue;
    const taken = new Set(columns.map(({ name }) => name));
    const valueOf = (record: unknown): unknown => memberOf(record, part);
    const named = memberColumns(part, `${part}_`, valueOf);
    for (const [index, column] of memberColumns(
      part,
      prefix,
      valueOf,
    ).entries())
      columns.push(taken.has(column.name) ? named[index]! : column);
  }
  return columns;
}

function entriesOf(record: unknown, part: DetailPart): EntryRow[] {
  const entries = memberOf(record, part);
  const npi = memberOf(record, "npi");
  return Array.isArray(entries)
    ? entries.map((entry: unknown) => ({ npi, entry }))
    : [];
}

function itself(record: unknown): readonly unknown[] {
  return [record];
}
