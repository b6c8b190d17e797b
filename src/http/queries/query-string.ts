import { decodeTarget } from "../pipeline/request-check.ts";

/** A query string's parameters in their order, names and values decoded; `+` is a space, as forms send it. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** The query string of a request target: what follows the first `?`, or ''. */
export function queryOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

/** Splits a query string whose encoding has been checked (`request-check.ts`). */
export function parseQuery(query: string): QueryPairs {
  if (query === "") return [];
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals === -1
        ? [decode(pair), ""]
        : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
    });
}

/** Whether a value counts as not given: empty, or spaces alone. */
export function isBlank(value: string): boolean {
  return value.trim() === "";
}

/** Where a page stands among those of a query. */
export interface PageLinks {
  /** The query, whatever page it asks for. */
  readonly pairs: QueryPairs;
  readonly page: number;
  /** Whether a page follows. */
  readonly hasNext: boolean;
  /** The last page that can have rows, at least 1; the page itself where nobody knows. */
  readonly lastPage: number;
}

/** The value of a Link header (RFC 8288) with the first, the previous and the next page of the same question. */
export function pageLinks(
  path: string,
  { hasNext, lastPage, page, pairs }: PageLinks,
): string {
  const question = pairs
    .filter(([name, value]) => name !== "page" && !isBlank(value))
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`,
    )
    .join("");
  const link = (to: number, rel: string) =>
    `<${path}?${question}page=${to}>; rel="${rel}"`;
  const links = [link(1, "first")];
  // From far past the end, the page before that has rows is the last one.
  if (page > 1) links.push(link(Math.min(page - 1, lastPage), "prev"));
  if (hasNext) links.push(link(page + 1, "next"));
  return links.join(", ");
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return decodeTarget(spaced) ?? spaced;
}
