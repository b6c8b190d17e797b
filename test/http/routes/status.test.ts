import assert from "node:assert/strict";
import test from "node:test";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import { startHttpService } from "../../support/app/http-service.ts";

const PATH = "/v1/status";

test("the status shows what is served and how old it is, without a key", async () => {
  const nextUpdate = "2026-11-21T06:00:00.000Z";
  await using service = await startHttpService({ nextUpdate });
  const { body, headers, statusCode } = await service.ask({ url: PATH });
  assert.equal(statusCode, 200);
  const { data, meta } = JSON.parse(body);
  const { counts, ...rest } = data;
  assert.deepEqual(rest, {
    snapshot: "20261116T031500000Z",
    taken_up_at: "2026-11-16T03:15:00.123Z",
    data_date: "2026-11-09",
    data_age_days: 11,
    stale: true,
    warning:
      "The data goes through 2026-11-09 and is 11 days old. The registry publishes an update every week.",
    next_update: nextUpdate,
    details: [...DETAIL_PARTS],
  });
  assert.equal(
    counts.individuals + counts.organizations + counts.withheld,
    counts.providers,
  );
  assert.deepEqual(meta, { source: "NPPES (CMS), full file 2026-11-09" });
  assert.equal(headers["cache-control"], "public, max-age=30");
});

test("data up to ten days old causes no warning", async () => {
  await using service = await startHttpService();
  service.installation.clock.nowMs = Date.parse("2026-11-19T23:59:00Z");
  const { data } = (await service.ask({ url: PATH })).json();
  assert.deepEqual(
    [data.data_age_days, data.stale, data.warning, data.next_update],
    [10, false, null, null],
  );
});

test("the status is free for everyone", async () => {
  await using service = await startHttpService();
  const quota = async () =>
    (await service.get("/v1/providers/search")).headers[
      "x-ratelimit-remaining"
    ];
  const before = Number(await quota());
  for (let asked = 0; asked < 20; asked++) {
    const { headers, statusCode } = await service.get(PATH);
    assert.equal(statusCode, 200);
    assert.equal(headers["x-ratelimit-remaining"], undefined);
  }
  assert.equal(Number(await quota()), before - 1);
});
