import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  checkAxe,
  foreignRequests,
  NO_BROWSER,
  PASSWORD,
  signedUp,
  startInstallation,
  visit,
  type PortalService,
} from "./browser.ts";

suite("the portal of an installation", { skip: NO_BROWSER }, () => {
  let service: PortalService;
  before(async () => {
    service = await startInstallation({ PORTAL_NAME: "Clinic & Sons" });
  });
  after(() => service[Symbol.asyncDispose]());

  test("strangers are led to the way in, and whoever is signed in explores", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/?name=smith");
    const wayIn = page
      .getByRole("status")
      .getByRole("link", { name: "Sign in" });
    await wayIn.waitFor();
    await checkAxe(page);
    await wayIn.click();
    await page.waitForURL("**/sign-in?next=%2F%3Fname%3Dsmith");

    await signedUp(reader, service, "ada@clinic.example");
    await page.goto("/");
    await page.getByText("600 providers").waitFor();
    await page.getByRole("button", { name: "Account" }).waitFor();
    assert.equal(await page.title(), "Explorer – Clinic & Sons");
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("a link of a mail leads to a page of the portal", async () => {
    await using reader = await visit(service.url);
    const email = "grace@clinic.example";
    await reader.context.request.post("/auth/sign-up/email", {
      data: { name: "", email, password: PASSWORD },
      headers: { origin: service.url },
    });
    const { link } = await service.mail.mailTo(email);
    await reader.page.goto(link);
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(new URL(reader.page.url()).pathname, "/");
  });
});

suite("the explorer of an installation with two workers", () => {
  test("one limit holds for an address, whichever worker answers, and the page says when it goes on", async () => {
    await using service = await startInstallation({
      EXPLORER: "open",
      EXPLORER_BURST: "1",
    });
    const began = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { status } = await fetch(`${service.url}/explore/taxonomies`, {
          headers: { connection: "close" },
        });
        return status;
      }),
    );
    const given = statuses.filter((status) => status === 200).length;
    // Three at once, and one for each second since.
    const most = 3 + Math.ceil((performance.now() - began) / 1_000);
    assert.ok(given >= 3 && given <= most, statuses.join(" "));
    if (NO_BROWSER !== false) return;
    await using reader = await visit(service.url);
    const { page } = reader;
    // However long the browser took to open: nothing is left when it asks first.
    await page.route(
      "**/explore/search*",
      async (route) => {
        await spendAll(service);
        await route.continue();
      },
      { times: 1 },
    );
    await page.goto("/");
    await page.getByText("A little slower, please").waitFor();
    await page.getByText("600 providers").waitFor();
  });
});

/** Asks until the explorer's limit refuses. */
async function spendAll({ url }: PortalService): Promise<void> {
  let status = 200;
  while (status === 200)
    ({ status } = await fetch(`${url}/explore/taxonomies`));
}
