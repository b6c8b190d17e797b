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

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return decodeTarget(spaced) ?? spaced;
}
