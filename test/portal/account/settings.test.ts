import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { IS_FULL } from "../../support/pure/full-run.ts";
import { until } from "../../support/pure/until.ts";
import {
  IN_PAIRS,
  askApi,
  createKey,
  OTHER_PASSWORD,
  QUOTA,
  SETTINGS,
  displayedKey,
  signIn,
  startAccountPages,
  untilRefused,
  loseNext,
} from "./account-pages.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  cutOff,
  PASSWORD,
  reconnect,
  signedUp,
  tooWide,
} from "../browser.ts";
import { checkShifts, watchShifts } from "../layout-shifts.ts";

suite("the account pages", IN_PAIRS, async () => {
  const pages = await startAccountPages();
  const { service } = pages;
  after(() => pages[Symbol.asyncDispose]());

  test("a rotated key works during its overlap, and a revoked key is refused", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "bea@clinic.example");
    await page.goto("/settings");
    const first = await createKey(page, "reports");
    await page.getByRole("button", { name: "I’ve saved it" }).click();

    const rotate = page.getByRole("button", { name: "Rotate reports" });
    await rotate.click();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.ok(await rotate.evaluate((it) => it === document.activeElement));
    await rotate.click();
    await page.getByLabel("Old key expires").selectOption("1h");
    await checkAxe(page, "dialog");
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByText(/works until/).waitFor();
    const second = await displayedKey(page);
    assert.notEqual(second, first);
    assert.equal(await askApi(service, first), 200);
    assert.equal(await askApi(service, second), 200);

    const old = page.getByRole("listitem").filter({ hasText: first.slice(-4) });
    await old.getByText("Replaced", { exact: true }).waitFor();
    await old
      .getByText(`, replaced by ${second.slice(0, 12)}…${second.slice(-4)}.`)
      .waitFor();
    assert.equal(await rotate.count(), 1, "only the new key's");
    const rows = page.getByRole("list", { name: "Active keys" });
    await rows.getByRole("listitem").last().getByText("Ends on").waitFor();
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page), []);
    await old.getByRole("button", { name: "Revoke reports" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Revoked and expired keys (1)").waitFor();
    await untilRefused(service, first);

    await page
      .getByRole("list", { name: "Active keys" })
      .getByRole("button", { name: "Revoke reports" })
      .click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Revoked and expired keys (2)").waitFor();
    await untilRefused(service, second);
    await page.getByRole("button", { name: "Try it now" }).click();
    await page.getByRole("alert").getByText(/key/i).waitFor();
  });

  test("a key gets another name, and the log says so in words", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "rey@clinic.example");
    await page.goto("/settings");
    await createKey(page, "reports");
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByRole("button", { name: "Rename reports" }).click();
    const name = page.getByRole("dialog").getByLabel("Name");
    assert.equal(await name.inputValue(), "reports");
    await name.fill("intake forms");
    await checkAxe(page, "dialog");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "intake forms" }).waitFor();
    await page.getByRole("button", { name: "Rotate intake forms" }).click();
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByText(/works until/).waitFor();
    await page.goto("/settings/security");
    const log = page.getByRole("table", { name: "Log entries" });
    await log.getByText("from “reports” to “intake forms”").waitFor();
    await log.getByText(/, replaced by .*; the old one works until/).waitFor();
  });

  test("a key is created with an expiry, which the list shows", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "tia@clinic.example");
    await page.goto("/settings");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("trial");
    await page.getByLabel("Expires").selectOption("90");
    await checkAxe(page, "dialog");
    await page.getByRole("button", { name: "Create key" }).click();
    await page
      .getByText(/^pd_live_/)
      .first()
      .waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "trial" });
    await row.getByText("Active", { exact: true }).waitFor();
    const end = row.locator("div", { hasText: /^Expires/ }).locator("time");
    const at = Date.parse((await end.getAttribute("datetime")) ?? "");
    assert.ok(Math.abs(at - Date.now() - 90 * 86_400_000) < 3_600_000);
  });

  test("at ten active keys the page says why no more can be created", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    await signedUp(reader, service, "cem@clinic.example");
    for (let made = 0; made < 10; made += 1)
      await context.request.post("/account/keys", {
        data: { name: `key ${made}` },
        headers: { origin: service.url },
      });
    await page.goto("/settings");
    const button = page.getByRole("button", { name: "New key" });
    await page.getByText("You have 10 active keys").waitFor();
    await button.click({ force: true });
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.getByRole("button", { name: "Rotate key 3" }).click();
    await page.getByText("can’t both work").waitFor();
    await cutOff(context);
    await page.getByRole("button", { name: "Rotate key", exact: true }).click();
    await page.getByText("Can’t reach the service").waitFor();
    await reconnect(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("no longer works.").waitFor();
  });

  test("an exhausted quota is shown, with the day on which it resets", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "dan@clinic.example");
    await page.goto("/settings/usage");
    await page.getByText("No requests.").waitFor();
    await page.goto("/settings");
    const key = await createKey(page, "all of it");
    for (let asked = 0; asked < QUOTA; asked += 1)
      assert.equal(await askApi(service, key), 200);
    assert.equal(await askApi(service, key), 429);
    await page.getByRole("button", { name: "Try it now" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: "You’ve used all of this month’s requests" })
      .first()
      .waitFor();
    const chart = page.getByRole("img", {
      name: new RegExp(`Requests by day .*: ${QUOTA} in total`),
    });
    await until("the use is written", async () => {
      await page.goto("/settings/usage");
      await page.getByText("Used this month").waitFor();
      await page
        .getByRole("img", { name: /Requests by day/ })
        .or(page.getByText("No requests."))
        .first()
        .waitFor();
      return (
        (await page.getByText("quota_exceeded").count()) === 1 &&
        (await chart.count()) === 1
      );
    });
    await page.getByText("Quota 5").waitFor();
    await page.getByText("Show as a table").last().click();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole("row", { name: `${today} ${QUOTA}` }).waitFor();
    for (const operation of ["Nearby", "Batch"]) {
      await page.getByLabel("Operation").selectOption({ label: operation });
      await page.getByText("No requests.").waitFor();
    }
    await page.getByLabel("Operation").selectOption("search");
    await page.getByLabel("Period").selectOption("90");
    await page.getByRole("img", { name: /Requests by day/ }).waitFor();
    await checkAxe(page);
    await page.goto("/settings");
    await page.getByText("You’ve used all of this month’s requests").waitFor();
    assert.deepEqual(
      reader.faults.filter((fault) => !fault.includes("429")),
      [],
    );
  });

  test("sessions are listed and ended, the password is changed, and the account is deleted", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    const email = "hal@clinic.example";
    await signedUp(reader, service, email);
    await using other = await pages.arrive({
      userAgent: "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0",
    });
    await other.page.goto("/sign-in");
    await signIn(other.page, email, PASSWORD);
    await other.page.waitForURL("**/settings");

    const ways = await context.request.get("/auth/list-accounts");
    assert.doesNotMatch(await ways.text(), /password|token/i);
    await page.goto("/settings/security");
    await page.getByText("This session").waitFor();
    const end = page.getByRole("button", {
      name: "End session: Firefox on Windows",
    });
    await end.click();
    await page.getByText("Session ended: Firefox on Windows.").waitFor();
    assert.ok(
      await page
        .getByRole("heading", { name: "Sessions" })
        .evaluate((h2) => h2 === document.activeElement),
    );
    await end.waitFor({ state: "detached" });
    await other.page.goto("/settings");
    await other.page.getByText("Sign in to continue").waitFor();

    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password has been changed").waitFor();
    await page.getByText("This session").waitFor();
    await checkAxe(page);

    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByText(`Signed in as ${email}`).waitFor();
    await checkAxe(page);
    await page.keyboard.press("Escape");
    await page.getByText("Signed in as").waitFor({ state: "hidden" });

    await page.getByRole("button", { name: "Delete account…" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("Wrong password.").waitFor();
    await checkAxe(page, "dialog");
    await page.getByLabel("Your password").fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("Your account has been deleted").waitFor();
    const asked = await context.request.get("/account");
    assert.equal(asked.status(), 401);
  });

  test("a plan is bought at Stripe, and the page shows the change", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    await signedUp(reader, service, "joe@clinic.example");
    await context.route("https://stripe.example/**", (route) =>
      route.fulfill({ body: "Stripe" }),
    );
    await page.goto("/settings/plan");
    await page.getByText("Your plan", { exact: true }).waitFor();
    const withFiles = page.getByRole("listitem").filter({ hasText: "Files" });
    assert.deepEqual(await withFiles.getByRole("heading").allInnerTexts(), [
      "Paid",
    ]);
    await page.getByRole("button", { name: "Manage payments" }).click();
    await page.getByText("never subscribed to a plan").waitFor();
    await page.getByRole("button", { name: "Choose Paid" }).click();
    await page.waitForURL("https://stripe.example/**");
    const subscription = pages.stripe.pay(page.url());
    await page.goto("/settings/plan?checkout=paid");
    await page.getByText("Waiting for your payment").waitFor();
    const tell = async (event: string) => {
      const { body, signature } = pages.stripe.event(event, subscription);
      const delivered = await fetch(`${service.url}/billing/webhook`, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signature,
        },
        body,
      });
      assert.equal(delivered.status, 200);
    };
    await tell("customer.subscription.created");
    await page.getByText("Your plan has changed").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Your plan" })
      .getByText("Paid")
      .waitFor();
    assert.equal(
      await page.getByRole("button", { name: "Choose Paid" }).count(),
      0,
    );
    await page.goto("/settings/plan?checkout=cancelled");
    await page.getByText("Checkout canceled").waitFor();
    pages.stripe.change(subscription, { status: "past_due" });
    await tell("customer.subscription.updated");
    await page.goto("/settings");
    await page.getByText("Your last payment failed").waitFor();
    await page.getByRole("link", { name: "Manage payments" }).click();
    await page.getByText("Your last payment failed").waitFor();
    await checkAxe(page);
    pages.stripe.change(subscription, {
      status: "active",
      cancel_at_period_end: true,
    });
    await tell("customer.subscription.updated");
    await page.reload();
    await page.getByText("Your subscription is canceled").waitFor();
  });

  test("on a phone nothing scrolls sideways or moves while it loads, and axe finds nothing, light or dark", async () => {
    await using reader = await pages.arrive({
      viewport: { width: 390, height: 844 },
    });
    const { page } = reader;
    await signedUp(reader, service, `kim.${"long".repeat(14)}@clinic.example`);
    await watchShifts(page);
    await page.goto("/settings");
    await createKey(page, "w".repeat(60));
    const signedIn = [null, ...SETTINGS];
    // Axe checks these in a wide window too (pages.test.ts).
    const others = ["/forgot-password", "/reset-password?token=x", "/sign-up"];
    for (const path of [...signedIn, ...others]) {
      if (path !== null) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await page.waitForLoadState("networkidle");
        await checkShifts(page);
      }
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth,
        );
        assert.ok(wide <= width, `${path} is ${wide} wide in ${width}`);
      }
      if (IS_FULL || signedIn.includes(path))
        await checkAxeInLightAndDark(page);
    }
    for (const name of ["Menu", "Account"])
      await page.getByRole("button", { name, exact: true }).click();
    const panel = await page.locator("#account-panel").boundingBox();
    assert.ok(panel !== null && panel.x >= 0 && panel.x + panel.width <= 320);
    assert.deepEqual(reader.faults, []);
  });

  test("a key whose response is lost isn't created twice, and a new key stays until it is saved", async () => {
    await using reader = await pages.arrive();
    const { page } = reader;
    await signedUp(reader, service, "ned@clinic.example");
    const retry = page.getByRole("button", { name: "Try again" });
    const arrived = page.getByText(
      "The key was created, but the response was lost",
    );
    const rows = page
      .getByRole("list", { name: "Active keys" })
      .getByRole("listitem");
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "clipboard", { value: undefined }),
    );
    await page.goto("/settings");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("forms");
    await loseNext(page, "**/account/keys");
    await page.keyboard.press("Enter");
    await page.getByText("may have been created anyway").waitFor();
    await retry.click();
    await arrived.waitFor();
    await checkAxe(page, "dialog");
    await page.getByRole("button", { name: "Close" }).click();
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);

    await page.getByRole("button", { name: "Rotate forms" }).click();
    await page.getByLabel("Old key expires").selectOption("0");
    await loseNext(page, "**/account/keys/*/rotate");
    await page.getByRole("button", { name: "Rotate key" }).click();
    await retry.click();
    await arrived.waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Revoked and expired keys (1)").waitFor();

    await page.getByRole("button", { name: "Revoke forms" }).click();
    await loseNext(page, "**/account/keys/*");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await retry.click();
    await page.getByText("Revoked and expired keys (2)").waitFor();

    const first = await createKey(page, "first");
    await page.getByRole("button", { name: "Copy key" }).click();
    await page.getByRole("status").getByText("Couldn’t copy").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("second");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your new key: second" }).waitFor();
    const stored = page.getByRole("button", { name: "I’ve saved it" });
    await stored.first().click();
    await page.getByText("Your new key: second").waitFor({ state: "detached" });
    assert.equal(await displayedKey(page), first);
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");

    await page.goto("/settings/security");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await loseNext(page, "**/auth/change-password");
    await page.getByRole("button", { name: "Change password" }).click();
    await retry.click();
    await page.getByText("or your last try did change it").waitFor();
    await page.getByRole("button", { name: "Delete account…" }).click();
    await page.getByLabel("Your password").fill(OTHER_PASSWORD);
    await loseNext(page, "**/account");
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await retry.click();
    await page.getByText("Your account was probably deleted").waitFor();
  });

  test("when a session ends the page stays, and signing in comes back to it", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    const email = "fay@clinic.example";
    await signedUp(reader, service, email);
    await page.goto("/settings");
    const button = page.getByRole("button", { name: "New key" });
    await button.waitFor();
    await context.clearCookies();
    const over = page.getByText("Your session has ended", { exact: true });
    await button.click();
    await page.getByLabel("Name", { exact: true }).fill("typed before");
    await page.getByRole("button", { name: "Create key" }).click();
    const otherTab = page.getByRole("link", { name: "in another tab" });
    await checkAxe(page, "dialog");
    const [other] = await Promise.all([
      context.waitForEvent("page"),
      otherTab.click(),
    ]);
    await signIn(other, email, PASSWORD);
    await over.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Your new key: typed before").waitFor();

    await other.getByRole("button", { name: "Account", exact: true }).click();
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.waitForURL("**notice=signed-out");
    await over.waitFor();
    assert.equal(await button.count(), 1);
    await page.getByText("Your new key: typed before").waitFor();
    await checkAxe(page);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL("**/sign-in?next=%2Fsettings");
    await signIn(page, email, PASSWORD);
    await page.waitForURL("**/settings");
    await page.getByRole("button", { name: "Rotate typed before" }).waitFor();
    assert.equal(await over.count(), 0);

    for (const path of SETTINGS) {
      await context.clearCookies();
      await page.goto(path);
      if (path === "/settings/plan")
        await page.getByRole("heading", { name: "Plans" }).waitFor();
      else await page.getByText("Sign in to continue").waitFor();
    }
  });

  test("a page that becomes visible again checks the session", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    await signedUp(reader, service, "max@clinic.example");
    const show = () =>
      page.evaluate(() =>
        document.dispatchEvent(new Event("visibilitychange")),
      );
    await page.goto("/settings");
    const key = await createKey(page, "of max");
    await cutOff(context);
    const failed = page.waitForEvent("requestfailed");
    await show();
    await failed;
    assert.equal(await displayedKey(page), key);
    await reconnect(context);
    await context.clearCookies();
    await show();
    await page.getByText("Your session has ended").waitFor();
    assert.equal(await displayedKey(page), key);
    await signedUp(reader, service, "oda@clinic.example");
    await show();
    await page.getByText("You have no keys yet.").waitFor();
    assert.ok(!(await page.content()).includes(key));
  });

  test("a user whose browser blocks the cookie sees why sign-in doesn't work", async () => {
    await using reader = await pages.arrive();
    const { context, page } = reader;
    const email = "nat@clinic.example";
    await signedUp(reader, service, email);
    await context.clearCookies();
    await context.route("**/auth/get-session", (route) =>
      route.fulfill({ json: null }),
    );
    await page.goto("/sign-in");
    await signIn(page, email, PASSWORD);
    await page.getByText("Your browser blocked this site’s cookie").waitFor();
    await checkAxe(page);
    await context.unroute("**/auth/get-session");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/settings");
  });
});
