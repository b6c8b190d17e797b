/** What a counted answer was an answer to. */
export const OPERATIONS = ["lookup", "search", "nearby", "changes"] as const;
export type Operation = (typeof OPERATIONS)[number];
