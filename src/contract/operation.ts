/** What a request is counted as. */
export const OPERATIONS = [
  "lookup",
  "batch",
  "search",
  "nearby",
  "changes",
  "taxonomies",
  "export",
  "registry_api",
] as const;
export type Operation = (typeof OPERATIONS)[number];
