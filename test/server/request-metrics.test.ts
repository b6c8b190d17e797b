import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { FastifyInstance } from "fastify";
import { ANSWERED } from "../../src/http/pipeline/answer-counts.ts";
import {
  AnswerMemory,
  AnswerSums,
  createAnswerMemory,
} from "../../src/server/metrics/request-metrics.ts";
import { openShop } from "../support/service/billing-installation.ts";
import { install } from "../support/service/accounts-installation.ts";
import { startHttpService } from "../support/service/http-service.ts";
import { startAuthService } from "../support/service/auth-service.ts";
import { portalParts } from "../support/service/portal-parts.ts";
import { askRaw } from "../support/program/raw-http.ts";
import { SAMPLE } from "../support/service/sample-directory.ts";

const OPERATING = readFileSync(
  new URL("../../docs/operating.md", import.meta.url),
  "utf8",
);

/** Declared so that its answers are 404 all the same. */
const NO_PATHS: readonly string[] = ["/v1/providers/", "/v1/taxonomies/"];

/** What the answers of each route count as that is declared while apps are made. */
async function routesDeclaredBy(
  ...makers: readonly (() => Promise<AsyncDisposable>)[]
): Promise<ReadonlyMap<string, unknown>> {
  const countedAs = new Map<string, unknown>();
  const watch = (message: unknown): void => {
    assert.ok(isInitialization(message));
    message.fastify.addHook("onRoute", ({ config, url }) => {
      const counted = config?.counted ?? "none";
      // Whatever the method, answers of one path count as one thing.
      assert.equal(countedAs.get(url) ?? counted, counted, url);
      countedAs.set(url, counted);
    });
  };
  subscribe("fastify.initialization", watch);
  try {
    for (const make of makers) await (await make())[Symbol.asyncDispose]();
  } finally {
    unsubscribe("fastify.initialization", watch);
  }
  return countedAs;
}

function isInitialization(
  message: unknown,
): message is { readonly fastify: FastifyInstance } {
  return (
    typeof message === "object" && message !== null && "fastify" in message
  );
}

test("counts every route of every configuration as its own operation", async () => {
  const portal = await portalParts();
  const routes = await routesDeclaredBy(
    () => startHttpService({ securityContacts: ["tel:+1-555-0100"] }),
    () => startAuthService({ portal }),
    () => openShop(install),
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
    assert.equal(routes.get(url), counted, url);
  const uncounted = [...routes].filter(([, counted]) => counted === "none");
  assert.deepEqual(
    uncounted.map(([url]) => url),
    NO_PATHS,
  );
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

test("docs/operating.md lists what answers are counted as, and nothing else", () => {
  const [, section = ""] = OPERATING.split("### Operations\n");
  const [table = ""] = section.trim().split("\n\n");
  const listed = [...table.matchAll(/^\| `([a-z_]+)` /gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(listed, ["operation", ...ANSWERED]);
});
