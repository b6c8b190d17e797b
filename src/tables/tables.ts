import type { DetailPart } from "../contract/detail-parts.ts";
import {
  memberColumn,
  memberColumns,
  recordColumns,
  type TableColumn,
} from "./columns.ts";

/** The order in which records are read for a table. */
export type Order = "place" | "npi";

/** A table of records, or of the entries of a list in them. */
export interface Table {
  /** The file's name without extension. */
  readonly name: string;
  readonly description: string;
  readonly order: Order;
  readonly columns: readonly TableColumn[];
  /** The list of the record whose entries are the rows; null if the records are. */
  readonly list: DetailPart | null;
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
      list: null,
    },
    {
      name: "providers-by-npi",
      description: "The same rows by NPI: to find single providers.",
      order: "npi",
      columns,
      list: null,
    },
    ...LIST_TABLES.filter(([, part]) => parts.includes(part)).map(
      ([name, part, description]): Table => ({
        name,
        description: `${description}, by NPI.`,
        order: "npi",
        columns: [memberColumn("npi"), ...memberColumns(part)],
        list: part,
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
export const CHANGE_COLUMNS: readonly TableColumn[] = [
  memberColumn("npi"),
  memberColumn("kind"),
  memberColumn("date", "date"),
  memberColumn("data_date", "date"),
  memberColumn("changed_fields", { listOf: "text" }),
  memberColumn("changed_details", { listOf: "text" }),
];

/** Lists the columns of CSV, and of the details that a provider has once. A name that is taken starts with the part's. */
function providerColumns(parts: readonly DetailPart[]): TableColumn[] {
  const columns = recordColumns();
  for (const [part, prefix] of MEMBER_PARTS) {
    if (!parts.includes(part)) continue;
    const taken = new Set(columns.map(({ name }) => name));
    const named = memberColumns(part, `${part}_`);
    for (const [index, column] of memberColumns(part, prefix).entries())
      columns.push(taken.has(column.name) ? named[index]! : column);
  }
  return columns;
}
