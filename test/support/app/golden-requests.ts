/** The table of requests to the sample's providers, `test/http/golden-requests.txt`, sent to any service. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { SAMPLE } from "../pure/engine/sample-directory.ts";
import { errorOf, problemOf } from "../pure/http-error.ts";
import type { Answer } from "./check-answer.ts";

const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";
const REQUEST = /^(?:([A-Z,]+) )?(\/\S*(?: \/\S*)*)((?: \| .*?)?)(?: → (.*))?$/;
/** The methods of requests in the table. */
const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "PROPFIND",
] as const;
/** What indented lines say, if it is no header of the response. */
const FACTS: ReadonlySet<string> = new Set(["body", "has", "message"]);

type Pairs = readonly (readonly [name: string, value: string])[];

/** Requests with the same response. */
interface Row {
  readonly requests: {
    readonly method: (typeof METHODS)[number];
    readonly url: string;
    readonly headers: Pairs;
  }[];
  outcome: string;
  readonly expected: (readonly [name: string, value: string])[];
}

/** Requests that show a behavior. */
interface GoldenGroup {
  readonly title: string;
  /** The name of the service that gets them. */
  readonly service: string;
  /** The headers of all requests. */
  readonly headers: Pairs;
  /** What all responses must have. */
  readonly everywhere: Pairs;
  readonly rows: readonly Row[];
}

export interface GoldenRequest {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A service over the sample's providers. */
interface GoldenService {
  readonly key: string;
  /** The pattern of request ids that it makes. */
  readonly madeId: string;
  /** Sends a request; `localUrl` is where this machine reaches what answered. */
  readonly ask: (
    request: GoldenRequest,
  ) => Promise<{ readonly answer: Answer; readonly localUrl: string }>;
}

export const GOLDEN_GROUPS: readonly GoldenGroup[] = readFileSync(
  new URL("../../http/golden-requests.txt", import.meta.url),
  "utf8",
)
  .split(/^## /m)
  .slice(1)
  .map(groupOf);

/** Sends the requests of a group one after another, and fails on a response that is not as the table says. */
export async function sendGroup(
  { everywhere, headers, rows }: GoldenGroup,
  { ask, key, madeId }: GoldenService,
): Promise<void> {
  for (const { expected, outcome, requests } of rows)
    for (const { headers: own, method, url } of requests) {
      const asked = `${method} ${url} ${JSON.stringify(own)}`;
      const given = Object.entries(
        Object.fromEntries([...headers, ...own]),
      ).map(([header, value]) => [header, withValues(value, { key })]);
      const { answer, localUrl } = await ask({
        method,
        url: withValues(url, { key }),
        headers: Object.fromEntries(given),
      });
      const [status = "", member] = outcome.split("; ");
      assert.equal(outcomeOf(answer), status, asked);
      const facts = [...everywhere, ...expected];
      if (member !== undefined) facts.push(["has", nested(member)]);
      const values = { key, local_url: localUrl, made_id: madeId };
      for (const [fact, value] of facts)
        assertFact(answer, fact, withValues(value, values), `${asked} ${fact}`);
    }
}

function groupOf(group: string): GoldenGroup {
  const [title = "", ...lines] = group.trimEnd().split("\n");
  const start = lines.indexOf("");
  const head = lines.slice(0, start);
  const {
    service = "plain",
    key = "$key",
    ...headers
  } = Object.fromEntries(pairsOf(head.filter((line) => line[0] !== " ")));
  return {
    title,
    service,
    headers: Object.entries({
      ...(key === "none" ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    }),
    everywhere: pairsOf(head.filter((line) => line[0] === " ")),
    rows: rowsOf(lines.slice(start)),
  };
}

/** Reads the requests of a group. Lines that are indented by more than two spaces continue the value before. */
function rowsOf(lines: readonly string[]): Row[] {
  const rows: Row[] = [];
  let row: Row = { requests: [], outcome: "", expected: [] };
  const text = lines.join("\n").replaceAll(/\n(?= {3}| {2}[}\]])/g, " ");
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    if (line.startsWith("  ")) {
      row.expected.push(...pairsOf([line]));
      continue;
    }
    const [, methods = "GET", urls = "", given = "", outcome] =
      REQUEST.exec(line) ?? assert.fail(`not a request: ${line}`);
    if (row.outcome !== "") row = { requests: [], outcome: "", expected: [] };
    if (row.requests.length === 0) rows.push(row);
    const headers = pairsOf(given.split(" | ").slice(1));
    for (const url of urls.split(" "))
      for (const name of methods.split(",")) {
        const method = METHODS.find((each) => each === name);
        assert.ok(method !== undefined, line);
        row.requests.push({ method, url, headers });
      }
    row.outcome = outcome ?? "";
  }
  return rows;
}

