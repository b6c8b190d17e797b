/**
 * The requests that two programs are compared by. They are made from the contract's schemas and the table of routes, so
 * a new parameter or route is included without being added here.
 */
import type { TObject, TSchema } from "typebox";
import {
  ALTERNATIVES_PARAMETERS,
  SUGGEST_PARAMETERS,
} from "../../src/contract/explorer/suggest.ts";
import {
  MapNearbyParameters,
  MapSearchParameters,
  NearbyParameters,
  SearchParameters,
} from "../../src/contract/parameters.ts";
import type { Route } from "../../src/http/routes/route.ts";
import { ROUTES } from "../../src/http/routes/table.ts";
import type { RawRequest, Request } from "./exchange.ts";
import { edgeValues, validValues } from "./values.ts";

/** What the requests refer to in the data folder. */
export interface Known {
  /** API keys by the state of the key or its account. `bulk` has a quota that no run uses up. */
  readonly keys: Readonly<Record<KeyState, string>>;
  readonly npis: readonly string[];
  /** The ID of the served snapshot, and of one that is no longer served. */
  readonly snapshots: readonly string[];
  /** Values that find something, by parameter. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

export type KeyState =
  "bulk" | "revoked" | "suspended" | "spent" | "burst" | "unknown" | "mistyped";

/** What the explorer's paths take that the OpenAPI document does not describe. */
const EXPLORER_PARAMETERS: Readonly<Record<string, TObject>> = {
  "/explore/search": SearchParameters,
  "/explore/nearby": NearbyParameters,
  "/explore/map/search": MapSearchParameters,
  "/explore/map/nearby": MapNearbyParameters,
  "/explore/suggest": SUGGEST_PARAMETERS.search,
  "/explore/alternatives": ALTERNATIVES_PARAMETERS.search,
};

const METHODS = ["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE"];
const ENCODINGS = ["gzip", "br", "zstd", "identity", "*", "gzip;q=0", "x, br"];
const TYPES = [
  "application/json",
  "application/problem+json",
  "application/x-ndjson",
  "text/csv",
  "text/html",
  "text/html, */*;q=0.1",
  "nonsense",
];
const TEXTS = [
  "dr smith cardiologist chicago",
  "nurse near 60601",
  "dentist in houston, tx",
  "1234567893",
  "john smiht",
  "family practice",
  "",
];

/** A small generator of repeatable random numbers (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Makes the requests. `combinations` is the number of random combinations of valid parameters for each path; everything
 * else is made once. Of requests that don't count on those before them, only every n-th is made.
 */
export function* requests(
  known: Known,
  { combinations, every }: { combinations: number; every: number },
): Generator<Request> {
  let made = 0;
  for (const request of operationRequests(known, combinations))
    if (made++ % every === 0) yield request;
  yield* keyRequests(known);
  yield* brokenOffRequests(known);
  for (const request of otherRoutes(known))
    if (made++ % every === 0) yield request;
}

/** Paths that read data, with their parameters and the headers that let them in. */
function* operationRequests(
  known: Known,
  combinations: number,
): Generator<Request> {
  for (const route of ROUTES) {
    const isExplorer = ["explorer", "download", "check"].includes(route.access);
    if (
      !isExplorer &&
      route.access !== "key" &&
      route.access !== "registry_api"
    )
      continue;
    const properties = parametersOf(route);
    const headers: Record<string, string> = isExplorer
      ? { "sec-fetch-site": "same-origin" }
      : { authorization: `Bearer ${known.keys.bulk}` };
    const make = makerOf(route, headers, known);
    yield make("plain", "");
    yield* oneParameter(properties, known, make);
    const random = randomFrom(route.path.length);
    for (let i = 0; i < combinations; i++)
      yield make(`combination ${i}`, combined(properties, known, random));
    yield* manners(make, combined(properties, known, random));
    for (const npi of pathValues(route, known))
      yield make("path", "", { path: npi });
  }
}

interface Changes {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

type Make = (what: string, query: string, changes?: Changes) => Request;

function makerOf(
  route: Route,
  headers: Readonly<Record<string, string>>,
  known: Known,
): Make {
  const [first = ""] = pathValues(route, known);
  let sent = 0;
  return (
    what,
    query,
    { headers: more, method = "GET", path = first } = {},
  ) => ({
    name: `${route.path}: ${what}`,
    method,
    target: `${route.path.replace(/:\w+|\*$/, path)}${query === "" ? "" : `?${query}`}`,
    headers: { "x-request-id": `request-${++sent}`, ...headers, ...more },
  });
}

function parametersOf(route: Route): Readonly<Record<string, TSchema>> {
  const path = route.path.replace(/\.\w+$/, "");
  const described =
    route.described?.query ??
    EXPLORER_PARAMETERS[path] ??
    ROUTES.find(
      ({ described: each, path: other }) =>
        each !== undefined &&
        other.split("/").at(-1) === path.split("/").at(-1),
    )?.described?.query;
  return described?.properties ?? {};
}

function pathValues({ path }: Route, { found, npis }: Known): string[] {
  if (path.includes(":npi"))
    return [...npis, "1234567890", "123", "abcdefghij", "2000000002", "%00"];
  if (path.includes(":code"))
    return [...(found["taxonomy"] ?? []), "207Q00000X", "000", "!".repeat(10)];
  return path.includes(":") || path.endsWith("*") ? ["other"] : [];
}

/** Each parameter by itself: valid, blank, repeated, unknown, out of range, odd. */
function* oneParameter(
  properties: Readonly<Record<string, TSchema>>,
  known: Known,
  make: Make,
): Generator<Request> {
  // Nearby needs a place, and batches need NPIs, before anything else is looked at.
  const needed = [
    ...("radius" in properties ? ["zip=60601&"] : []),
    ...("npi" in properties ? [`npi=${known.npis.join(",")}&`] : []),
  ];
  for (const place of ["", ...needed])
    for (const [name, schema] of Object.entries(properties)) {
      if (place.startsWith(`${name}=`)) continue;
      for (const value of valuesOf(name, schema, known))
        yield make(`${name} valid`, `${place}${name}=${value}`);
      for (const value of edgeValues(schema))
        yield make(`${name} at its edge`, `${place}${name}=${value}`);
      yield make(`${name} repeated`, `${place}${name}=a&${name}=b`);
      yield make(`${name} unknown`, `${place}${name}x=a&${name}=`);
      yield make(`${name} without a value`, `${place}${name}`);
    }
}

/** The same question in other methods, formats, encodings, and with conditions. */
function* manners(make: Make, query: string): Generator<Request> {
  for (const method of METHODS) yield make(method, query, { method });
  for (const type of TYPES) {
    yield make(`accept ${type}`, query, { headers: { accept: type } });
    yield make(`accept ${type}, refused`, "limit=0", {
      headers: { accept: type },
    });
  }
  for (const encoding of ENCODINGS)
    yield make(`encoding ${encoding}`, query, {
      headers: { "accept-encoding": encoding },
    });
  for (const tag of ["*", '"x"', 'W/"x"', "x", "LAST"])
    yield make(`if-none-match ${tag}`, query, {
      headers: { "if-none-match": tag },
    });
  for (const time of [
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Fri, 01 Jan 2100 00:00:00 GMT",
    "yesterday",
  ])
    yield make(`if-modified-since ${time}`, query, {
      headers: { "if-modified-since": time },
    });
  for (const id of ["ok-1", "has space", "x".repeat(129), "ü"])
    yield make("request ID", query, {
      headers: { "x-request-id": encodeURI(id) },
    });
  yield make("traceparent", query, {
    headers: {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
  });
  yield make("other origin", query, {
    headers: { origin: "https://other.example" },
  });
  yield make("long target", `name=${"a".repeat(9_000)}`);
  yield make("large headers", query, {
    headers: { "x-large": "a".repeat(17_000) },
  });
}

/** Every state of a key, on each kind of operation; then a burst, and a month's last requests. */
function* keyRequests({ keys, npis }: Known): Generator<Request> {
  const [npi = ""] = npis;
  const targets = [
    `/v1/providers/${npi}`,
    "/v1/providers/1234567890",
    "/v1/providers/search?state=CA",
    "/v1/providers/search?state=XX",
    "/v1/providers/nearby?zip=60601",
    `/v1/providers?npi=${npi},${npi}`,
    "/v1/providers/export?zip=60601",
    "/v1/taxonomies?q=nurse",
    `/api/?version=2.1&number=${npi}`,
    "/v1/nothing",
  ];
  for (const target of targets) {
    yield keyRequest("none", target);
    for (const [state, key] of Object.entries(keys))
      if (state !== "burst" && state !== "spent")
        for (const authorization of authorizations(key))
          yield keyRequest(state, target, authorization);
  }
  for (let i = 0; i < 5; i++)
    for (const target of targets)
      yield keyRequest("spent", target, `Bearer ${keys.spent}`);
  // A token too many for any of these shows in who gets the last one.
  for (let i = 0; i < 3; i++)
    for (const target of targets)
      yield keyRequest("burst", target, `Bearer ${keys.burst}`);
}

function authorizations(key: string): string[] {
  return [
    `Bearer ${key}`,
    `bearer  ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    key,
    "Bearer",
    "Basic !",
  ];
}

function keyRequest(
  state: string,
  target: string,
  authorization?: string,
): Request {
  return {
    name: `key ${state}: ${target.split("?")[0]}`,
    method: "GET",
    target,
    headers: {
      "x-request-id": "key",
      ...(authorization === undefined ? {} : { authorization }),
    },
  };
}

/** Pages, files, documents, account routes without a session, and paths that do not exist. */
function* otherRoutes(known: Known): Generator<Request> {
  for (const route of ROUTES) {
    const make = makerOf(route, {}, known);
    const methods = [route.method].flat();
    for (const method of new Set([
      ...methods,
      "GET",
      "HEAD",
      "OPTIONS",
      "POST",
    ]))
      for (const accept of ["application/json", "text/html"])
        yield make(`as ${accept}`, "", { method, headers: { accept } });
    yield make("with a body", "", {
      method: methods[0] ?? "GET",
      headers: {
        "content-type": "application/json",
        origin: "http://x.example",
      },
    });
    yield make("unknown parameter", "nonsense=1");
    for (const text of TEXTS)
      yield make("with a text", `q=${encodeURIComponent(text)}`, {
        headers: { "sec-fetch-site": "same-origin" },
      });
  }
  for (const path of [
    "/",
    "/v1",
    "/v2",
    "/nothing",
    "/guide/nothing",
    "//",
    "/%",
  ])
    for (const accept of ["application/json", "text/html"])
      yield {
        name: `path ${path}`,
        method: "GET",
        target: path,
        headers: { accept, "x-request-id": "path" },
      };
}

function valuesOf(name: string, schema: TSchema, known: Known): string[] {
  const found = known.found[name] ?? [];
  const ids = name === "snapshot" ? known.snapshots : [];
  return [...ids, ...found.map(encodeURIComponent), ...validValues(schema)];
}

/** A query string of up to four valid parameters. */
function combined(
  properties: Readonly<Record<string, TSchema>>,
  known: Known,
  random: (below: number) => number,
): string {
  const names = Object.keys(properties);
  if (names.length === 0) return "";
  const chosen = new Set(
    Array.from({ length: 1 + random(4) }, () => names[random(names.length)]),
  );
  if (names.includes("radius") && random(8) > 0) chosen.add("zip");
  if (names.includes("npi") && random(8) > 0) chosen.add("npi");
  return [...chosen]
    .flatMap((name = "") => {
      const schema = properties[name];
      const values = schema === undefined ? [] : valuesOf(name, schema, known);
      const value = values[random(values.length)];
      return value === undefined ? [] : [`${name}=${value}`];
    })
    .join("&");
}

/** A list that is longer than what a connection holds, broken off before its first byte, after it, and later. */
function brokenOffRequests({ keys }: Known): Request[] {
  const headers = {
    authorization: `Bearer ${keys.bulk}`,
    "x-request-id": "broken-off",
  };
  return [0, 1, 1_000_000].flatMap((breakOffAfter) =>
    ["ndjson", "csv"].map((format) => ({
      name: `broken off after ${breakOffAfter} bytes`,
      method: "GET",
      target: `/v1/providers/export?format=${format}`,
      headers,
      breakOffAfter,
    })),
  );
}

/** Requests of clients that send several at once, or close their side of the connection after them. */
export function connectionRequests({ keys, npis }: Known): RawRequest[] {
  const headers = { authorization: `Bearer ${keys.bulk}` };
  const request = (target: string, last = "", version = "1.1") =>
    `GET ${target} HTTP/${version}\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n${last}\r\n`;
  const lookups = npis.map((npi) => request(`/v1/providers/${npi}`)).join("");
  const last = request("/v1/providers/123", "Connection: close\r\n");
  const list = request("/v1/providers/export?zip=60601", "", "1.0");
  const isHalfClosed = true;
  return [
    { name: "connection: pipelined look-ups", headers, bytes: lookups + last },
    { name: "connection: half closed", headers, bytes: lookups, isHalfClosed },
    {
      name: "connection: half closed list",
      headers,
      bytes: list,
      isHalfClosed,
    },
  ];
}

/** What the HTTP parser refuses, or reads in an unusual way. */
export const RAW_REQUESTS: readonly RawRequest[] = [
  ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["no version", "GET /healthz\r\n\r\n"],
  ["nonsense", "nonsense\r\n\r\n"],
  ["a space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["NUL", "GET /a\0 HTTP/1.1\r\nHost: x\r\n\r\n"],
  [
    "bare line feed in a header",
    "GET / HTTP/1.1\r\nHost: x\r\na: b\nc\r\n\r\n",
  ],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
  ],
  ["bad length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"],
  [
    "bad chunk",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
  ],
  ["CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["unknown method", "FOO / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n"],
  ["HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  [
    "absolute target",
    "GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ],
  [
    "expectation",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n",
  ],
  [
    "pipelined",
    "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  ],
  ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
  [
    "too large headers",
    `GET / HTTP/1.1\r\nHost: x\r\na: ${"a".repeat(60_000)}\r\n\r\n`,
  ],
  ["too long target", `GET /${"a".repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
].map(([name = "", bytes = ""]) => ({
  name: `parser: ${name}`,
  bytes,
  headers: {},
}));

/** Lines of `search`, `export` and `check`, and the help of all commands. */
export function commandLines(
  commands: readonly (readonly string[])[],
  { found, npis }: Known,
): string[][] {
  const [state = "CA"] = found["state"] ?? [];
  const queries = [
    [`state=${state}`],
    [`state=${state}`, "name=smi", "limit=5"],
    ["last_name=smith", "sort=name", "page=2"],
    ["specialty=cardio", "status=active"],
    ["state=XX"],
    ["nonsense=1"],
    ["limit=0"],
    [],
  ];
  return [
    ...commands.flatMap((words) => [[...words, "--help"]]),
    ["--help"],
    ["--version"],
    ["nonsense"],
    ...queries.flatMap((query) => [
      ["search", ...query],
      ["search", ...query, "--json"],
      ["search", "--nearby", "zip=60601", ...query],
      ["export", ...query, "--format", "csv"],
      ["export", ...query, "--format", "ndjson"],
      ["export", ...query, "--format", "ndjson", "include=all"],
    ]),
    ["search", `npi=${npis[0] ?? ""}`],
    ["check", "roster.csv"],
    ["check", "roster.csv", "--column", "NPI"],
    ["check", "roster.csv", "--column", "nonsense"],
    ["check", "nothing.csv"],
    ["snapshots", "list"],
    ["snapshots", "verify"],
    ["status"],
  ];
}
