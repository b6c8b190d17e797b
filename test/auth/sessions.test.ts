import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { startAuthService, type Browser } from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";
const DAY_MS = 86_400_000;

suiteOnBothInFull("sessions", (install) => {
  test("a session ends 30 days after its last use, and opening a page renews it", async () => {
    await using service = await startAuthService({ install });
    const ada = await service.signedIn(ADA);
    assert.match(ada.lastCookies.join(), /session_token=.*Max-Age=2592000/);
    await using db = await openDatabase(service.http.installation.place);
    const { expiresAt } = await db
      .selectFrom("session")
      .select("expiresAt")
      .executeTakeFirstOrThrow();
    const lasts = new Date(expiresAt).getTime() - Date.now();
    assert.ok(Math.abs(lasts - 30 * DAY_MS) < 600_000, String(lasts));

    // After two days: requests for data renew nothing, because their answers set no cookie.
    const twoDaysOn = new Date(Date.now() + 28 * DAY_MS).toISOString();
    await db.updateTable("session").set({ expiresAt: twoDaysOn }).execute();
    assert.equal((await ada.get("/account")).statusCode, 200);
    await ada.get("/auth/get-session");
    assert.match(ada.lastCookies.join(), /session_token=.*Max-Age=2592000/);

    const over = new Date(Date.now() - 1_000).toISOString();
    await db.updateTable("session").set({ expiresAt: over }).execute();
    await assertEnded(ada);
  });

  test("a session ends 180 days after the sign-in, however much it is used, and leaves the database", async () => {
    await using service = await startAuthService({ install });
    const ada = await service.signedIn(ADA);
    await using db = await openDatabase(service.http.installation.place);
    const began = (agoMs: number) =>
      db
        .updateTable("session")
        .set({ createdAt: new Date(Date.now() - agoMs).toISOString() })
        .execute();
    await began(180 * DAY_MS - 60_000);
    assert.equal((await ada.get("/account")).statusCode, 200);
    await began(180 * DAY_MS);
    await assertEnded(ada);
    assert.deepEqual(await db.selectFrom("session").selectAll().execute(), []);

    // The clean-up deletes an unused one.
    await ada.signIn(ADA);
    await began(180 * DAY_MS);
    await service.http.installation.accounts.purge(Date.now());
    assert.deepEqual(await db.selectFrom("session").selectAll().execute(), []);
  });
});

async function assertEnded(browser: Browser): Promise<void> {
  assert.equal((await browser.get("/account")).statusCode, 401);
  const session = await browser.get("/auth/get-session");
  assert.equal(session.body, "null");
}
