import assert from "node:assert/strict";
import test from "node:test";
import { prefersProblem } from "../../../src/http/pipeline/failure-reply.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { askRaw, rawGet } from "../../support/pure/raw-http.ts";

test("a problem is sent to clients that list it, unless they prefer JSON", () => {
  for (const [accept, expected] of [
    [undefined, false],
    ["*/*", false],
    ["application/*", false],
    ["application/json", false],
    ["application/problem+json", true],
    ["Application/Problem+JSON; charset=utf-8", true],
    ["application/json, application/problem+json", true],
    ["application/json;q=0.5, application/problem+json;q=0.9", true],
    ["application/json, application/problem+json;q=0.9", false],
    ["application/problem+json;q=0", false],
    ["text/html, application/problem+json;q=0.1", true],
    ["application/problem+json, */*;q=0.5", true],
    ["application/problem+json;q=0.5, */*", false],
    ["application/problem+jsonish", false],
  ] as const)
    assert.equal(prefersProblem(accept), expected, String(accept));
});

test("doc_url leads to a page of this service with an anchor for the code", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const { body } = await askRaw(
    port,
    rawGet("/nowhere", [`Host: 127.0.0.1:${port}`]),
  );
  const url = errorOf(body).doc_url;
  assert.equal(url, `http://127.0.0.1:${port}/docs/errors#not_found`);
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<section id="not_found">/);
});

test("doc_url is always a URL, the path of the codes, and the code", async () => {
  const publicUrl = "https://directory.example";
  const forms = new Set<string>();
  for (const options of [{}, { publicUrl }]) {
    await using service = await startHttpService(options);
    const port = await service.listen();
    for (const [path, headers] of [
      ["/nowhere", ["Host: a.example"]],
      ["/nowhere", ["Host: a.example", "Accept: application/problem+json"]],
      ["/nowhere", ["Host: a b"]],
      ["/nowhere", []],
      ["/v1/providers/1", ["Host: a.example"]],
      ["/v1/providers/%ff", ["Host: a.example"]],
      ["/a b", ["Host: a.example"]],
    ] as const) {
      const { body } = await askRaw(port, rawGet(path, headers));
      const { error = {}, type } = JSON.parse(body);
      forms.add(
        String(error.doc_url ?? type).replace(
          /^https?:\/\/[\w.:]+\/docs\/errors#[a-z_]+$/,
          "ADDRESS/docs/errors#CODE",
        ),
      );
    }
  }
  assert.deepEqual([...forms], ["ADDRESS/docs/errors#CODE"]);
});
