import type { ProviderRecord, SearchEntry } from "../../contract/provider.ts";
import type { Arguments } from "./tool.ts";
import type { Cell, NextCall } from "../result.ts";

/** The rows of a page, by default and at most. */
export const DEFAULT_ROWS = 10;
export const MAX_ROWS = 50;

type Named = Pick<SearchEntry, "name" | "organization_name">;

/** Returns a provider's name as one text; null if the registry has none. */
export function nameOf({ name, organization_name: organization }: Named) {
  if (organization !== null) return organization;
  if (name === null) return null;
  const { credential, first, last, middle } = name;
  const given = [first, middle].filter(Boolean).join(" ");
  return [last, given, credential].filter(Boolean).join(", ");
}

/** Returns a specialty as one text. */
export function specialtyOf({
  primary_taxonomy: taxonomy,
}: Pick<SearchEntry | ProviderRecord, "primary_taxonomy">): string | null {
  return taxonomy?.description ?? taxonomy?.code ?? null;
}

export const PROVIDER_COLUMNS = [
  "NPI",
  "Name",
  "Specialty",
  "City",
  "State",
  "Status",
];

/** Returns the cells of a provider in a list. */
export function providerCells(entry: SearchEntry): Cell[] {
  const { city, npi, state, status } = entry;
  return [npi, nameOf(entry), specialtyOf(entry), city, state, status];
}

/** The page that a call asks for. */
interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Reads the page and the number of rows that a call asks for. */
export function pageOf({ limit, page }: Arguments): Page {
  return {
    page: typeof page === "number" ? page : 1,
    limit: typeof limit === "number" ? limit : DEFAULT_ROWS,
  };
}

/** Counts the rows on the pages before. */
export function rowsBefore({ limit, page }: Page): number {
  return (page - 1) * limit;
}

/**
 * Shows a page of `entries`, and the call for what comes after it. If not all rows fit, pages are smaller from there on,
 * so it may only end where such pages end.
 */
export function pageShown<Entry extends object>(
  tool: string,
  given: Arguments,
  snapshot: string | null,
  entries: readonly Entry[],
  hasMore: boolean,
  cellsOf: (entry: Entry) => Cell[],
) {
  const { limit, page } = pageOf(given);
  return {
    snapshot,
    rows: entries.map((entry) => ({ cells: cellsOf(entry), full: entry })),
    mayEndAt: (count: number) => limit % count === 0,
    next(count: number): NextCall | null {
      const isCut = count < entries.length;
      if (!isCut && !hasMore) return null;
      const size = isCut ? Math.max(1, count) : limit;
      const before = rowsBefore({ limit, page }) + (isCut ? count : limit);
      const next = { limit: size, page: before / size + 1, snapshot };
      return { tool, arguments: { ...given, ...next } };
    },
  };
}
