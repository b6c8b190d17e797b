import type { Static, TObject, TProperties, TSchema } from "typebox";
import { Compile } from "typebox/schema";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import { decodeTarget } from "../pipeline/request-check.ts";

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

/** What makes a text differ from what it encodes. */
const CODED = /[%+]/;
/** Numbers in plain decimal: no exponent, plus sign, hexadecimal or space. */
const WHOLE = /^[0-9]+$/;
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** The query string of a request target: everything after the first `?`, or ''. */
export function queryOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

/** Splits a query string whose encoding is valid (`request-check.ts`). */
export function parseQuery(query: string): QueryPairs {
  const pairs: [name: string, value: string][] = [];
  for (let start = 0; start < query.length;) {
    const next = query.indexOf("&", start);
    const end = next === -1 ? query.length : next;
    if (start < end) {
      const equals = query.indexOf("=", start);
      pairs.push(
        equals === -1 || equals > end
          ? [decode(query.slice(start, end)), ""]
          : [
              decode(query.slice(start, equals)),
              decode(query.slice(equals + 1, end)),
            ],
      );
    }
    start = end + 1;
  }
  return pairs;
}

/** Whether a value is blank and so treated as missing. */
export function isBlank(value: string): boolean {
  return value.trim() === "";
}

/** Makes a parser of query strings from a schema of parameters (`parameters.ts`). */
export function queryReader<P extends TProperties>(
  schema: TObject<P>,
): (query: string) => QueryReading<Static<TObject<P>>> {
  const whole = Compile(schema);
  const rules = new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      ruleOf(name, property),
    ]),
  );
  const known = [...rules.keys()].join(", ");
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
    let knownAreListed = false;
    for (const [name, text] of pairs) {
      const rule = rules.get(name);
      if (rule === undefined) {
        // List the known names only once: thousands of unknown ones would make the answer huge.
        problems.set(
          name,
          invalid(name, unknownName(name, knownAreListed ? null : known)),
        );
        knownAreListed = true;
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
    if (found.length === 0 && whole.Check(values))
      return { value: values, problems: found, given, pairs };
    return { value: null, problems: found, given, pairs };
  }
}

/** The failure for bad parameters; there must be at least one. */
export function parameterFailure(problems: readonly FailureDetail[]): Failure {
  const first = problems[0];
  if (first === undefined)
    throw new Error("A parameter failure without a bad parameter.");
  return { code: first.code, message: first.message, details: problems };
}

/** A page's position among the pages of a query. */
export interface PageLinks {
  /** The query string's parameters, with any page number. */
  readonly pairs: QueryPairs;
  readonly page: number;
  /** Whether there is a next page. */
  readonly hasNext: boolean;
  /** The last page with results, at least 1; the current page if unknown. */
  readonly lastPage: number;
}

/** The value of a Link header (RFC 8288) with the first, previous and next page of a query. */
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

interface ParameterRule {
  readonly message: string;
  readonly byDefault: unknown;
  convert(text: string): unknown;
  accepts(value: unknown): boolean;
}

function ruleOf(name: string, schema: TSchema): ParameterRule {
  const check = Compile(schema);
  return {
    message: `${name} must be ${String(keyword(schema, "x-rule"))}.`,
    byDefault: keyword(schema, "default"),
    convert: converterOf(schema),
    accepts: (value) => check.Check(value),
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

function invalid(param: string, message: string): FailureDetail {
  return { param, code: "invalid_parameter", message };
}

/** `known` is null if another message already lists the known names. */
function unknownName(name: string, known: string | null): string {
  const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  const absent = `Unknown parameter "${shown}".`;
  if (known === null) return absent;
  return known === ""
    ? `${absent} This path takes no parameters.`
    : `${absent} Valid parameters: ${known}.`;
}

function decode(text: string): string {
  if (!CODED.test(text)) return text;
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return decodeTarget(spaced) ?? spaced;
}
