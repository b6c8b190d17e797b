import assert from "node:assert/strict";
import test from "node:test";
import { ERROR_CODES, ERRORS } from "../../../src/contract/errors/errors.ts";
import {
  describedRoutes,
  publishedPath,
} from "../../../src/http/routes/route.ts";
import { ROUTES } from "../../../src/http/routes/table.ts";
import { startHttpService } from "../../support/app/http-service.ts";

const OPERATIONS = describedRoutes(ROUTES);

test("without a portal, /docs and /reference are the reference, without scripts or anything from another host", async () => {
  await using service = await startHttpService();
  for (const url of ["/docs", "/reference"]) {
    const { body, headers, statusCode } = await service.ask({ url });
    assert.equal(statusCode, 200);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.doesNotMatch(body, /<script|(?:src|href)="(?:https?:)?\/\//);
    const sections = [...body.matchAll(/<section id="([^"]+)">/g)];
    assert.deepEqual(
      sections.map(([, id]) => id),
      OPERATIONS.map(({ described }) => described.operationId),
    );
    for (const { described, path } of OPERATIONS) {
      assert.ok(body.includes(`GET ${publishedPath(path)}<`), path);
      for (const name of Object.keys(described.query?.properties ?? {}))
        assert.ok(body.includes(`<dt><code>${name}</code>`), name);
    }
    for (const [, link = ""] of body.matchAll(/href="([^#"]+)/g))
      assert.equal((await service.ask({ url: link })).statusCode, 200, link);
  }
});

test("without a portal, pages say at the top when the data is stale, as of now", async () => {
  await using service = await startHttpService();
  const { clock } = service.installation;
  const warning = async (url: string) => {
    const { body } = await service.ask({ url });
    return /<main>\n<p role="note">(.*)<\/p>\n<h1>/.exec(body)?.[1];
  };
  for (const url of ["/docs", "/reference", "/docs/errors"]) {
    clock.nowMs = Date.parse("2026-11-12T00:00:00Z");
    assert.equal(await warning(url), undefined, url);
    for (const [day, age] of [
      ["2026-11-20", 11],
      ["2026-11-21", 12],
    ] as const) {
      clock.nowMs = Date.parse(`${day}T00:00:00Z`);
      assert.equal(
        await warning(url),
        `<strong>This data is out of date.</strong> The data goes through 2026-11-09 and is ${age} days old. The registry publishes an update every week.`,
      );
    }
  }
});

test("/docs/errors has a section for each code", async () => {
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
