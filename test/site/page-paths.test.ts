import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAt } from "../../src/site/page-paths.ts";

test("a path has at most one page, with the parts that it names", () => {
  assert.deepEqual(pageAt("/"), { page: "explorer", parameters: {} });
  assert.deepEqual(pageAt("/npi/1234567893"), {
    page: "provider",
    parameters: { npi: "1234567893" },
  });
  assert.deepEqual(pageAt("/guide"), { page: "guide", parameters: {} });
  assert.deepEqual(pageAt("/guide/http%2Dapi"), {
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
    assert.equal(pageAt(path), null, path);
  assert.equal(pageAt("/npi/%zz"), null);
});
