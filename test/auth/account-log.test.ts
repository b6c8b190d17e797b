import assert from "node:assert/strict";
import { test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { startAuthService } from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";
const EVE = "eve@clinic.example";

suiteOnBothInFull("an account's log", (install) => {
  test("an owner sees who did what to the account, newest first, in pages, and nothing about other accounts", async () => {
    await using service = await startAuthService({ install });
    const { clock, place } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const eve = await service.signedIn(EVE);
    const { id } = (await ada.post("/account/keys", {})).json().data;
    await eve.post("/account/keys", {});
    clock.nowMs += 60_000;
    await ada.delete(`/account/keys/${id}`);
    await using operator = await openAccounts({
      place,
      plans: BUILT_IN_PLANS,
      clock: () => clock.nowMs,
      random: (bytes) => new Uint8Array(bytes),
      actor: "operator grace: accounts suspend",
    });
    await operator.users.suspend(ADA);
    await operator.users.resume(ADA);

    const answer = await ada.get("/account/log");
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(
      answer
        .json()
        .data.map(({ action, actor }: Record<string, string>) => [
          actor,
          action,
        ]),
      [
        ["operator", "account_resumed"],
        ["operator", "account_suspended"],
        ["you", "key_revoked"],
        ["you", "key_created"],
        ["you", "account_created"],
      ],
    );
    const [newest] = answer.json().data;
    assert.deepEqual(Object.keys(newest).sort(), [
      "action",
      "actor",
      "at",
      "detail",
      "id",
    ]);
    assert.equal(newest.at, new Date(clock.nowMs).toISOString());
    assert.doesNotMatch(answer.body, /grace|eve@/);
    assert.equal(answer.json().meta.total, 5);

    const page = await ada.get("/account/log?limit=2&page=2");
    assert.deepEqual(page.json().data, answer.json().data.slice(2, 4));
    assert.match(String(page.headers["link"]), /rel="next"/);
    for (const query of ["limit=101", "page=0", "account_id=1"])
      assert.equal((await ada.get(`/account/log?${query}`)).statusCode, 400);
    const stranger = await service.browser().get("/account/log");
    assert.equal(stranger.statusCode, 401);
  });
});
