import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { renderMail } from "../../../src/auth/mail/templates.ts";
import { checkAxe, NO_BROWSER, visit } from "../browser.ts";

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
