/** The sets of columns of the explorer's downloads, the default first. `../export-columns.ts` has their columns. */
export const COLUMN_SETS = [
  { name: "calls", title: "Call list" },
  { name: "mail", title: "Mailing list" },
  { name: "all", title: "Everything" },
] as const;

export type ColumnSet = (typeof COLUMN_SETS)[number]["name"];
