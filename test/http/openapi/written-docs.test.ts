import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { KEY_SCAN_PATTERN } from "../../../src/accounts/keys/api-key.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import { ERROR_CODES, ERRORS } from "../../../src/contract/errors/errors.ts";
import {
  ALL_COLUMNS,
  EXPORT_COLUMNS,
} from "../../../src/contract/export-columns.ts";
import { LOOKUP_EXAMPLE } from "../../../src/contract/examples.ts";
import { rowFormatOf } from "../../../src/contract/row-formats.ts";
import {
  describedRoutes,
  publishedPath,
} from "../../../src/http/routes/route.ts";
import { ROUTES } from "../../../src/http/routes/table.ts";
import { openapiText } from "../../../src/http/openapi/openapi.ts";
import { ProviderRecord } from "../../../src/contract/provider.ts";
import { RESPONSE_HEADERS } from "../../../src/http/pipeline/response-headers.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const OPERATIONS = describedRoutes(ROUTES).map(
  ({ described: { pathParameters = {}, query }, path }) => ({
    path: publishedPath(path),
    pathParameters,
    query: query?.properties ?? {},
  }),
);

/** The members of the OpenAPI document's paths that are read here. */
interface Operations {
  readonly get: {
    readonly parameters: readonly {
      readonly name: string;
      readonly description: string;
    }[];
  };
}

/** Headers of a body, which the OpenAPI document has as media types. */
const ENTITY_HEADERS = ["Content-Type", "Content-Length", "Content-Encoding"];
/** Headers of files, which `routes/files.test.ts` asks for. */
const FILE_HEADERS: ReadonlySet<string> = new Set([
  "Accept-Ranges",
  "Content-Range",
]);
/** Further headers of the pages for browsers, against attacks on them. */
const PAGE_HEADERS = [
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Origin-Agent-Cluster",
  "Referrer-Policy",
  "X-DNS-Prefetch-Control",
  "X-Download-Options",
  "X-Permitted-Cross-Domain-Policies",
  "X-XSS-Protection",
];

const api = await read("http-api.md");
const errors = await read("errors.md");

test("docs/errors.md has a section for each code, with the table's sentences, and no others", () => {
  const sections = sectionsOf(errors, "## ");
  const codes = [...sections.keys()].filter((title) => !title.includes(" "));
  assert.deepEqual(codes, ERROR_CODES);
  for (const code of ERROR_CODES) {
    const { status, title, when, remedy } = ERRORS[code];
    const section = (sections.get(code) ?? "").replaceAll(/\s+/g, " ");
    for (const text of [`**${status} ${title}.**`, when, remedy])
      assert.ok(section.includes(text), `${code}: ${text}`);
  }
});

test("its sections are in the order of status", () => {
  const statuses = ERROR_CODES.map((code) => ERRORS[code].status);
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
  );
});

test("every code in the documentation exists", () => {
  const known: readonly string[] = ERROR_CODES;
  for (const [, code = ""] of api.matchAll(/\b[45]\d\d `([a-z_]+)`/g))
    assert.ok(known.includes(code), code);
});

test("the table of requests lists each path, and no others", () => {
  const rows = tableRows(api.slice(0, api.indexOf("\n## ")));
  assert.deepEqual(
    rows.map(([request = ""]) => /`(.*)`/.exec(request)?.[1]),
    OPERATIONS.map(({ path }) => `GET ${path}`),
  );
});

test("what can be included is listed, and nothing else", () => {
  const section = sectionsOf(api, "### ").get("What can be included") ?? "";
  assert.deepEqual(
    tableRows(section).map(([part]) => part),
    DETAIL_PARTS.map((part) => `\`${part}\``),
  );
});

