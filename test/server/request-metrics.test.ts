import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROUTES } from "../../src/http/routes/table.ts";
import { ANSWERED } from "../../src/http/pipeline/answer-counts.ts";
import {
  AnswerMemory,
  AnswerSums,
  createAnswerMemory,
} from "../../src/server/metrics/request-metrics.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { portalParts } from "../support/app/portal-parts.ts";
import { askRaw } from "../support/pure/raw-http.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";

const METRICS = readFileSync(
  new URL("../../docs/metrics.md", import.meta.url),
  "utf8",
);

test("every path counts as one operation, whatever the method", () => {
  for (const [path, routes] of Map.groupBy(ROUTES, (route) => route.path))
    assert.equal(new Set(routes.map(({ counted }) => counted)).size, 1, path);
  const countedAs = new Map<string, string>(
    ROUTES.map(({ counted, path }) => [path, counted]),
  );
  for (const [url, counted] of [
    ["/", "page"],
    ["/.well-known/security.txt", "documentation"],
    ["/explore/search", "explorer"],
    ["/account/keys/:id", "account"],
    ["/account/billing/checkout", "billing"],
    ["/auth/*", "auth"],
    ["/billing/webhook", "billing"],
  ] as const)
    assert.equal(countedAs.get(url), counted, url);
});

test("answers are counted by kind of path; unknown paths count as none", async () => {
  const memory = createAnswerMemory();
  await using service = await startHttpService({
    portal: await portalParts(),
    answerCounts: new AnswerMemory(memory),
  });
  const [asset] = /\/assets\/[^"]+/.exec((await service.get("/")).body) ?? [];
  assert.ok(asset);
  const port = await service.listen();
  for (const [path, expected] of [
    ["/", "page"],
    [`/npi/${SAMPLE.person}`, "page"],
    ["/reference", "page"],
    ["/guide/quick-start", "page"],
    ["/settings/usage", "page"],
    ["/portal.json", "page"],
    [asset, "asset"],
    ["/assets/nothing.js", "asset"],
    [`/explore/providers/${SAMPLE.person}`, "explorer"],
    ["/explore/search?name=x", "explorer"],
    ["/explore/taxonomies", "explorer"],
    ["/docs", "documentation"],
    ["/docs/errors", "documentation"],
    [`/v1/providers/${SAMPLE.person}`, "lookup"],
    ["/v1/providers/search", "search"],
    [`/v1/providers?npi=${SAMPLE.person}`, "batch"],
    ["/v1/taxonomies?q=fam", "taxonomies"],
    ["/v1/taxonomies/207Q00000X", "taxonomies"],
    ["/v1/taxonomies/", "none"],
    ["/v1/providers/", "none"],
    ["/v1/provider", "none"],
    ["/explorers", "none"],
    ["/accounting", "none"],
    ["/nowhere", "none"],
    [`/${"x".repeat(9_000)}`, "none"],
    ["/v1/providers/%ff", "malformed"],
    ["/a b", "malformed"],
  ] as const) {
    const before = counts(memory);
    await askRaw(
      port,
      `GET ${path} HTTP/1.1\r\nhost: a.example\r\nauthorization: Bearer ${service.paidKey}\r\nconnection: close\r\n\r\n`,
    );
    const after = counts(memory);
    const added = ANSWERED.filter((each) => after[each] !== before[each]);
    assert.deepEqual([path, added], [path, [expected]]);
  }
});

function counts(memory: SharedArrayBuffer): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { answered, count } of new AnswerSums([memory]).answers())
    sums[answered] = (sums[answered] ?? 0) + count;
  return sums;
}

test("docs/metrics.md lists what answers are counted as, and nothing else", () => {
  const [, section = ""] = METRICS.split("## Operations\n");
  const [table = ""] = section.trim().split("\n\n");
  const listed = [...table.matchAll(/^\| `([a-z_]+)` /gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(listed, ["operation", ...ANSWERED]);
});
