import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import type { Response } from "light-my-request";
import { errorOf, problemOf } from "../support/pure/http-error.ts";
import {
  startHttpService,
  type HttpService,
} from "../support/app/http-service.ts";
import { portalParts } from "../support/app/portal-parts.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";
import { REGISTRY_API_DEFAULTS } from "../support/app/service-settings.ts";

/** The services that groups name. */
const SERVICES: Readonly<Record<string, () => Promise<HttpService>>> = {
  plain: startHttpService,
  async "without-data"() {
    const service = await startHttpService();
    service.data.directory = null;
    return service;
  },
  "public-url": () =>
    startHttpService({ publicUrl: "https://directory.example/api" }),
  "open-registry-api": () =>
    startHttpService({
      settings: {
        registryApi: {
          ...REGISTRY_API_DEFAULTS,
          mode: "open",
          burstPerSecond: 1_000,
        },
      },
    }),
  portal: async () =>
    startHttpService({ portal: await portalParts({ explorer: "open" }) }),
  developers: async () =>
    startHttpService({ portal: await portalParts({ guide: "developers" }) }),
};

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

const table = readFileSync(
  new URL("golden-requests.txt", import.meta.url),
  "utf8",
);
const [, ...groups] = table.split(/^## /m);

for (const group of groups) {
  const [title = "", ...lines] = group.trimEnd().split("\n");
  test(title, async () => {
    const start = lines.indexOf("");
    const head = lines.slice(0, start);
    const setting = new Map(pairsOf(head.filter((line) => line[0] !== " ")));
    const {
      service: name = "plain",
      key = "$key",
      ...headers
    } = Object.fromEntries(setting);
    const everywhere = pairsOf(head.filter((line) => line[0] === " "));
    await using service = await SERVICES[name]!();
    const named = (text: string) => withValues(text, service.paidKey);
    for (const { expected, outcome, requests } of rowsOf(lines.slice(start)))
      for (const { headers: own, method, url } of requests) {
        const asked = `${method} ${url} ${JSON.stringify(own)}`;
        service.installation.clock.nowMs += 1_000;
        const given = Object.entries({
          ...(key === "none" ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
          ...Object.fromEntries(own),
        }).map(([header, value]) => [header, named(value)]);
        const response = await service.ask({
          method,
          url: named(url),
          headers: Object.fromEntries(given),
        });
        const [status = "", member] = outcome.split("; ");
        assert.equal(outcomeOf(response), status, asked);
        const facts = [...everywhere, ...expected];
        if (member !== undefined) facts.push(["has", nested(member)]);
        for (const [fact, value] of facts)
          assertFact(response, fact, named(value), `${asked} ${fact}`);
      }
  });
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
function withValues(text: string, key: string): string {
  const values = { ...SAMPLE, key, browser: BROWSER };
  let whole = text.replaceAll(
    /\{([^{}*\s]+)\*(\d+)\}/g,
    (_, part: string, times: string) => part.repeat(Number(times)),
  );
  for (const [name, value] of Object.entries(values))
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
function outcomeOf({ body, headers, statusCode }: Response): string {
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
  { body, headers }: Response,
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
