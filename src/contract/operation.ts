/** What a request is counted as. */
export const OPERATIONS = ["lookup", "search", "nearby", "changes"] as const;
export type Operation = (typeof OPERATIONS)[number];
