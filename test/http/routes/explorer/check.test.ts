import assert from "node:assert/strict";
import { test } from "node:test";
import { startAuthService } from "../../../support/app/auth-service.ts";
import { startHttpService } from "../../../support/app/http-service.ts";
import { portalParts } from "../../../support/app/portal-parts.ts";
import { SAMPLE } from "../../../support/pure/engine/sample-directory.ts";
import { badParameters, errorOf } from "../../../support/pure/http-error.ts";

const ADA = "ada@clinic.example";
/** What the portal's script sends. */
const OF_PAGE = { "x-requested-with": "portal" };
const LIST = `${SAMPLE.person},${SAMPLE.absent},12345`;

async function startWithUsers(explorer: "open" | "signed-in") {
  return startAuthService({
    portal: await portalParts({ explorer, perSecond: 1_000 }),
  });
}

/** As many numbers as a page sends at once. */
function longList(count: number): string {
  return Array.from({ length: count }, () => SAMPLE.person).join(",");
}

test("a visitor's list has the entries of a batch", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  await using service = await startHttpService({ portal });
  const checked = await service.ask({ url: `/explore/check?npi=${LIST}` });
  assert.equal(checked.statusCode, 200, checked.body);
  const batch = await service.get(`/v1/providers?npi=${LIST}`);
  assert.deepEqual(checked.json(), batch.json());
  assert.equal(checked.headers["cache-control"], "no-store");
  assert.equal(checked.headers["access-control-allow-origin"], undefined);
  for (const query of ["", `npi=${longList(501)}`]) {
    const refused = await service.ask({ url: `/explore/check?${query}` });
    assert.deepEqual(badParameters(refused.body), ["npi invalid_parameter"]);
  }
  const foreign = await service.ask({
    url: `/explore/check?npi=${LIST}`,
    headers: { "sec-fetch-site": "cross-site" },
  });
  assert.equal(errorOf(foreign.body).code, "foreign_origin");
});

test("a visitor's list counts as a request for each 100 numbers, all or none", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 3 });
  await using service = await startHttpService({ portal });
  const ask = () =>
    service.ask({
      url: `/explore/check?npi=${longList(500)}`,
      remoteAddress: "198.51.100.1",
    });
  const first = await ask();
  assert.equal(first.statusCode, 200, first.body);
  assert.match(String(first.headers.ratelimit), /^"burst";r=4;/);
  const refused = await ask();
  assert.equal(refused.statusCode, 429);
  assert.equal(errorOf(refused.body).code, "rate_limited");
});

for (const explorer of ["open", "signed-in"] as const)
  test(`a signed-in user's list counts as a batch, and only for a page's script (${explorer})`, async () => {
    await using service = await startWithUsers(explorer);
    const ada = await service.signedIn(ADA);
    const url = `/explore/check?npi=${LIST}`;
    const link = await ada.get(url, { origin: "" });
    assert.equal(errorOf(link.body).code, "foreign_origin");
    assert.match(errorOf(link.body).message, /Check a list/);
    const checked = await ada.get(url, OF_PAGE);
    assert.equal(checked.statusCode, 200, checked.body);
    assert.equal(checked.json().meta.counted, 2);
    await service.http.write();
    assert.equal((await ada.get("/account")).json().data.used, 2);
    if (explorer === "open") return;
    const stranger = await service.browser().get(url, OF_PAGE);
    assert.equal(errorOf(stranger.body).code, "sign_in_required");
  });
