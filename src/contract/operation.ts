/** What a request is counted as. */
export const OPERATIONS = [
  "lookup",
  "batch",
  "search",
  "nearby",
  "changes",
  "taxonomies",
] as const;
export type Operation = (typeof OPERATIONS)[number];
