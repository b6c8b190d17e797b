import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  checkAxeInLightAndDark,
  foreignRequests,
  NO_BROWSER,
  signedUp,
  tooWide,
  visit,
} from "./browser.ts";
import { checkShifts, watchShifts } from "./layout-shifts.ts";
import { startInstallation } from "./portal-service.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 2"><style>rect { fill: navy }</style><rect width="8" height="2"/></svg>`;
const PHONE = { viewport: { width: 320, height: 667 } };

suite("an installation with a name", { skip: NO_BROWSER }, async () => {
  using folder = temporaryFolder();
  const logo = join(folder.path, "logo.svg");
  writeFileSync(logo, SVG);
  const service = await startInstallation({
    EXPLORER: "open",
    PORTAL_NAME: "Clinic & Sons",
    PORTAL_LOGO: logo,
    PORTAL_CONTACT: "it@clinic.example",
    PORTAL_PRIVACY: "https://clinic.example/privacy",
    PORTAL_TERMS: "/terms.html",
  });
  after(() => service[Symbol.asyncDispose]());

  test("every page has its logo, and its links in the footer; nothing moves", async () => {
    for (const options of [{}, PHONE]) {
      await using reader = await visit(service.url, options);
      const { faults, page } = reader;
      await watchShifts(page);
      for (const path of ["/", "/settings/plan"]) {
        await page.goto(path);
        const image = page
          .getByRole("banner")
          .getByRole("img", { name: "Clinic & Sons" });
        await image.waitFor();
        assert.ok(
          await image.evaluate(
            (each) =>
              each instanceof HTMLImageElement &&
              each.decode().then(() => each.naturalWidth > 0),
          ),
        );
        const footer = page.getByRole("contentinfo");
        await footer.getByText(/^Version \d+\.\d+\.\d+$/).waitFor();
        assert.deepEqual(
          await footer
            .getByRole("link")
            .evaluateAll((links) =>
              links.map((link) => [
                link.textContent,
                link.getAttribute("href"),
              ]),
            ),
          [
            ["Contact", "mailto:it@clinic.example"],
            ["Privacy", "https://clinic.example/privacy"],
            ["Terms", "/terms.html"],
            ["Status", "/v1/status"],
          ],
        );
        await page.waitForLoadState("networkidle");
        await checkShifts(page);
        await checkAxeInLightAndDark(page);
        assert.deepEqual(await tooWide(page), []);
      }
      assert.deepEqual(faults, []);
      assert.deepEqual(foreignRequests(reader, service), []);
    }
  });

  test("the logo's address, opened as a page, runs no script", async () => {
    await using reader = await visit(service.url);
    const { data } = await (await fetch(`${service.url}/portal.json`)).json();
    const answer = await reader.page.goto(data.logo);
    assert.equal(answer?.status(), 200);
    assert.match(answer?.headers()["content-security-policy"] ?? "", /sandbox/);
  });

  test("the plan page offers no plan that can't be bought here, and links the contact", async () => {
    await using reader = await visit(service.url, PHONE);
    const { page } = reader;
    const main = page.getByRole("main");
    const contact = main.getByRole("link", { name: "the operator" });
    await page.goto("/settings/plan");
    await main.getByText("For more requests, ask the operator").waitFor();
    assert.deepEqual(
      await main.getByRole("heading", { level: 2 }).allInnerTexts(),
      ["Free"],
    );
    await signedUp(reader, service, "pia@clinic.example");
    await page.goto("/settings/plan");
    await main.getByText("For another plan, ask the operator").waitFor();
    assert.equal(
      await contact.getAttribute("href"),
      "mailto:it@clinic.example",
    );
    assert.deepEqual(
      await main.getByRole("heading", { level: 2 }).allInnerTexts(),
      ["Free"],
    );
    assert.equal(await main.getByText("$29").count(), 0);
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page), []);
  });

  test("the header leads visitors to an API key, and users to their account", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/guide");
    const banner = page.getByRole("banner");
    await banner.getByRole("link", { name: "Get an API key" }).click();
    await page.waitForURL("**/sign-up");
    await signedUp(reader, service, "ada@clinic.example");
    await page.goto("/");
    await banner.getByRole("button", { name: "Account" }).waitFor();
    assert.equal(await banner.getByText("Get an API key").count(), 0);
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Get an API key" }).click();
    await page.waitForURL("**/settings");
  });
});

suite("an installation whose name can't be shown", () => {
  test("isn't started, and a sentence says why", async () => {
    using folder = temporaryFolder();
    const environment = { DATA_DIR: folder.path, PORT: "0" };
    for (const [name, value, sentence] of [
      [
        "PORTAL_LOGO",
        join(folder.path, "none.svg"),
        /PORTAL_LOGO can't be used: .*none\.svg: it can't be read \(ENOENT.*Name an SVG or PNG file/,
      ],
      ["PORTAL_LOGO", "logo.jpg", /must be an SVG or PNG file/],
      ["PORTAL_CONTACT", "javascript:alert(1)", /must be an email address/],
      ["PORTAL_PRIVACY", "javascript:alert(1)", /must be a URL such as/],
      ["PORTAL_TERMS", "//evil.example", /must be a URL such as/],
    ] as const) {
      const { code, err } = await runProgram(["serve"], {
        environment: { ...environment, [name]: value },
      });
      assert.notEqual(code, 0, err);
      assert.match(err, sentence);
    }
  });
});
