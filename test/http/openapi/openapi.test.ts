import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { FILES_EXAMPLE } from "../../../src/contract/examples.ts";
import { MAX_INTERPRETED_CHARACTERS } from "../../../src/contract/parameters.ts";
import { Compile } from "typebox/schema";
import {
  API_ERROR_CODES,
  ERROR_CODES,
  ERRORS,
} from "../../../src/contract/errors/errors.ts";
import {
  openapiDocument,
  openapiText,
} from "../../../src/http/openapi/openapi.ts";
import {
  describedRoutes,
  publishedPath,
} from "../../../src/http/routes/route.ts";
import { ROUTES } from "../../../src/http/routes/table.ts";
import { checkNpi } from "../../../src/registry/npi.ts";
import type {
  Json,
  JsonObject,
} from "../../../src/http/openapi/openapi-failures.ts";
import { errorOf, problemOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import {
  at,
  listAt,
  objectAt,
  objectsIn,
  textAt,
} from "../../support/pure/json-at.ts";
import manifest from "../../../package.json" with { type: "json" };
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const document = openapiDocument(ROUTES, null);
const operations = Object.keys(objectAt(document, "paths")).map((path) => ({
  path,
  operation: objectAt(document, "paths", path, "get"),
}));

test("openapi.json is up to date with the schemas; npm run openapi writes it", async () => {
  const file = new URL("../../../openapi.json", import.meta.url);
  assert.equal(await readFile(file, "utf8"), openapiText(ROUTES));
});

test("the served document is the same, except for the service's URL", async () => {
  await using local = await startHttpService();
  const served = await local.ask({ url: "/openapi.json" });
  assert.equal(
    served.headers["content-type"],
    "application/json; charset=utf-8",
  );
  assert.deepEqual(served.json(), JSON.parse(openapiText(ROUTES)));
  const publicUrl = "https://directory.example/api";
  await using known = await startHttpService({ publicUrl });
  const { servers } = (await known.ask({ url: "/openapi.json" })).json();
  assert.deepEqual(servers, [{ url: publicUrl }]);
});

test("its version is the package's", () => {
  assert.equal(textAt(document, "info", "version"), manifest.version);
});

test("links in its examples use the service's URL", () => {
  const publicUrl = "https://directory.example/api";
  const served = JSON.stringify(openapiDocument(ROUTES, publicUrl));
  const links = [...served.matchAll(/"[^"]*\/docs\/errors#[^"]*"/g)];
  assert.ok(links.length > 20);
  for (const [link] of links)
    assert.match(
      link,
      /^"https:\/\/directory\.example\/api\/docs\/errors#[a-z_]+"$/,
    );
});

test("the answers of /docs and /docs/errors are described, with a portal and without", async () => {
  await using without = await startHttpService();
  await using with_ = await startHttpService({ portal: await portalParts() });
  for (const path of ["/docs", "/docs/errors"]) {
    const responses = objectAt(document, "paths", path, "get", "responses");
    const answered = new Set<string>();
    for (const service of [without, with_]) {
      for (const accept of ["text/html", "*/*"]) {
        const got = await service.ask({ url: path, headers: { accept } });
        const status = String(got.statusCode);
        answered.add(status);
        const described = objectAt(responses, status);
        if (status === "302") {
          assert.match(
            String(got.headers.location),
            /^\/(reference|guide\/errors)$/,
          );
          objectAt(described, "headers", "Location");
        } else {
          const [type = ""] = String(got.headers["content-type"]).split(";");
          objectAt(described, "content", type);
        }
      }
    }
    const successes = Object.keys(responses).filter((status) => status < "400");
    assert.deepEqual([...answered].toSorted(), successes.toSorted());
  }
});

test("it is OpenAPI 3.1: versions, a bearer scheme, unique ids, described responses, declared path parameters", () => {
  assert.equal(at(document, "openapi"), "3.1.0");
  const scheme = objectAt(document, "components", "securitySchemes", "apiKey");
  assert.equal(scheme["type"], "http");
  assert.equal(scheme["scheme"], "bearer");
  assert.deepEqual(at(document, "security"), [{ apiKey: [] }]);
  const ids = operations.map(({ operation }) =>
    textAt(operation, "operationId"),
  );
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    const inPath = listAt(operation, "parameters").filter(
      (parameter) => at(parameter, "in") === "path",
    );
    const names = [...path.matchAll(/{([^}]+)}/g)].map(([, name]) => name);
    assert.deepEqual(
      inPath.map((parameter) => at(parameter, "name")),
      names,
    );
    for (const parameter of inPath)
      assert.equal(at(parameter, "required"), true);
    for (const response of Object.values(objectAt(operation, "responses")))
      assert.notEqual(textAt(resolved(response), "description"), "");
  }
});

