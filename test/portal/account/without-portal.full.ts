import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  checkAxeInLightAndDark,
  checkWidth,
  NO_BROWSER,
  PASSWORD,
  visit,
} from "../browser.ts";
import { startInstallation } from "../portal-service.ts";

const ADA = "ada@clinic.example";

suite("sign-up without the portal", { skip: NO_BROWSER }, () => {
  test("the emailed link opens a page with a button, which confirms the address once", async () => {
    await using service = await startInstallation({ PORTAL: "off" });
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 600 },
    });
    const { context, page } = reader;
    const headers = { origin: service.url };
    const post = async (path: string, data: object) =>
      (await context.request.post(path, { data, headers })).status();
    const user = { email: ADA, password: PASSWORD };
    assert.equal(await post("/auth/sign-up/email", { name: "", ...user }), 200);
    const { link } = await service.mail.mailTo(ADA);
    for (let opened = 0; opened < 2; opened++) {
      await page.goto(link, { waitUntil: "networkidle" });
      await page
        .getByText(`Someone signed up for Provider Directory with ${ADA}.`)
        .waitFor();
    }
    await checkWidth(page);
    await checkAxeInLightAndDark(page);
    assert.equal(await post("/auth/sign-in/email", user), 401);
    const button = page.getByRole("button", { name: "Confirm email address" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page
      .getByText(`${ADA} is confirmed, and you are signed in.`)
      .waitFor();
    assert.equal((await context.request.get("/account")).status(), 200);
    assert.deepEqual(reader.faults, []);
    await page.reload();
    await button.click();
    await page.getByText("This address is already confirmed.").waitFor();
  });
});
