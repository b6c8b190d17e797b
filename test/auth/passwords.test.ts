/** Which new passwords are refused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";
import { refusalOfPassword } from "../../src/auth/password-rules.ts";

const ADA = "ada.lovelace@clinic.example";
const KNOWN = { email: ADA, name: "County Registry" };
const COMMON = "qwertyuiop123";
const OWN = "Ada.Lovelace-1815";

test("common passwords are refused, in any case and with any digits after them", () => {
  for (const password of [
    COMMON,
    "Qwertyuiop123",
    "password1234",
    "123456789012",
    "iloveyoubaby2024!",
    "aaaaaaaaaaaaaaaa",
    "121212121212121",
  ])
    assert.equal(
      refusalOfPassword(password, KNOWN)?.code,
      "PASSWORD_TOO_COMMON",
      password,
    );
});

test("a numeric address is refused like any other", () => {
  const known = { email: "0123987645@clinic.example", name: "" };
  for (const password of ["0123987645-0", "01239876450123987645"])
    assert.equal(
      refusalOfPassword(password, known)?.code,
      "PASSWORD_FROM_ADDRESS",
    );
  assert.equal(refusalOfPassword("0123 four horses", known), null);
});

test("a user's address, its parts and the service's name are refused, and little more than these", () => {
  for (const password of [
    ADA,
    ADA.toUpperCase(),
    OWN,
    "adalovelace2026",
    "Lovelace!1815!",
    "lovelaceada1815",
    "Ada1Ada2Ada3Ada4",
    "ａｄａ.lovelace1",
    "clinic.example1",
    "County Registry 1",
    "ProviderDirectory!",
    "provider directory service",
  ])
    assert.equal(
      refusalOfPassword(password, KNOWN)?.code,
      "PASSWORD_FROM_ADDRESS",
      password,
    );
  for (const password of [
    PASSWORD,
    "another horse entirely",
    "lovelace wrote the first one",
    "the county registry of dreams",
    "t7#Kq9!xZp2m",
    "918273645546372819 4",
    "医者は毎朝コーヒーを飲みます",
  ])
    assert.equal(refusalOfPassword(password, KNOWN), null, password);
});

suiteOnBothInFull("compromised and short passwords", (install) => {
  test("both are refused at sign-up, reset and change, and are not set", async () => {
    await using service = await startAuthService({ install });
    const ada = service.browser();
    const refused = [
      [COMMON, "PASSWORD_TOO_COMMON"],
      [OWN, "PASSWORD_FROM_ADDRESS"],
    ] as const;
    for (const [password, code] of refused) {
      const answer = await ada.signUp(ADA, password);
      assert.equal(answer.statusCode, 400, answer.body);
      assert.equal(answer.json().code, code);
    }
    await ada.signUp(ADA);
    await ada.confirm((await service.mail.mailTo(ADA)).link);
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    const asked = { email: ADA, redirectTo: "/reset-password" };
    await ada.post("/auth/request-password-reset", asked);
    const { link } = await service.mail.mailTo(ADA, 2);
    const token = /reset-password\/([^?]+)/.exec(link)?.[1] ?? "";
    for (const [newPassword, code] of refused) {
      const change = { currentPassword: PASSWORD, newPassword };
      for (const answer of [
        await ada.post("/auth/change-password", change),
        await ada.post("/auth/reset-password", { token, newPassword }),
      ]) {
        assert.equal(answer.statusCode, 400, answer.body);
        assert.equal(answer.json().code, code);
      }
      assert.equal((await ada.signIn(ADA, newPassword)).statusCode, 401);
      ada.useAnotherAddress();
    }
    // The link and the old password still work.
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    const reset = await ada.post("/auth/reset-password", {
      token,
      newPassword: "another horse entirely",
    });
    assert.equal(reset.statusCode, 200, reset.body);
    assert.deepEqual(reset.json(), { status: true, email: ADA });
  });
});