test("every reference resolves, and every component is used", () => {
  const references = new Set<string>();
  for (const object of objectsIn(document)) {
    if (typeof object["$ref"] !== "string") continue;
    references.add(object["$ref"]);
    resolved(object);
  }
  for (const kind of ["schemas", "responses", "headers"])
    for (const name of Object.keys(objectAt(document, "components", kind)))
      // Headers of OPTIONS and the like are only for readers.
      assert.ok(references.has(`#/components/${kind}/${name}`), name);
});

test("none of the validator's own keywords are published", () => {
  for (const object of objectsIn(document))
    for (const name of Object.keys(object))
      assert.doesNotMatch(name, /^(x-|~)/);
});

test("the documented paths are the served ones, in both directions", async () => {
  await using service = await startHttpService({ settings: { files: "on" } });
  const documented = operations.map(({ path }) =>
    path.replace(/{([^}]+)}/g, ":$1"),
  );
  const served: string[] = [];
  for (const path of [...documented, ...ROUTES.map((route) => route.path)]) {
    if (path.startsWith("/auth/") || served.includes(path)) continue;
    const url = path
      .replace(":npi", SAMPLE.person)
      .replace(":snapshot", FILES_EXAMPLE.meta.snapshot)
      .replace(/:\w+/, "x");
    const { body, statusCode } = await service.get(url);
    if (statusCode !== 404 || !body.includes('"code":"not_found"'))
      served.push(path);
  }
  for (const path of documented) assert.ok(served.includes(path), path);
  // Those are for browsers, not for programs.
  const pages = new Set(["/favicon.ico", "/reference"]);
  for (const path of served.filter((each) => !pages.has(each)))
    assert.ok(
      // One of them is documented without its slash.
      documented.includes(path) || documented.includes(`${path}/`),
      `${path} is not documented`,
    );
});

test("every status of every operation is documented; those with a key have 401, 403, 429 and 503", () => {
  for (const { path, operation } of operations) {
    const statuses = Object.keys(objectAt(operation, "responses"));
    const common = ["200", "400", "405", "414", "431", "500"];
    const keyed = ["304", "401", "403", "429", "503"];
    const isKeyed = ROUTES.some(
      (route) => publishedPath(route.path) === path && route.access === "key",
    );
    const expected = isKeyed ? [...common, ...keyed] : common;
    for (const status of expected)
      assert.ok(statuses.includes(status), `${path} ${status}`);
  }
  const statuses = Object.keys(
    objectAt(document, "paths", "/v1/providers/{npi}", "get", "responses"),
  );
  assert.ok(statuses.includes("404"));
});

test("every code is documented where it can happen, under its status", () => {
  const documented = new Map<string, Set<string>>();
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(
      objectAt(operation, "responses"),
    )) {
      if (Number(status) < 400) continue;
      const content = objectAt(resolved(response), "content");
      assert.deepEqual(Object.keys(content), [
        "application/json",
        "application/problem+json",
      ]);
      for (const [type, read] of [
        ["application/json", errorOf],
        ["application/problem+json", problemOf],
      ] as const) {
        for (const [code, example] of Object.entries(
          objectAt(content, type, "examples"),
        )) {
          const shown = read(JSON.stringify(at(example, "value")));
          assert.equal(shown.code, code);
          assert.equal(String(shown.status), status);
          documented.set(
            status,
            (documented.get(status) ?? new Set()).add(code),
          );
        }
      }
    }
  }
  const inTable = API_ERROR_CODES.map(
    (code) => `${ERRORS[code].status} ${code}`,
  );
  const inDocument = [...documented].flatMap(([status, codes]) =>
    [...codes].map((code) => `${status} ${code}`),
  );
  assert.deepEqual(inDocument.toSorted(), inTable.toSorted());
  assert.deepEqual(
    at(
      document,
      "components",
      "schemas",
      "Error",
      "properties",
      "error",
      "properties",
      "code",
      "enum",
    ),
    ERROR_CODES,
  );
});

