import type { Static, TObject, TProperties, TSchema } from "typebox";
import { Compile } from "typebox/schema";
import type { ErrorCode } from "../../contract/errors/errors.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";

/** A query string's parameters in order, names and values decoded; `+` is a space, as in HTML forms. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** A parsed query string: its values, or every bad parameter in the order of the query string. */
export interface QueryReading<T> {
  /** Null if there are problems. */
  readonly value: T | null;
  readonly problems: readonly FailureDetail[];
  /** The parameters that are not blank, valid or not. */
  readonly given: ReadonlySet<string>;
  readonly pairs: QueryPairs;
}

/** Numbers in plain decimal: no exponent, plus sign, hexadecimal or space. */
const WHOLE = /^[0-9]+$/;
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Returns the query string of a request target: everything after the first `?`, or ''. */
export function queryOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

/** Splits a query string whose encoding is valid (`request-check.ts`). */
export function parseQuery(query: string): QueryPairs {
  // `URLSearchParams` would take a "?" at the start for the mark of the query.
  return [...new URLSearchParams(`&${query}`)];
}

/** True if a value is blank and so treated as missing. */
export function isBlank(value: string): boolean {
  return value.trim() === "";
}

/** Parses query strings. */
export type QueryReader<T> = (query: string) => QueryReading<T>;

/** Makes a parser of query strings from a schema of parameters (`parameters.ts`). */
export function queryReader<P extends TProperties>(
  schema: TObject<P>,
): QueryReader<Static<TObject<P>>> {
  const whole = Compile(schema);
  const rules = new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      ruleOf(name, property),
    ]),
  );
  const known =
    rules.size === 0
      ? " This path takes no parameters."
      : ` Valid parameters: ${[...rules.keys()].join(", ")}.`;
  const defaults = Object.fromEntries(
    [...rules].flatMap(([name, { byDefault }]) =>
      byDefault === undefined ? [] : [[name, byDefault]],
    ),
  );

  // Most lookups have no query string.
  const nothing = read("");
  return (query) => (query === "" ? nothing : read(query));

  function read(query: string): QueryReading<Static<TObject<P>>> {
    const pairs = parseQuery(query);
    const problems = new Map<string, FailureDetail | null>();
    const values: Record<string, unknown> = { ...defaults };
    const given = new Set<string>();
    // Listed only once: thousands of unknown ones would make the answer huge.
    let listing = known;
    for (const [name, text] of pairs) {
      const rule = rules.get(name);
      if (rule === undefined) {
        const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
        const message = `Unknown parameter "${shown}".${listing}`;
        problems.set(name, invalid(name, message));
        listing = "";
      } else if (problems.has(name)) {
        problems.set(name, invalid(name, `${name} is given more than once.`));
      } else {
        // A map keeps the order of first mention, even for a parameter that turns out to be repeated.
        problems.set(name, null);
        if (isBlank(text)) continue;
        given.add(name);
        const value = rule.convert(text);
        if (rule.accepts(value)) values[name] = value;
        else problems.set(name, invalid(name, rule.message));
      }
    }
    const found = [...problems.values()].filter((problem) => problem !== null);
    const value = found.length === 0 && whole.Check(values) ? values : null;
    return { value, problems: found, given, pairs };
  }
}

/** Makes the failure for bad parameters; there must be at least one. */
export function parameterFailure(problems: readonly FailureDetail[]): Failure {
  const [first] = problems;
  if (first === undefined)
    throw new Error("A parameter failure without a bad parameter.");
  return { code: first.code, message: first.message, details: problems };
}

/** A page's position among the pages of a query. */
export interface PageLinks {
  /** The query string's parameters, with any page number. */
  readonly pairs: QueryPairs;
  readonly page: number;
  /** True if there is a next page. */
  readonly hasNext: boolean;
  /** The last page with results, at least 1; the current page if unknown. */
  readonly lastPage: number;
}

/** Makes the value of a Link header (RFC 8288) with the first, previous and next page of a query. */
export function pageLinks(
  path: string,
  { hasNext, lastPage, page, pairs }: PageLinks,
): string {
  let query = "";
  for (const [name, value] of pairs)
    if (name !== "page" && !isBlank(value))
      query += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`;
  const link = (to: number, rel: string) =>
    `<${path}?${query}page=${to}>; rel="${rel}"`;
  const links = [link(1, "first")];
  // From far past the end, the previous page is the last one with results.
  if (page > 1) links.push(link(Math.min(page - 1, lastPage), "prev"));
  if (hasNext) links.push(link(page + 1, "next"));
  return links.join(", ");
}

/** Makes the rule of a parameter's values. */
export function ruleOf(name: string, schema: TSchema) {
  const check = Compile(schema);
  return {
    message: `${name} must be ${String(keyword(schema, "x-rule"))}.`,
    byDefault: keyword(schema, "default"),
    convert: converterOf(schema),
    accepts: (value: unknown) => check.Check(value),
  };
}

/**
 * Converts text to the schema's type, and comma-separated lists to arrays. Text that cannot be converted stays text,
 * which the schema then rejects.
 */
function converterOf(schema: object): (text: string) => unknown {
  const type = keyword(schema, "type");
  if (type === "integer")
    return (text) => (WHOLE.test(text) ? Number(text) : text);
  if (type === "number")
    return (text) => (DECIMAL.test(text) ? Number(text) + 0 : text);
  const items = keyword(schema, "items");
  if (typeof items === "object" && items !== null) {
    const convert = converterOf(items);
    return (text) => text.split(",").map((item) => convert(item.trim()));
  }
  const allowed = keyword(schema, "enum");
  if (!Array.isArray(allowed)) return (text) => text;
  const spelling = new Map(
    allowed.map((value) => [String(value).toLowerCase(), value]),
  );
  return (text) => spelling.get(text.toLowerCase()) ?? text;
}

function keyword(schema: object, name: string): unknown {
  return Reflect.get(schema, name);
}

/** Returns the failure of an invalid parameter. */
export function invalid(
  param: string,
  message: string,
  code: ErrorCode = "invalid_parameter",
): FailureDetail {
  return { param, code, message };
}
