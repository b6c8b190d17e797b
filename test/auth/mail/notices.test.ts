import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { suiteOnBothInFull } from "../../support/postgresql/on-both.ts";
import {
  PASSWORD,
  SITE,
  startAuthService,
  type AuthTestService,
} from "../../support/app/auth-service.ts";
import { until } from "../../support/pure/until.ts";

const ADA = "ada@clinic.example";
const OTHER_PASSWORD = "another horse battery";
const DAY_MS = 86_400_000;

test("an owner gets notices of keys created, rotated and revoked, never with the key", async () => {
  await using service = await startAuthService();
  const ada = await service.signedIn(ADA);
  const name = "see https://evil.example";
  const made = (await ada.post("/account/keys", { name })).json().data;
  const rotated = await ada.post(`/account/keys/${made.id}/rotate`, {
    overlap: "0",
  });
  const { id, secret } = rotated.json().data;
  await ada.delete(`/account/keys/${id}`);
  const [creation] = await noticesTo(service, ADA, /API key was created/);
  assert.ok(creation?.includes(shown(made.secret)));
  const [rotation] = await noticesTo(service, ADA, /API key was rotated/);
  assert.ok(rotation?.includes(shown(made.secret)));
  assert.ok(rotation?.includes(shown(secret)));
  const [revocation] = await noticesTo(service, ADA, /API key was revoked/);
  assert.ok(revocation?.includes(shown(secret)));
  for (const text of [creation, rotation, revocation]) {
    assert.ok(!text?.includes(made.secret) && !text?.includes(secret));
    assert.ok(!text?.includes("evil.example"));
    assert.match(text ?? "", /If this wasn't you/);
  }
  // A refused change sends no notice.
  assert.equal((await ada.delete(`/account/keys/${id}`)).statusCode, 409);
  await ada.post("/account/keys", {});
  await noticesTo(service, ADA, /API key was created/, 2);
  await noticesTo(service, ADA, /API key was revoked/, 1);
});

test("notices are limited, and those of keys suppress no others", async () => {
  await using service = await startAuthService();
  const ada = await service.signedIn(ADA);
  for (let number = 1; number <= 7; number += 1) {
    const { id } = (await ada.post("/account/keys", {})).json().data;
    await ada.delete(`/account/keys/${id}`);
  }
  const change = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
  await ada.post("/auth/change-password", change);
  await noticesTo(service, ADA, /Your password was changed/);
  await noticesTo(service, ADA, /View your keys/, 10);
  // They do not suppress a reset either.
  ada.useAnotherAddress();
  await ada.post("/auth/request-password-reset", { email: ADA });
  await noticesTo(service, ADA, /Choose a new password/);
});

suiteOnBothInFull("notices", (install) => {
  test("an owner gets a notice when the password is changed or reset, with what to do", async () => {
    await using service = await startAuthService({ install });
    const ada = await service.signedIn(ADA);
    const changed = await ada.post("/auth/change-password", {
      currentPassword: PASSWORD,
      newPassword: OTHER_PASSWORD,
    });
    assert.equal(changed.statusCode, 200, changed.body);
    const [change] = await noticesTo(service, ADA, /Your password was changed/);
    assert.match(change ?? "", /If this wasn't you/);
    assert.ok(change?.includes(`${SITE}/settings/security`));
    assert.ok(!change?.includes(OTHER_PASSWORD));

    ada.useAnotherAddress();
    await ada.post("/auth/request-password-reset", { email: ADA });
    const asked = await service.mail.mailSaying(ADA, /Choose a new password/);
    const token = /reset-password\/([A-Za-z0-9]+)/.exec(asked.text)?.[1] ?? "";
    await ada.post("/auth/reset-password", { token, newPassword: PASSWORD });
    const [reset] = await noticesTo(service, ADA, /Your password was reset/);
    assert.match(reset ?? "", /Secure your mailbox first/);
    assert.ok(!reset?.includes(token));

    const refused = await ada.post("/auth/reset-password", {
      token,
      newPassword: OTHER_PASSWORD,
    });
    assert.equal(refused.statusCode, 400);
    const { accounts } = service.http.installation;
    const log = await accounts.auditLog.list(
      (await accounts.users.find(ADA))?.id,
    );
    assert.deepEqual(
      log.map(({ action, actor }) => [actor, action]),
      [
        ["owner", "account_created"],
        ["owner", "password_changed"],
        ["owner", "password_reset"],
      ],
    );
  });

  test("an owner gets a notice of a sign-in from a new device, not from a known one", async () => {
    await using service = await startAuthService({ install });
    const ada = await service.signedIn(ADA);
    await using db = await openDatabase(service.http.installation.place);
    const createdAt = new Date(Date.now() - DAY_MS).toISOString();
    await db.updateTable("user").set({ createdAt }).execute();
    ada.useAnotherAddress();
    await ada.post("/auth/sign-out", {});
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    const stranger = service.browser();
    assert.equal(
      (await stranger.signIn(ADA, "not the right one")).statusCode,
      401,
    );
    assert.equal((await stranger.signIn(ADA)).statusCode, 200);
    const [notice] = await noticesTo(service, ADA, /from a new device/);
    assert.match(notice ?? "", /If this wasn't you/);
    stranger.useAnotherAddress();
    await stranger.post("/auth/sign-out", {});
    assert.equal((await stranger.signIn(ADA)).statusCode, 200);
    // A renewed session is not a new sign-in, whatever cookies are left.
    const renewed = new Date(Date.now() + 20 * DAY_MS).toISOString();
    await db.updateTable("session").set({ expiresAt: renewed }).execute();
    for (const name of stranger.cookies.keys())
      if (name.endsWith(".device")) stranger.cookies.delete(name);
    await stranger.get("/auth/get-session");
    assert.match(stranger.lastCookies.join(), /session_token/);
    // The next notice shows that none came before.
    await stranger.post("/account/keys", {});
    await noticesTo(service, ADA, /API key was created/);
    await noticesTo(service, ADA, /from a new device/);
  });

  test("an owner gets one notice a week before a key expires", async () => {
    await using service = await startAuthService({ install });
    const { clock } = service.http.installation;
    const auth = await service.auth();
    const ada = await service.signedIn(ADA);
    const endsIn = (days: number) =>
      new Date(clock.nowMs + days * DAY_MS).toISOString();
    const make = async (body: object) =>
      (await ada.post("/account/keys", body)).json().data;
    const key = await make({ expires_at: endsIn(30) });
    await make({});
    await make({ expires_at: endsIn(3) });
    const revoked = await make({ expires_at: endsIn(30) });
    await ada.delete(`/account/keys/${revoked.id}`);
    const rotated = await make({ expires_at: endsIn(25) });
    clock.nowMs += 22 * DAY_MS;
    await ada.post(`/account/keys/${rotated.id}/rotate`, { overlap: "7d" });
    await auth.notifyOfEndingKeys();
    clock.nowMs += 2 * DAY_MS;
    // Two workers look at the same time, and again later.
    await Promise.all([auth.notifyOfEndingKeys(), auth.notifyOfEndingKeys()]);
    await auth.notifyOfEndingKeys();
    await noticesTo(service, ADA, /expires soon/, 1);
    const [notice] = await noticesTo(service, ADA, /expires soon/, 1);
    assert.ok(notice?.includes(`${key.prefix}...${key.last_four}`));
    assert.match(notice ?? "", /December 20, 2026/);
    clock.nowMs += 30 * DAY_MS;
    await auth.notifyOfEndingKeys();
    // By now the replacement of the rotated key has expired without a notice.
    await noticesTo(service, ADA, /expires soon/, 1);
  });
});

/** A key as lists show it. */
function shown(key: string): string {
  return `${key.slice(0, 12)}...${key.slice(-4)}`;
}

/** The mails to an address that match, once there are `count`; fails on more. */
async function noticesTo(
  { mail }: AuthTestService,
  address: string,
  fits: RegExp,
  count = 1,
): Promise<readonly string[]> {
  const found = () =>
    mail.mails.filter(
      ({ text, to }) => to.includes(address) && fits.test(text),
    );
  await until(`${count} mails with ${fits}`, () => found().length >= count);
  assert.equal(found().length, count);
  return found().map(({ text }) => text);
}