test("the examples match their schemas, and their NPIs are valid", () => {
  for (const { described } of describedRoutes(ROUTES)) {
    const { examples = {}, schema } = described.answer;
    const check = Compile(schema);
    for (const [name, example] of Object.entries(examples))
      assert.ok(check.Check(example), name);
  }
  // An example of a typo is not valid.
  const npis = [
    ...openapiText(ROUTES).matchAll(
      /"npi": "(\d+)"(?!,\s+"verdict": "invalid_check_digit")/g,
    ),
  ];
  assert.ok(npis.length > 0);
  for (const [, npi = ""] of npis) assert.equal(checkNpi(npi), "ok");
});

/** For parameters that take almost anything. What isn't an NPI gets an entry in the answer of a batch. */
const BAD_VALUES = new Map([
  ["/v1/providers?npi", " "],
  ["/v1/providers/interpret?q", "?".repeat(MAX_INTERPRETED_CHARACTERS + 1)],
]);

/** What a parameter needs, too. */
const NEEDED = new Map([["/v1/providers/export?columns", "format=csv&"]]);

test("the service treats parameters as documented", async () => {
  await using service = await startHttpService();
  for (const { path, operation } of operations) {
    // Files need to be made first; `routes/files.test.ts` asks for them.
    if (!path.startsWith("/v1/") || path.startsWith("/v1/files")) continue;
    const base =
      path === "/v1/providers/nearby"
        ? `${path}?zip=62701&lat=1&lng=1&`
        : path === "/v1/providers"
          ? `${path}?npi=${SAMPLE.person}&`
          : `${path.replace("{npi}", SAMPLE.person).replace("{code}", "207Q00000X")}?`;
    for (const parameter of listAt(operation, "parameters")) {
      if (at(parameter, "in") !== "query") continue;
      const name = textAt(parameter, "name");
      const schema = objectAt(parameter, "schema");
      const needed = NEEDED.get(`${path}?${name}`) ?? "";
      const others = base.replace(new RegExp(`\\b${name}=[^&]*&`), "") + needed;
      const status = async (value: string) =>
        (await service.get(`${others}${name}=${encodeURIComponent(value)}`))
          .statusCode;
      for (const example of listAt(schema, "examples"))
        assert.equal(await status(plain(example)), 200, name);
      for (const value of listAt({ list: schema["enum"] ?? [] }, "list"))
        assert.equal(await status(plain(value)), 200, name);
      for (const edge of ["minimum", "maximum"]) {
        const limit = schema[edge];
        if (typeof limit !== "number") continue;
        assert.equal(await status(String(limit)), 200, `${name} ${limit}`);
        if (limit === Number.MAX_SAFE_INTEGER) continue;
        const beyond = edge === "minimum" ? limit - 1 : limit + 1;
        assert.equal(await status(String(beyond)), 400, `${name} ${beyond}`);
      }
      const bad = BAD_VALUES.get(`${path}?${name}`) ?? "?";
      assert.equal(await status(bad), 400, name);
    }
    const unknown = await service.get(`${base}unheard_of=1`);
    assert.equal(unknown.statusCode, 400);
  }
});

/** A value as a query string has it. */
function plain(value: Json): string {
  if (Array.isArray(value)) return value.map(plain).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function resolved(object: Json): JsonObject {
  const reference = objectAt({ object }, "object")["$ref"];
  if (typeof reference !== "string") return objectAt({ object }, "object");
  return objectAt(document, ...reference.slice(2).split("/"));
}
