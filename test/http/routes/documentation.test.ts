import assert from "node:assert/strict";
import test from "node:test";
import { ERROR_CODES, ERRORS } from "../../../src/contract/errors.ts";
import { PAGE_HEADERS } from "../../../src/http/pipeline/headers.ts";
import { errorOf } from "../../support/program/http-error.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import { askRaw, rawGet } from "../../support/program/raw-http.ts";

test("/docs shows the document with its own files, and may load from nowhere else", async () => {
  await using service = await startHttpService();
  for (const url of ["/docs", "/docs/"]) {
    const page = await service.ask({ url });
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//);
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)];
    assert.ok(files.length >= 5);
    for (const [, file = ""] of files) {
      const path = new URL(file, `http://a.example${url}`).pathname;
      const { statusCode } = await service.ask({ url: path });
      assert.deepEqual([path, statusCode], [path, 200]);
    }
  }
});

test("a path out of the folder of the page's files is one that does not exist", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  // By hand, for clients resolve these before they send them.
  for (const path of [".", "..", "../../package.json", "%2e%2e/x", "..%5cx"]) {
    const { status, headers, body } = await askRaw(
      port,
      rawGet(`/docs/static/${path}`),
    );
    assert.deepEqual([path, status], [path, 404]);
    assert.equal(errorOf(body).code, "not_found");
    assert.equal(headers.get("cache-control"), "no-store");
  }
});

test("every page under /docs has a policy that names this service alone, and all protections for pages", async () => {
  await using service = await startHttpService();
  for (const url of [
    "/docs",
    "/docs/errors",
    "/docs/json",
    "/docs/static/swagger-ui-bundle.js",
    "/docs/static/swagger-initializer.js",
  ]) {
    const { headers } = await service.ask({ url });
    for (const [name, value] of Object.entries(PAGE_HEADERS))
      assert.equal(headers[name], value, `${url} ${name}`);
    assert.doesNotMatch(
      String(headers["content-security-policy"]),
      /https?:|\*|unsafe-eval/,
    );
  }
});

test("the page asks no outside validator", async () => {
  await using service = await startHttpService();
  const { body } = await service.ask({
    url: "/docs/static/swagger-initializer.js",
  });
  assert.match(body, /validatorUrl: ?null/);
  assert.doesNotMatch(body.replace(/^ *\/\/.*$/gm, ""), /https?:\/\//);
});

test("the document behind the page is /openapi.json", async () => {
  await using service = await startHttpService();
  const behind = await service.ask({ url: "/docs/json" });
  const { body } = await service.ask({ url: "/openapi.json" });
  assert.deepEqual(behind.json(), JSON.parse(body));
});

test("/docs/errors has a section for every code", async () => {
  await using service = await startHttpService();
  const { body, headers } = await service.ask({ url: "/docs/errors" });
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  const sections = [...body.matchAll(/<section id="([^"]+)">/g)];
  assert.deepEqual(
    sections.map(([, code]) => code),
    ERROR_CODES,
  );
  for (const code of ERROR_CODES)
    assert.ok(body.includes(`${ERRORS[code].status} ${ERRORS[code].title}`));
  assert.doesNotMatch(body, /`/);
});
