import { ENTRY_COLUMNS, type Value } from "../rows.ts";
import { PAGE_LIMIT } from "./question.ts";

/** A statement in which `$1`, `$2` … stand for its values. */
export interface Statement {
  sql: string;
  values: readonly Value[];
}

/** The providers that a question asks for. */
export interface Matching {
  /** The table that the condition is about, or a join; it has the column `ord`. */
  table: string;
  where: string;
  /** The expression of the tier, best first; null without tiers. */
  tier: string | null;
  values: readonly Value[];
  /** True if finding them costs so much that it is better to hold them than to find them twice. */
  isCostly: boolean;
}

/** The record of an NPI. */
export const RECORD_SQL = "SELECT * FROM provider WHERE npi = $1";

/** A page of all providers, their place in the order from `$1` to before `$2`, and how many there are. */
export const ALL_SQL = `SELECT (SELECT max(ord) + 1 FROM provider) AS total, ${ENTRY_COLUMNS.join(", ")}
  FROM provider WHERE ord >= $1 AND ord < $2 ORDER BY ord`;

/** The columns of an entry, also where another table has columns of these names. */
export const ENTRY = ENTRY_COLUMNS.map((column) => `provider.${column}`).join(
  ", ",
);

/**
 * The total, in each row, and the page in one statement, which finds the matches twice where that is cheaper than to
 * hold them.
 */
export function totalAndPage(matching: Matching): Statement {
  return matching.isCostly
    ? materializedOnce(matching)
    : scannedTwice(matching);
}

/** The same, the matches found once and held. */
export function materializedOnce({
  table,
  where,
  tier,
  values,
}: Matching): Statement {
  const order = tier === null ? "ord" : "tier, ord";
  return {
    sql: `
      WITH hit AS MATERIALIZED (
        SELECT ord${tier === null ? "" : `, ${tier} AS tier`}
        FROM ${table} WHERE ${where}
      )
      SELECT (SELECT count(*) FROM hit) AS total, ${ENTRY}
      FROM (SELECT * FROM hit ORDER BY ${order} LIMIT ${PAGE_LIMIT}) page
      JOIN provider USING (ord) ORDER BY ${order}`,
    values,
  };
}

function scannedTwice({ table, where, tier, values }: Matching): Statement {
  const order = tier === null ? "ord" : "tier, ord";
  return {
    sql: `
      SELECT (SELECT count(*) FROM ${table} WHERE ${where}) AS total, ${ENTRY}
      FROM (
        SELECT ord${tier === null ? "" : `, ${tier} AS tier`}
        FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${PAGE_LIMIT}
      ) page JOIN provider USING (ord) ORDER BY ${order}`,
    values,
  };
}