test("each parameter that the documentation names exists", () => {
  const known = new Set(
    OPERATIONS.flatMap(({ pathParameters, query }) =>
      Object.keys({ ...pathParameters, ...query }),
    ),
  );
  for (const [, name = ""] of api.matchAll(/[`?&]([a-z][a-z_]*)=/g))
    assert.ok(known.has(name), name);
});

test("the reference describes every parameter, field and column", () => {
  const { components, paths } = JSON.parse(openapiText(ROUTES));
  const parameters = Object.entries<Operations>(paths).flatMap(
    ([path, { get }]) =>
      get.parameters.map((parameter) => ({ path, ...parameter })),
  );
  for (const { description, name, path } of parameters)
    assert.notEqual(description, "", `${path} ${name}`);
  const { properties } = components.schemas.Provider;
  assert.deepEqual(
    Object.keys(properties),
    Object.keys(ProviderRecord.properties),
  );
  for (const part of DETAIL_PARTS)
    assert.ok(Object.hasOwn(properties, part), part);
  const columns = parameters.find(({ name }) => name === "columns");
  for (const { name } of ALL_COLUMNS)
    assert.ok(columns?.description.includes(`\`${name}\``), name);
  const [header] = (rowFormatOf("csv").example ?? "").split("\r\n");
  assert.equal(header, EXPORT_COLUMNS.map(({ name }) => name).join(","));
});

test("the record shown is that of the OpenAPI document", () => {
  const shown = [...api.matchAll(/```json\n([^]*?)```/g)].map(
    ([, text = ""]): unknown => JSON.parse(text),
  );
  assert.deepEqual(shown, [LOOKUP_EXAMPLE]);
});

test("the plans and the pattern of keys are those of the accounts", () => {
  const rows = tableRows(
    sectionsOf(api, "## ").get("Quotas and rate limits") ?? "",
  );
  assert.deepEqual(
    rows,
    [...BUILT_IN_PLANS.values()].map(
      ({ name, monthlyQuota, burstPerSecond }) => [
        name,
        monthlyQuota.toLocaleString("en-US"),
        `${burstPerSecond} at once, refilled with ${burstPerSecond} each second`,
      ],
    ),
  );
  assert.ok(api.includes(`\`${KEY_SCAN_PATTERN}\``));
});

test("responses have the documented headers, and no others", async () => {
  await using service = await startHttpService();
  const met = new Set<string>();
  for (const [url, headers] of [
    [`/v1/providers/${SAMPLE.person}`, {}],
    ["/v1/providers/search", { "accept-encoding": "gzip" }],
    ["/v1/providers/export", {}],
    ["/v1/providers/nearby?zip=62701", {}],
    ["/v1/providers/nearby", { authorization: "" }],
    [`/api/?version=2.1&number=${SAMPLE.person}`, {}],
    ["/nowhere", {}],
    ["/docs", {}],
    ["/docs/errors", {}],
    ["/openapi.json", {}],
    ["/healthz", {}],
  ] as const)
    collect(met, (await service.get(url, { ...headers })).headers);
  for (const method of ["OPTIONS", "POST"] as const)
    collect(met, (await service.ask({ method, url: "/healthz" })).headers);
  service.data.directory = null;
  collect(met, (await service.get("/readyz")).headers);

  const section = sectionsOf(api, "## ").get("Response headers") ?? "";
  const documented = new Set(
    [
      ...Object.keys(RESPONSE_HEADERS).filter(
        (name) => !FILE_HEADERS.has(name),
      ),
      ...ENTITY_HEADERS,
      ...PAGE_HEADERS,
      ...[...section.matchAll(/`([A-Z][A-Za-z]*(?:-[A-Za-z]+)+)`/g)].map(
        ([, name = ""]) => name,
      ),
    ].map((name) => name.toLowerCase()),
  );
  // HTTP itself: the server's clock and the connection.
  for (const name of ["date", "connection", "keep-alive", "transfer-encoding"])
    met.delete(name);
  assert.deepEqual([...met].toSorted(), [...documented].toSorted());
});

async function read(name: string): Promise<string> {
  return readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
}

function collect(met: Set<string>, headers: Record<string, unknown>): void {
  for (const name of Object.keys(headers)) met.add(name);
}

/** The text below each heading of a level, up to the next one of that level. */
function sectionsOf(text: string, mark: string): Map<string, string> {
  const [, ...parts] = `\n${text}`.split(`\n${mark}`);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end + 1)];
    }),
  );
}

/** The cells of the first table of a section, without its head. */
function tableRows(section: string): string[][] {
  const lines = section.split("\n");
  const start = lines.findIndex((line) => line.startsWith("| -"));
  if (start === -1) return [];
  const end = lines.findIndex(
    (line, index) => index > start && !line.startsWith("|"),
  );
  return lines.slice(start + 1, end === -1 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
