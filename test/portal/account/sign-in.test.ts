import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { cases } from "../../support/pure/full-run.ts";
import type { Page } from "playwright-core";
import {
  IN_PAIRS,
  createKey,
  OTHER_PASSWORD,
  signIn,
  startAccountPages,
} from "./account-pages.ts";
import {
  checkAxe,
  checkWidth,
  foreignRequests,
  PASSWORD,
  signedUp,
} from "../browser.ts";
import { totpOf, wrongTotp } from "../../support/pure/totp.ts";

suite("sign-up and sign-in", IN_PAIRS, async () => {
  const pages = await startAccountPages();
  const { service } = pages;
  after(() => pages[Symbol.asyncDispose]());

  test("from sign-up, through the emailed link, to the first API response", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    const email = "ada@clinic.example";
    await page.goto("/sign-up");
    await page.getByLabel("Email address").fill("ä@clinic.example");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Enter a valid email address.").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Enter your email address.").waitFor();
    await page.getByText("Use at least 12 characters; this has").waitFor();
    await checkAxe(page);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();
    const look = page.getByRole("heading", { name: "Check your email" });
    await look.waitFor();
    assert.ok(await look.evaluate((h1) => h1 === document.activeElement));
    await page.getByText(email).waitFor();
    await page.getByText("at most five emails an hour").waitFor();
    const again = page.getByRole("button", { name: /^Send again/ });
    await again.focus();
    await page.keyboard.press("Enter");
    assert.ok(await again.evaluate((it) => it === document.activeElement));

    await page.goto((await service.mail.mailTo(email)).link);
    await page.waitForURL("**/confirm-email?*");
    await page
      .getByText(`signed up for Provider Directory with ${email}`)
      .waitFor();
    await checkAxe(page);
    await confirm(page);
    await page.waitForURL("**/settings");
    await page.getByText("You have no keys yet.").waitFor();
    const key = await createKey(page, "intake forms");
    await page.getByText(`Authorization: Bearer ${key}`).waitFor();
    await page.getByRole("button", { name: "Try it now" }).click();
    await page.getByText("It works: the API returned 200.").waitFor();
    await page
      .getByRole("region", { name: "Response" })
      .getByText('"total"')
      .waitFor();
    await checkAxe(page);
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByText(key).first().waitFor({ state: "detached" });
    const row = page.getByRole("listitem").filter({ hasText: "intake forms" });
    await row.getByText(`${key.slice(0, 12)}…${key.slice(-4)}`).waitFor();
    await page.reload();
    await row.waitFor();
    assert.ok(!(await page.content()).includes(key));
    await page.goto("/sign-up");
    await page.waitForURL("**/settings");
    assert.deepEqual(
      reader.faults.filter((fault) => !fault.includes("400")),
      [],
    );
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("a reason or notice that was made up leaves the form usable", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    for (const query of ["error=__proto__", "notice=__proto__"]) {
      await page.goto(`/sign-in?${query}`);
      await page.getByLabel("Email address").fill("tim@clinic.example");
    }
    assert.deepEqual(reader.faults, []);
  });

  test("the emailed link leads to the page that the user came for, signed in; on another device, after signing in", async () => {
    const email = "tim@clinic.example";
    await using desk = await pages.arrive();
    const { page } = desk;
    await page.goto("/sign-in?next=%2Fguide%2Ferrors");
    await page.getByRole("link", { name: "Sign up" }).click();
    await page.waitForURL("**/sign-up?next=%2Fguide%2Ferrors");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();
    const { link } = await service.mail.mailTo(email);

    await using phone = await pages.arrive({
      viewport: { width: 320, height: 600 },
    });
    const other = "tom@clinic.example";
    await phone.page.goto("/sign-up?next=%2Fguide%2Ferrors");
    await phone.page.getByLabel("Email address").fill(other);
    await phone.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await phone.page.getByRole("button", { name: "Sign up" }).click();
    const ofPhone = (await service.mail.mailTo(other)).link;

    const tab = await desk.context.newPage();
    await tab.goto(ofPhone);
    await confirm(tab);
    const ready = tab.getByRole("heading", { name: "Email address confirmed" });
    await ready.waitFor();
    assert.ok(await ready.evaluate((h1) => h1 === document.activeElement));
    await checkAxe(tab);
    const main = tab.getByRole("main");
    await main.getByRole("link", { name: "Sign in" }).waitFor();
    await phone.page.goto(ofPhone);
    await checkWidth(phone.page);
    await confirm(phone.page);
    await phone.page.getByText("This address is already confirmed").waitFor();
    await checkWidth(phone.page);
    const there = phone.page.getByRole("main");
    await there.getByRole("link", { name: "Sign in" }).click();
    await signIn(phone.page, other, PASSWORD);
    await phone.page.waitForURL("**/guide/errors");

    await tab.goto(link);
    await confirm(tab);
    await tab.waitForURL("**/guide/errors");
    await tab.getByRole("button", { name: "Account", exact: true }).waitFor();
    // The tab that waited is signed in, too.
    await page.bringToFront();
    await page.evaluate(() =>
      document.dispatchEvent(new Event("visibilitychange")),
    );
    await page.waitForURL("**/guide/errors");
    assert.deepEqual(foreignRequests(desk, service), []);
  });

  test("a forgotten password is reset by email, and the link works once", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    const email = "eva@clinic.example";
    await signedUp(reader, service, email);
    await page.context().clearCookies();
    await page.goto("/sign-in");
    await signIn(page, email, "not the password");
    await page.getByText("Wrong email address or password").waitFor();
    await checkAxe(page);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    const { link } = await service.mail.mailTo(email, 2);
    await page.goto(link);
    await page.waitForURL("**/reset-password?token=*");
    const reset = page.url();
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Set new password" }).click();
    await page.getByRole("heading", { name: "Password changed" }).waitFor();
    for (const address of [link, reset]) {
      await page.goto(address);
      if (address === reset) {
        await page.getByLabel("New password").fill(PASSWORD);
        await page.getByRole("button", { name: "Set new password" }).click();
      }
      await page
        .getByRole("heading", { name: "This link doesn’t work" })
        .waitFor();
    }
    await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
    await signIn(page, email, OTHER_PASSWORD);
    await page.waitForURL("**/settings/security");
  });

  test("two-factor authentication is turned on, required, bypassed with a recovery code, and turned off", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    const email = "ora@clinic.example";
    await signedUp(reader, service, email);
    await page.goto("/settings/security");
    await page.getByRole("button", { name: "Turn on…" }).click();
    const part = page.getByRole("region", { name: "Two-factor" });
    await part.getByLabel("Your password").fill("not the password");
    await page.keyboard.press("Enter");
    await part.getByText("Wrong password.").waitFor();
    await part.getByLabel("Your password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await checkAxe(page);
    const secret =
      (await part.getByText(/^[A-Z2-7]{40,}=*$/).textContent()) ?? "";
    const uri = `otpauth://totp/x?${new URLSearchParams({ secret })}`;
    await part.getByLabel("Code", { exact: true }).fill(wrongTotp(uri));
    await page.keyboard.press("Enter");
    await part.getByText("This code is wrong").waitFor();
    await part.getByLabel("Code", { exact: true }).fill(totpOf(uri));
    await page.keyboard.press("Enter");
    await part.getByText("Save your recovery codes").waitFor();
    const codes = (
      (await part
        .getByRole("region", { name: "Recovery codes" })
        .textContent()) ?? ""
    ).split("\n");
    assert.equal(codes.length, 10);
    await part.getByRole("button", { name: "I’ve saved them" }).click();
    await part
      .getByText("You need a code from your authenticator app")
      .waitFor();
    assert.ok(!(await page.content()).includes(codes[0] ?? "-"));

    await page.context().clearCookies();
    await page.goto("/sign-in");
    await signIn(page, email, PASSWORD);
    await page.getByRole("heading", { name: "Authentication code" }).waitFor();
    await checkAxe(page);
    const next = totpOf(uri, Date.now() + 30_000);
    await page.getByLabel("Code", { exact: true }).fill(next);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings");

    await page.context().clearCookies();
    await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
    await signIn(page, email, PASSWORD);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[1] ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/security");
    await page.getByRole("button", { name: "Turn off…" }).click();
    await part.getByLabel("Your password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await part.getByRole("button", { name: "Turn on…" }).waitFor();
    await page
      .getByRole("region", { name: "Account log", exact: true })
      .getByText("Two-factor authentication turned on")
      .first()
      .waitFor();
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("links mailed to another user leave this one signed in, and say whose they were", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    const email = "ann@clinic.example";
    const other = "bea@clinic.example";
    const main = page.getByRole("main");
    await signedUp(reader, service, email);
    const headers = { origin: service.url };
    const post = (path: string, data: object) =>
      context.request.post(path, { data, headers });
    const user = { name: "", email: other, password: PASSWORD };
    await post("/auth/sign-up/email", user);
    const { link } = await service.mail.mailTo(other);
    for (const title of [
      "Email address confirmed",
      "This address is already confirmed",
    ]) {
      await page.goto(link);
      await confirm(page);
      await page.getByRole("heading", { name: title }).waitFor();
      await main.getByText(`still signed in as ${email}`).waitFor();
      await main
        .getByText(`password that you chose for ${other}`)
        .or(main.getByText(`password of ${other}`))
        .waitFor();
      assert.equal(
        await main.getByRole("link", { name: "Sign in" }).count(),
        0,
      );
    }
    await checkAxe(page);
    await main.getByRole("link", { name: "Stay signed in" }).click();
    await page.waitForURL("**/settings");

    await post("/auth/request-password-reset", {
      email: other,
      redirectTo: "/reset-password",
    });
    await page.goto((await service.mail.mailTo(other, 2)).link);
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Set new password" }).click();
    await main.getByText(`${other} has been signed out everywhere`).waitFor();
    await main.getByText(`still signed in as ${email}`).waitFor();
    await checkAxe(page);
    await main.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You’re signed out").waitFor();
    await signIn(page, other, OTHER_PASSWORD);
    await page.waitForURL("**/settings");
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByText(`Signed in as ${other}`).waitFor();
  });

  test("after too many passwords the page says how long to wait", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await page.goto("/sign-in");
    // A slow machine reaches the limit of the account first, a fast one that of its network.
    for (let tries = 1; ; tries += 1) {
      const answered = page.waitForResponse("**/auth/sign-in/email");
      await signIn(page, "unknown@clinic.example", `wrong password ${tries}`);
      if ((await answered).status() === 429) break;
      await page.getByText("Wrong email address or password").waitFor();
      assert.ok(tries < 50);
    }
    await page.getByText("Too many attempts").waitFor();
    await page
      .getByText(/Try again in \d+ seconds?\./)
      .first()
      .waitFor();
    await checkAxe(page);
  });

  test("sign-in never leads to another site", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "gus@clinic.example");
    // account-parts.test.ts has them all.
    for (const next of cases([
      "//evil.example",
      "https://evil.example/settings",
      "/\\evil.example",
      "/..//evil.example",
      "javascript:alert(1)",
    ])) {
      await page.goto(`/sign-in?${new URLSearchParams({ next })}`);
      await page.waitForURL("**/settings");
    }
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("sessions are listed only within a day of sign-in, and signing in again lists them", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    const email = "lea@clinic.example";
    await signedUp(reader, service, email);
    await page.route(
      "**/auth/list-sessions",
      (route) =>
        route.fulfill({
          status: 403,
          json: { code: "SESSION_NOT_FRESH", message: "Session is not fresh" },
        }),
      { times: 1 },
    );
    await page.goto("/settings/security");
    await page.getByText("more than a day ago").waitFor();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.waitForURL("**/sign-in?next=%2Fsettings%2Fsecurity");
    await signIn(page, email, PASSWORD);
    await page.waitForURL("**/settings/security");
    await page.getByText("This session").waitFor();
  });

  test("signing out ends the session and leaves nothing to go back to", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    await signedUp(reader, service, "ida@clinic.example");
    await page.goto("/settings");
    await createKey(page, "of ida");
    await page.evaluate(() =>
      addEventListener("pagehide", () =>
        sessionStorage.setItem("left", document.documentElement.innerHTML),
      ),
    );
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You’re signed out").waitFor();
    assert.doesNotMatch(
      await page.evaluate(() => sessionStorage.getItem("left") ?? "pd_live_"),
      /pd_live_|ida@/,
    );
    assert.equal((await context.request.get("/account")).status(), 401);
  });

  test("GitHub is offered, and a failure there leads back to our page", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    await context.route("https://github.com/**", (route) =>
      route.fulfill({ body: "GitHub" }),
    );
    await page.goto("/sign-in?next=%2Fsettings%2Fusage");
    await page.getByRole("button", { name: "Continue with GitHub" }).click();
    await page.waitForURL("https://github.com/**");
    const state = new URL(page.url()).searchParams.get("state") ?? "";
    await page.goto(
      `/auth/callback/github?${new URLSearchParams({ error: "access_denied", state })}`,
    );
    await page.getByText("You didn’t allow the sign-in").waitFor();
    assert.equal(new URL(page.url()).pathname, "/sign-in");
    for (const path of [
      "/auth/callback/github?error=state_mismatch",
      "/auth/error?error=anything",
    ]) {
      await page.goto(path);
      await page.getByText("Please try again").waitFor();
      assert.equal(new URL(page.url()).pathname, "/sign-in");
    }
  });

  test("a mail scanner that runs scripts confirms nothing, and a link that doesn't work says why", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    const email = "pia@clinic.example";
    await page.goto("/sign-up");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();
    const { link } = await service.mail.mailTo(email);
    await using scanner = await pages.arrive();
    for (const each of [page, scanner.page]) {
      const requests: string[] = [];
      each.on("request", (request) => requests.push(request.method()));
      await each.goto(link, { waitUntil: "networkidle" });
      await each.getByText(`with ${email}`).waitFor();
      assert.deepEqual(new Set(requests), new Set(["GET"]));
    }
    await page.goto("/sign-in");
    await signIn(page, email, PASSWORD);
    await page.getByText("Wrong email address or password").waitFor();

    const said = JSON.stringify({ email, exp: 1 });
    const expired = `x.${Buffer.from(said).toString("base64url")}.x`;
    await page.goto(`/auth/verify-email?token=${expired}`);
    await confirm(page);
    await page
      .getByRole("heading", { name: "This link has expired" })
      .waitFor();
    await checkAxe(page);
    for (const path of ["/confirm-email", "/auth/verify-email?token=x"]) {
      await page.goto(path);
      await page
        .getByRole("heading", { name: "This link doesn’t work" })
        .waitFor();
    }
    await page.getByLabel("Email address").fill("pia@clinic.example");
    await page.keyboard.press("Enter");
    const look = page.getByRole("heading", { name: "Check your email" });
    await look.waitFor();
    assert.ok(await look.evaluate((h1) => h1 === document.activeElement));
  });
});

/** Presses the button of the page to which a confirmation link leads. */
function confirm(page: Page): Promise<void> {
  return page.getByRole("button", { name: "Confirm email address" }).click();
}
