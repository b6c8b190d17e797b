import assert from "node:assert/strict";
import { test } from "node:test";
import { isKeyEnd, parseKeyEnd } from "../../src/accounts/keys/key-selector.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { startAuthService } from "../support/app/auth-service.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";

const ADA = "ada@clinic.example";
const DAY_MS = 86_400_000;

suiteOnBothInFull("ends of keys", (install) => {
  test("a key with an end works until that millisecond, in memory too, and its replacement gets the same lifetime", async () => {
    await using service = await startAuthService({ install });
    const { clock } = service.http.installation;
    const end = clock.nowMs + 90 * DAY_MS;
    const ada = await service.signedIn(ADA);
    const made = await ada.post("/account/keys", {
      name: "trial",
      expires_at: new Date(end).toISOString(),
    });
    assert.equal(made.statusCode, 201, made.body);
    const key = made.json().data;
    assert.equal(key.expires_at, new Date(end).toISOString());
    const ask = (secret: string) =>
      service.http.ask({
        url: `/v1/providers/${SAMPLE.person}`,
        headers: { authorization: `Bearer ${secret}` },
      });
    clock.nowMs = end - 1;
    assert.equal((await ask(key.secret)).statusCode, 200);
    const rotated = await ada.post(`/account/keys/${key.id}/rotate`, {
      overlap: "24h",
    });
    const successor = rotated.json().data;
    assert.equal(
      successor.expires_at,
      new Date(clock.nowMs + 90 * DAY_MS).toISOString(),
    );
    assert.equal(
      rotated.json().meta.replaces.expires_at,
      new Date(end).toISOString(),
    );
    clock.nowMs = end;
    const refused = await ask(key.secret);
    assert.equal(refused.statusCode, 401, refused.body);
    assert.equal(refused.json().error.code, "invalid_api_key");
    assert.equal((await ask(successor.secret)).statusCode, 200);
    const listed = (await ada.get("/account/keys")).json().data;
    assert.deepEqual(
      listed.map(({ state }: { state: string }) => state),
      ["expired", "active"],
    );
    const { accounts } = service.http.installation;
    const log = await accounts.auditLog.list();
    const { detail } =
      log.findLast(({ action }) => action === "key_created") ?? assert.fail();
    const minute = key.expires_at.slice(0, 16).replace("T", " ");
    assert.ok(detail.endsWith(`, which works until ${minute} UTC`), detail);
  });
});

test("the end of a key is a future date or time, at most five years ahead", async () => {
  await using service = await startAuthService();
  const { clock } = service.http.installation;
  const ada = await service.signedIn(ADA);
  const now = new Date(clock.nowMs).toISOString();
  for (const given of [
    "tomorrow",
    "90d",
    "2027-02-30",
    "2027-2-3",
    "2027-02-20T12:00:00",
    "0000-00-00",
    "2026-11-20",
    now,
    "2031-12-01",
    `2027-02-20T12:00:00Z${" ".repeat(5)}`,
    { at: now },
    1_800_000_000_000,
  ]) {
    const refused = await ada.post("/account/keys", { expires_at: given });
    assert.equal(refused.statusCode, 400, JSON.stringify(given));
    assert.equal(refused.json().error.code, "invalid_body");
    assert.match(refused.json().error.message, /"expires_at" must be a date/);
  }
  for (const [given, at] of [
    ["2027-02-20", "2027-02-20T00:00:00.000Z"],
    ["2027-02-20T12:00:00+02:00", "2027-02-20T10:00:00.000Z"],
    [null, null],
  ]) {
    const made = await ada.post("/account/keys", { expires_at: given });
    assert.equal(made.json().data.expires_at, at, made.body);
  }
});

test("days count from the key's creation", () => {
  assert.equal(parseKeyEnd("90d")?.(5), 5 + 90 * DAY_MS);
  for (const text of ["", "d", "0d", "-1d", "1.5d", "99999d", "90 d"])
    assert.equal(parseKeyEnd(text), null, text);
  assert.equal(isKeyEnd(5 + 1_826 * DAY_MS, 5), true);
  assert.equal(isKeyEnd(6 + 1_826 * DAY_MS, 5), false);
});
