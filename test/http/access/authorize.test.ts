import assert from "node:assert/strict";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { askApp, startHttpService } from "../../support/app/http-service.ts";
import type { HttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const URL = `/v1/providers/${SAMPLE.person}`;

test("a bearer token that is not an active key is invalid_api_key", async () => {
  await using service = await startHttpService();
  const { paidKey, freeKey, installation } = service;
  const revoked = await installation.accounts.keys.revoke(freeKey);
  assert.equal(revoked.outcome, "revoked");
  for (const token of [
    "x",
    "two words",
    paidKey.slice(0, -1),
    `${paidKey}0`,
    paidKey.toUpperCase(),
    swapLast(paidKey),
    `"${paidKey}"`,
    freeKey,
  ]) {
    const { statusCode, headers, body } = await service.ask({
      url: URL,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual(
      [token, statusCode, errorOf(body).code],
      [token, 401, "invalid_api_key"],
    );
    assert.equal(headers["www-authenticate"], 'Bearer error="invalid_token"');
    assert.equal(headers["x-ratelimit-limit"], undefined);
  }
});

test("a suspended account's key is account_suspended until the account is resumed", async () => {
  await using service = await startHttpService();
  const { accounts } = service.installation;
  await accounts.users.suspend("paid@clinic.example");
  await service.hear();
  const refused = await service.get(URL);
  assert.equal(refused.statusCode, 403);
  assert.equal(errorOf(refused.body).code, "account_suspended");
  await accounts.users.resume("paid@clinic.example");
  await service.hear();
  assert.equal((await service.get(URL)).statusCode, 200);
});

test("a revoked key is refused once changed keys are read", async () => {
  await using service = await startHttpService();
  assert.equal((await service.get(URL)).statusCode, 200);
  await service.installation.accounts.keys.revoke(service.paidKey);
  await service.hear();
  assert.equal((await service.get(URL)).statusCode, 401);
});

test("the burst limit is the plan's: its size at once, its refill per second, with Retry-After", async () => {
  await using service = await startHttpService();
  for (const [key, size, plan] of [
    [service.freeKey, 10, "free"],
    [service.paidKey, 50, "paid"],
  ] as const) {
    const statuses = await askTimes(service, key, size + 1);
    assert.deepEqual(
      statuses,
      [...Array.from({ length: size }, () => 200), 429],
      plan,
    );
    const refused = await ask(service, key, "/v1/providers/search?limit=0");
    assert.equal(errorOf(refused.body).code, "rate_limit_exceeded");
    assert.equal(refused.headers["retry-after"], "1");
    assert.match(
      String(refused.headers["ratelimit"]),
      /"month";r=\d+;t=\d+, "burst";r=0;t=1$/,
    );
    service.installation.clock.nowMs += 1_000;
    assert.deepEqual(await askTimes(service, key, 2), [200, 200]);
  }
});

test("a request over the burst limit is free", async () => {
  await using service = await startHttpService();
  await askTimes(service, service.freeKey, 15);
  service.installation.clock.nowMs += 1_000;
  const { headers } = await ask(service, service.freeKey, "/v1/providers/1");
  assert.equal(headers["x-ratelimit-remaining"], "990");
});

test("the key is checked before the burst limit, and the burst limit before the parameters", async () => {
  await using service = await startHttpService();
  await askTimes(service, service.freeKey, 11);
  const keyless = await service.ask({ url: "/v1/providers/1?x=1" });
  assert.equal(errorOf(keyless.body).code, "missing_api_key");
  const burst = await ask(service, service.freeKey, "/v1/providers/1?x=1");
  assert.equal(errorOf(burst.body).code, "rate_limit_exceeded");
});

function ask({ app }: HttpService, key: string, url = URL) {
  return askApp(app, { url, headers: { authorization: `Bearer ${key}` } });
}

async function askTimes(service: HttpService, key: string, times: number) {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++)
    statuses.push((await ask(service, key)).statusCode);
  return statuses;
}

/** The key with its last character changed: its checksum is wrong. */
function swapLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
}
