import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { formatDay } from "../../src/portal/format.ts";
import { cases } from "../support/pure/full-run.ts";
import { ProgramProcess, succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  foreignRequests,
  NARROW,
  NO_BROWSER,
  PATHS,
  PASSWORD,
  signedUp,
  tooWide,
  visit,
} from "./browser.ts";
import { startInstallation, type PortalService } from "./portal-service.ts";

suite("the portal of an installation", { skip: NO_BROWSER }, async () => {
  const service = await startInstallation(
    { PORTAL_NAME: "Clinic & Sons" },
    undefined,
    daysAgo(3).replaceAll("-", ""),
  );
  after(() => service[Symbol.asyncDispose]());

  test("visitors are sent to sign-in, and signed-in users can explore data that no page calls old", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await page.getByText("Sign in to search this directory.").waitFor();
    await page.locator("main").getByRole("link", { name: "Sign in" }).waitFor();
    await checkAxe(page);
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
    await page
      .getByText(/^Search 600 providers in the U.S. .* Free API.$/)
      .waitFor();
    await page.getByText(/^Data through .* Browse all$/).waitFor();
    await page.getByRole("button", { name: "Account" }).waitFor();
    assert.equal(
      await page.title(),
      "Find a healthcare provider – Clinic & Sons",
    );
    assert.equal(await page.getByText("out of date").count(), 0);
    await page.goto("/guide");
    await page.locator("h1").waitFor();
    assert.equal(await page.getByText("out of date").count(), 0);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("the link in an email leads to a page of the portal", async () => {
    await using reader = await visit(service.url, NARROW);
    const email = "grace@clinic.example";
    await reader.context.request.post("/auth/sign-up/email", {
      data: { name: "", email, password: PASSWORD },
      headers: { origin: service.url },
    });
    const { link } = await service.mail.mailTo(email);
    await reader.page.goto(link);
    await reader.page
      .getByRole("button", { name: "Confirm email address" })
      .click();
    await reader.page.waitForURL(`${service.url}/`);
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
  });
});

suite("the age of the data", { skip: NO_BROWSER }, () => {
  test("every page warns when the data is more than ten days old", async () => {
    const end = daysAgo(12);
    await using service = await startInstallation(
      { EXPLORER: "open" },
      undefined,
      end.replaceAll("-", ""),
    );
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    const notice = page.getByRole("complementary", {
      name: "Data age",
    });
    // The last one stays open.
    const paths = cases([...PATHS, "/nowhere"]).concat("/guide");
    for (const path of paths) {
      await page.goto(path);
      await page.locator("h1").waitFor();
      const said = await notice.innerText();
      assert.equal(
        said,
        `This data is out of date. It goes through ${formatDay(end)}.`,
        path,
      );
    }
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page), []);
    const { data } = await (await fetch(`${service.url}/v1/status`)).json();
    assert.equal(data.stale, true);
  });
});

suite("an installation without data", { skip: NO_BROWSER }, () => {
  test("pages say what happens and what to do, and show the data once it is imported", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "npidata_pfile_20050523-20261108.csv");
    const data = join(folder.path, "data");
    mkdirSync(data);
    await succeed(["generate", "--providers", "50", "--out", file]);
    await using program = new ProgramProcess(["serve"], {
      DATA_DIR: data,
      PORT: "0",
      WORKERS: "1",
      EXPLORER: "open",
    });
    const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    await using reader = await visit(url, {
      viewport: { width: 320, height: 667 },
    });
    const { page } = reader;
    const notice = page.getByText("No provider data yet");
    for (const path of ["/npi/1234567893", "/?name=smith", "/"]) {
      await page.goto(path);
      await notice.waitFor();
      await page.getByText("provider-directory update").waitFor();
    }
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    await succeed(["import", file, "--data-dir", data]);
    await page.getByText("Search 50 providers in the U.S.").waitFor();
    assert.equal(await notice.count(), 0);
    await page.goto("/nowhere");
    await page.getByRole("combobox", { name: "Search providers" }).waitFor();
  });
});

suite("the explorer of an installation with two workers", () => {
  test("an address has one rate limit across workers, and the page says when it tries again", async () => {
    await using service = await startInstallation({
      EXPLORER: "open",
      EXPLORER_BURST: "1",
      WORKERS: "2",
    });
    const began = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 12 }, () => statusOfSearch(service)),
    );
    const given = statuses.filter((status) => status === 200).length;
    // Three at once, and one for each second since.
    const most = 3 + Math.ceil((performance.now() - began) / 1_000);
    assert.ok(given >= 3 && given <= most, statuses.join(" "));
    if (NO_BROWSER !== false) return;
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    // Nothing is left for the browser's first request, however long the browser took to start.
    await page.route(
      "**/explore/search*",
      async (route) => {
        await spendAll(service);
        await route.continue();
      },
      { times: 1 },
    );
    const refused = new AbortController();
    // On a slow machine a second passes, and the limit refills.
    const spending = (async () => {
      while (!refused.signal.aborted) await spendAll(service);
    })();
    await page.goto("/?page=1");
    await page.getByText("Too many requests").waitFor();
    refused.abort();
    await spending;
    await page.getByText("of 600 providers").waitFor();
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Sends requests until the explorer's rate limit refuses one. */
async function spendAll(service: PortalService): Promise<void> {
  while ((await statusOfSearch(service)) === 200);
}

/**
 * Sends a request over a separate connection: on a slow machine, the service closes one that was idle as it is used
 * again.
 */
async function statusOfSearch({ url }: PortalService): Promise<number> {
  const answer = await fetch(`${url}/explore/search`, {
    headers: { connection: "close" },
  });
  await answer.body?.cancel();
  return answer.status;
}
