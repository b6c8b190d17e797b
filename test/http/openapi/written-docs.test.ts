import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { KEY_SCAN_PATTERN } from "../../../src/accounts/keys/api-key.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { ERROR_CODES, ERRORS } from "../../../src/contract/errors/errors.ts";
import {
  ALL_COLUMNS,
  EXPORT_COLUMNS,
} from "../../../src/contract/export-columns.ts";
import {
  BATCH_EXAMPLE,
  CHANGES_EXAMPLE,
  INTERPRET_EXAMPLE,
  LOCATED_EXAMPLE,
  LOOKUP_EXAMPLE,
  NEARBY_EXAMPLE,
  SEARCH_EXAMPLE,
  STATUS_EXAMPLE,
  TAXONOMIES_EXAMPLE,
} from "../../../src/contract/examples.ts";
import { rowFormatOf } from "../../../src/contract/row-formats.ts";
import {
  describedRoutes,
  publishedPath,
} from "../../../src/http/routes/route.ts";
import { ROUTES } from "../../../src/http/routes/table.ts";
import { ProviderRecord } from "../../../src/contract/provider.ts";
import { RESPONSE_HEADERS } from "../../../src/http/pipeline/response-headers.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import { SAMPLE } from "../../support/service/sample-directory.ts";

const OPERATIONS = describedRoutes(ROUTES).map(
  ({ described: { pathParameters = {}, query }, path }) => ({
    path: publishedPath(path),
    pathParameters,
    query: query?.properties ?? {},
  }),
);

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

test("its list of codes is the table, in order of status", () => {
  const statuses = ERROR_CODES.map((code) => ERRORS[code].status);
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
  );
  const rows = tableRows(sectionsOf(errors, "## ").get("All codes") ?? "");
  assert.deepEqual(
    rows,
    ERROR_CODES.map((code) => [
      String(ERRORS[code].status),
      `[\`${code}\`](#${code})`,
      ERRORS[code].title,
    ]),
  );
});

test("every code in the documentation exists", () => {
  const known: readonly string[] = ERROR_CODES;
  for (const [, code = ""] of api.matchAll(/\b[45]\d\d `([a-z_]+)`/g))
    assert.ok(known.includes(code), code);
});

test("docs/http-api.md has a section for each path, and no others", () => {
  const titles = [...sectionsOf(api, "## ").keys()].filter((title) =>
    title.startsWith("`"),
  );
  assert.deepEqual(
    titles,
    OPERATIONS.map(({ path }) => `\`GET ${path}\``),
  );
});

test("each section lists the parameters of its path, and no others", () => {
  for (const { path, pathParameters, query } of OPERATIONS) {
    const section = sectionsOf(api, "## ").get(`\`GET ${path}\``) ?? "";
    const beforeRecord = section.split("\n### ")[0] ?? "";
    assert.deepEqual(
      tableRows(beforeRecord).map(([name, place]) => `${place} ${name}`),
      [
        ...Object.keys(pathParameters).map((name) => `path \`${name}\``),
        ...Object.keys(query).map((name) => `query \`${name}\``),
      ],
      path,
    );
  }
});

test("the documented limits and defaults of parameters are the schema's", () => {
  for (const { path, query } of OPERATIONS) {
    const section = sectionsOf(api, "## ").get(`\`GET ${path}\``) ?? "";
    for (const [name, schema] of Object.entries(query)) {
      const row = tableRows(section).find(([cell]) => cell === `\`${name}\``);
      const meaning = row?.at(-1) ?? "";
      const byDefault: unknown = Reflect.get(schema, "default");
      if (typeof byDefault === "number")
        assert.ok(meaning.includes(`Default ${byDefault}.`), name);
      for (const edge of ["minimum", "maximum", "exclusiveMinimum"]) {
        const limit: unknown = Reflect.get(schema, edge);
        if (typeof limit === "number" && limit !== Number.MAX_SAFE_INTEGER)
          assert.match(meaning, new RegExp(`(^|\\D)${limit}\\b`), name);
      }
    }
  }
});

test("the table of the record lists its fields, and no others", () => {
  const section = sectionsOf(api, "### ").get("The record") ?? "";
  assert.deepEqual(
    tableRows(section).map(([member]) => member),
    Object.keys(ProviderRecord.properties).map((member) => `\`${member}\``),
  );
});

test("the table of columns lists those of exports, and no others", () => {
  const section = sectionsOf(api, "### ").get("Columns") ?? "";
  assert.deepEqual(
    tableRows(section),
    EXPORT_COLUMNS.map(({ description, name }) => [`\`${name}\``, description]),
  );
  const further = sectionsOf(api, "### ").get("Further columns") ?? "";
  assert.deepEqual(
    tableRows(further),
    ALL_COLUMNS.slice(EXPORT_COLUMNS.length).map((column) => [
      `\`${column.name}\``,
      column.description,
      "part" in column ? `\`${column.part}\`` : "",
    ]),
  );
  const [header] = (rowFormatOf("csv").example ?? "").split("\r\n");
  assert.equal(header, EXPORT_COLUMNS.map(({ name }) => name).join(","));
});

test("the examples are those of the OpenAPI document", () => {
  const shown = [...api.matchAll(/```json\n([^]*?)```/g)].map(
    ([, text = ""]): unknown => JSON.parse(text),
  );
  assert.deepEqual(shown, [
    LOOKUP_EXAMPLE,
    BATCH_EXAMPLE,
    SEARCH_EXAMPLE,
    NEARBY_EXAMPLE,
    LOCATED_EXAMPLE,
    INTERPRET_EXAMPLE,
    CHANGES_EXAMPLE,
    TAXONOMIES_EXAMPLE,
    STATUS_EXAMPLE,
  ]);
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

test("the documentation's table lists the described headers, and no others", () => {
  const rows = tableRows(sectionsOf(api, "### ").get("Response headers") ?? "");
  const entity = ["Content-Type", "Content-Length", "Content-Encoding"];
  assert.deepEqual(
    rows.map(([name]) => name),
    [...Object.keys(RESPONSE_HEADERS), ...entity].map((name) => `\`${name}\``),
  );
});

test("answers have the documented headers, and no others", async () => {
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

  const section = api.slice(api.indexOf("### Response headers"));
  const documented = new Set(
    [...section.matchAll(/`([A-Z][A-Za-z]*(?:-[A-Za-z]+)*)`/g)]
      .map(([, name = ""]) => name.toLowerCase())
      .filter(
        (name) => !["accept", "bearer", "deprecation", "sunset"].includes(name),
      ),
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
