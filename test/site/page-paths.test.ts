import assert from "node:assert/strict";
import { test } from "node:test";
import { matchPage } from "../../src/site/page-paths.ts";

test("a path has at most one page, with its parameters", () => {
  assert.deepEqual(matchPage("/"), { page: "explorer", parameters: {} });
  assert.deepEqual(matchPage("/npi/1234567893"), {
    page: "provider",
    parameters: { npi: "1234567893" },
  });
  assert.deepEqual(matchPage("/guide"), { page: "guide", parameters: {} });
  assert.deepEqual(matchPage("/guide/http%2Dapi"), {
    page: "guide-page",
    parameters: { page: "http-api" },
  });
  for (const path of [
    "/guide/",
    "/npi",
    "/npi/",
    "/npi/1/2",
    "/Guide",
    "/guide/nowhere",
    "/%zz",
  ])
    assert.equal(matchPage(path), null, path);
  assert.equal(matchPage("/npi/%zz"), null);
});
