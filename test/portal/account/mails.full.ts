import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { renderMail } from "../../../src/auth/mail/templates.ts";
import { startAccountPages } from "./account-pages.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  checkWidth,
  NO_BROWSER,
  PASSWORD,
  signedUp,
  visit,
} from "../browser.ts";

const SENDER = {
  name: "Provider Directory of the North-Western Clinics Association",
  url: "https://directory.example",
};

suite("emails in a mail client", { skip: NO_BROWSER }, () => {
  for (const colorScheme of ["light", "dark"] as const)
    test(`a long token doesn't make the email wider than a phone, and the button is large enough to touch (${colorScheme})`, async () => {
      const { html } = renderMail(SENDER, "ada@clinic.example", {
        subject: "Confirm your email address",
        before: ["Someone signed up with this address."],
        button: {
          text: "Confirm address",
          link: `${SENDER.url}/auth/verify-email?token=${"a1B2".repeat(500)}`,
        },
        after: ["The link works for one hour."],
      });
      await using reader = await visit("about:blank", {
        colorScheme,
        viewport: { width: 360, height: 740 },
      });
      const { page } = reader;
      await page.setContent(html);
      const width = await page.evaluate(
        () => document.documentElement.scrollWidth,
      );
      assert.equal(width, 360);
      const box = await page
        .getByRole("link", { name: "Confirm address" })
        .boundingBox();
      assert.ok(box !== null && box.height >= 44, JSON.stringify(box));
      // axe assumes a white background if the page has none.
      await page.addStyleTag({ content: "html { background: Canvas }" });
      await checkAxe(page, "table, h1, p");
      assert.deepEqual(reader.faults, []);
    });
});

suite("the email to a new address", { skip: NO_BROWSER }, async () => {
  const pages = await startAccountPages();
  const { service } = pages;
  after(() => pages[Symbol.asyncDispose]());

  test("from the form, through its link, to the address in all tabs; it works once", async () => {
    await using reader = await pages.arrive({
      viewport: { width: 390, height: 844 },
    });
    const { context, page } = reader;
    const before = "ada@clinic.example";
    const address = "ada@hospital.example";
    await signedUp(reader, service, before);
    await page.goto("/settings/security");
    const form = page.getByRole("region", { name: "Email address" });
    const button = form.getByRole("button", { name: "Change email address" });
    await button.click();
    await form.getByText("Enter your email address.").waitFor();
    await form.getByText("Enter your password.").waitFor();
    await form.getByLabel("New email address").fill(before);
    await form.getByLabel("Password to confirm").fill("not the password");
    await button.click();
    await form.getByText("Enter a valid email address.").waitFor();
    await form.getByLabel("New email address").fill(address);
    await button.click();
    await form.getByText("Wrong password.").waitFor();
    await form.getByLabel("Password to confirm").fill(PASSWORD);
    await button.click();
    await form.getByText(`we’ve sent to ${address}`).waitFor();
    await checkAxeInLightAndDark(page);
    await checkWidth(page);

    const { link } = await service.mail.mailTo(address);
    const tab = await context.newPage();
    for (let opened = 0; opened < 2; opened++)
      await tab.goto(link, { waitUntil: "networkidle" });
    await tab.getByText(`at Provider Directory to be ${address}.`).waitFor();
    await checkAxe(tab);
    const confirm = tab.getByRole("button", { name: "Confirm email address" });
    await confirm.click();
    await tab.getByText(`From now on, sign in with ${address}.`).waitFor();
    await tab.getByRole("link", { name: "Continue" }).waitFor();
    await checkAxeInLightAndDark(tab);
    await form.getByText(`Your address is ${address}.`).waitFor();
    await tab.goto(link);
    await confirm.click();
    await tab
      .getByRole("heading", { name: "This link no longer works" })
      .waitFor();
    await checkAxe(tab);
    await tab.getByRole("link", { name: "Security settings" }).click();
    await tab.getByText("Email address changed").waitFor();

    await using elsewhere = await pages.arrive();
    const late = service.mail.mailSaying(before, /Your email address was ch/);
    assert.match((await late).text, /ada@hospital\.example/);
    const requestType = "change-email-verification";
    const said = JSON.stringify({ email: address, exp: 1, requestType });
    const token = `x.${Buffer.from(said).toString("base64url")}.x`;
    await elsewhere.page.goto(`/auth/verify-email?token=${token}`);
    await elsewhere.page
      .getByRole("button", { name: "Confirm email address" })
      .click();
    await elsewhere.page
      .getByRole("heading", { name: "This link has expired" })
      .waitFor();
    await elsewhere.page
      .getByRole("link", { name: "Security settings" })
      .waitFor();
  });
});
