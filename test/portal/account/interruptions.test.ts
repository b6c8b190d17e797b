import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  IN_PAIRS,
  loseNext,
  createKey,
  OTHER_PASSWORD,
  SETTINGS,
  displayedKey,
  signIn,
  startAccountPages,
} from "./account-pages.ts";
import { checkAxe, cutOff, PASSWORD, reconnect, signedUp } from "../browser.ts";

suite("interruptions on the account pages", IN_PAIRS, async () => {
  const pages = await startAccountPages();
  const { service } = pages;
  after(() => pages[Symbol.asyncDispose]());

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
    await page.getByLabel("Name").fill("forms");
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
    await page.getByLabel("Name").fill("second");
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
    await page.getByLabel("Name").fill("typed before");
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
