import assert from "node:assert/strict";
import test from "node:test";
import { ERRORS } from "../../../src/contract/errors/errors.ts";
import { prefersProblem } from "../../../src/http/pipeline/failure-reply.ts";
import { errorOf, problemOf } from "../../support/program/http-error.ts";
import {
  LOCAL_URL,
  startHttpService,
} from "../../support/service/http-service.ts";
import { SearchParameters } from "../../../src/contract/parameters.ts";
import { askRaw, rawGet } from "../../support/program/raw-http.ts";
import { SAMPLE } from "../../support/service/sample-directory.ts";

const BAD = "/v1/providers/search?limit=0&nonsense=1";

test("an error has code, message, status, param, details, doc_url and request_id, and nothing else", async () => {
  await using service = await startHttpService();
  const { statusCode, headers, body } = await service.get(BAD);
  assert.equal(statusCode, 400);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(
    body,
    JSON.stringify({
      error: {
        code: "invalid_parameter",
        message: "limit must be a whole number from 1 to 100.",
        status: 400,
        param: "limit",
        details: [
          {
            param: "limit",
            code: "invalid_parameter",
            message: "limit must be a whole number from 1 to 100.",
          },
          {
            param: "nonsense",
            code: "invalid_parameter",
            message: `Unknown parameter "nonsense". Valid parameters: ${Object.keys(SearchParameters.properties).join(", ")}.`,
          },
        ],
        doc_url: "http://localhost:80/docs/errors#invalid_parameter",
        request_id: headers["x-request-id"],
      },
    }),
  );
});

test("an error that is not about parameters has neither param nor details", async () => {
  await using service = await startHttpService();
  for (const url of ["/nowhere", `/v1/providers/${SAMPLE.absent}`]) {
    const error = errorOf((await service.get(url)).body);
    assert.equal("param" in error || "details" in error, false);
  }
});

test("one bad parameter is in details too", async () => {
  await using service = await startHttpService();
  const { body } = await service.get("/v1/providers/123");
  const { param, details, message } = errorOf(body);
  assert.equal(param, "npi");
  assert.deepEqual(details, [{ param, code: "invalid_npi", message }]);
});

test("Accept: application/problem+json gets the same facts in the format of RFC 9457", async () => {
  await using service = await startHttpService();
  const accept = "application/problem+json";
  const { statusCode, headers, body } = await service.get(BAD, { accept });
  assert.equal(statusCode, 400);
  assert.equal(
    headers["content-type"],
    "application/problem+json; charset=utf-8",
  );
  const problem = problemOf(body);
  assert.deepEqual(Object.keys(problem), [
    "type",
    "title",
    "status",
    "detail",
    "instance",
    "code",
    "param",
    "details",
  ]);
  const error = errorOf((await service.get(BAD)).body);
  assert.equal(problem.type, error.doc_url);
  assert.equal(problem.title, ERRORS.invalid_parameter.title);
  assert.equal(problem.status, 400);
  assert.equal(problem.detail, error.message);
  assert.equal(problem.instance, headers["x-request-id"]);
  assert.equal(problem.code, error.code);
  assert.equal(problem.param, error.param);
  assert.deepEqual(problem.details, error.details);
});

test("every kind of error is available as a problem", async () => {
  await using service = await startHttpService();
  const headers = { accept: "application/problem+json" };
  for (const [method, url] of [
    ["GET", "/nowhere"],
    ["GET", "/v1/providers/1"],
    ["GET", "/healthz?%ff"],
    ["POST", "/healthz"],
  ] as const) {
    const { body, statusCode } = await service.ask({ method, url, headers });
    assert.equal(problemOf(body).status, statusCode);
  }
});

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

test("a success is plain JSON whatever the client accepts", async () => {
  await using service = await startHttpService();
  const { statusCode, headers } = await service.get(
    `/v1/providers/${SAMPLE.person}`,
    { accept: "application/problem+json" },
  );
  assert.equal(statusCode, 200);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
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

test("behind a TLS proxy doc_url is https, and a strange Host is not repeated", async () => {
  await using service = await startHttpService();
  for (const [headers, expected] of [
    [
      { host: "api.example", "x-forwarded-proto": "https" },
      "https://api.example/docs/errors#not_found",
    ],
    [{ host: "[::1]:8080" }, "http://[::1]:8080/docs/errors#not_found"],
    [{ host: 'a"><script>' }, `${LOCAL_URL}/docs/errors#not_found`],
    [{ host: "a.example/evil" }, `${LOCAL_URL}/docs/errors#not_found`],
  ] as const) {
    const { body } = await service.ask({ url: "/nowhere", headers });
    assert.equal(errorOf(body).doc_url, expected);
  }
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

test("with a public URL, doc_url is below it, whatever the Host", async () => {
  await using service = await startHttpService({
    publicUrl: "https://directory.example/api",
  });
  const { body } = await service.get("/nowhere");
  assert.equal(
    errorOf(body).doc_url,
    "https://directory.example/api/docs/errors#not_found",
  );
});

test("a client's valid request id is used, any other is replaced", async () => {
  await using service = await startHttpService();
  for (const id of [
    "a",
    "0b0f9a52-6f0e-4d1e",
    "A.b_c~d:e/f+g=h@i-j",
    "x".repeat(128),
  ]) {
    const { headers, body } = await service.get("/nowhere", {
      "x-request-id": id,
    });
    assert.equal(headers["x-request-id"], id);
    assert.equal(errorOf(body).request_id, id);
  }
  for (const id of [
    "",
    " ",
    "two words",
    "a,b",
    '"',
    "<b>",
    "é",
    "x".repeat(129),
  ]) {
    const { headers } = await service.get("/nowhere", { "x-request-id": id });
    assert.match(String(headers["x-request-id"]), /^test-\d+$/, id);
  }
});

test("errors are not cached, except the one from the data", async () => {
  await using service = await startHttpService();
  for (const [url, expected] of [
    [BAD, "no-store"],
    ["/nowhere", "no-store"],
    [`/v1/providers/${SAMPLE.absent}`, "private"],
  ] as const) {
    const { headers } = await service.get(url);
    assert.equal(headers["cache-control"], expected);
    assert.equal(headers["vary"], "Authorization, Accept, Accept-Encoding");
    assert.equal(headers["etag"], undefined);
  }
});