/** Names and values. A value in quotes is a JSON string. */
function pairsOf(lines: readonly string[]): Pairs {
  return lines.map((line) => {
    const [, name = "", value = ""] = /^ *([\w-]+): (.*)$/.exec(line) ?? [];
    assert.notEqual(name, "", line);
    return [name, value.startsWith('"') ? String(JSON.parse(value)) : value];
  });
}

/** Replaces `$name` and `{text*3}` in a text by what they stand for. */
function withValues(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  let whole = text.replaceAll(
    /\{([^{}*\s]+)\*(\d+)\}/g,
    (_, part: string, times: string) => part.repeat(Number(times)),
  );
  const all = { ...SAMPLE, browser: BROWSER, ...values };
  for (const [name, value] of Object.entries(all))
    whole = whole.replaceAll(`$${name}`, value);
  return whole;
}

/** A member as JSON: `meta.total: 3` is `{"meta":{"total":3}}`. */
function nested(member: string): string {
  const [, path = "", value = ""] = /^([\w.]+): (.*)$/.exec(member) ?? [];
  const names = path.split(".");
  return (
    names.map((name) => `{"${name}":`).join("") +
    value +
    "}".repeat(names.length)
  );
}

/** The status, and of an error its code, or its bad parameters with theirs. */
function outcomeOf({ body, headers, statusCode }: Answer): string {
  const type = String(headers["content-type"]);
  if (statusCode < 400 || body === "" || !type.includes("json"))
    return String(statusCode);
  const error = type.includes("problem") ? problemOf(body) : errorOf(body);
  assert.equal(error.status, statusCode);
  const { code, details, param } = error;
  if (details === undefined) {
    assert.equal(param, undefined);
    return `${statusCode} ${code}`;
  }
  const message = "message" in error ? error.message : error.detail;
  assert.deepEqual(details[0], { param, code, message });
  const listed = details.map((each) => `${each.param} ${each.code}`);
  return `${statusCode} ${listed.join(", ")}`;
}

function assertFact(
  { body, headers }: Answer,
  name: string,
  value: string,
  place: string,
): void {
  if (!FACTS.has(name))
    return assertText(headers[name]?.toString(), value, place);
  if (name === "message")
    return assertText(errorOf(body).message, value, place);
  if (name === "has")
    return assertMembers(JSON.parse(body), JSON.parse(value), place);
  const isJson = /^[[{]/.test(value);
  assertText(
    body === "" ? undefined : body,
    isJson ? JSON.stringify(JSON.parse(value)) : value,
    place,
  );
}

function assertText(
  actual: string | undefined,
  expected: string,
  place: string,
): void {
  const pattern = /^\/(.*)\/$/.exec(expected)?.[1];
  if (pattern !== undefined)
    assert.match(actual ?? "", new RegExp(pattern), place);
  else
    assert.equal(actual, expected === "(none)" ? undefined : expected, place);
}

/** Fails unless a value has the members of another, and a list the same ones. */
function assertMembers(
  actual: unknown,
  expected: unknown,
  place: string,
): void {
  if (typeof expected !== "object" || expected === null)
    return assert.equal(actual, expected, place);
  assert.ok(typeof actual === "object" && actual !== null, place);
  if (Array.isArray(expected))
    assert.equal(Object(actual).length, expected.length, place);
  for (const [name, value] of Object.entries(expected))
    assertMembers(Reflect.get(actual, name), value, `${place}.${name}`);
}
