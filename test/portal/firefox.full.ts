import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { launch } from "puppeteer-core";
import { missingProgram } from "../support/postgresql/debian-package.ts";
import { openDemo } from "./portal-service.ts";

const FIREFOX = "/usr/bin/firefox-esr";
const NO_FIREFOX = missingProgram(FIREFOX, "firefox-esr");
/** Limit of each wait, in milliseconds; a busy machine needs most of it. */
const WITHIN_MS = 60_000;

suite("the portal in Firefox", { skip: NO_FIREFOX }, () => {
  test("search, results with their map, a record, sign-in, and the guide work without errors", async () => {
    await using demo = await openDemo();
    const browser = await launch({
      browser: "firefox",
      executablePath: FIREFOX,
      // Debian's Firefox doesn't know the command that sets it.
      defaultViewport: null,
      args: ["--width=1280", "--height=900"],
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(WITHIN_MS);
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      const shown = (selector: string) => page.waitForSelector(selector);

      await page.goto(demo.url);
      await shown("input[role=combobox]");
      await page.type("input[role=combobox]", "smith");
      await page.keyboard.press("Enter");
      await shown("main ol li a");
      // Its client doesn't hear of addresses that a script pushes.
      assert.match(await page.evaluate(() => location.search), /name=smith/);

      await page.goto(`${demo.url}/?zip=60601&radius=100`);
      await shown("main ol li a");
      // The map, or what is shown without WebGL.
      await shown("[aria-label='Map of all results'] :is(canvas, p)");

      await page.click("main ol li a");
      await shown("main dl");
      assert.match(await page.evaluate(() => location.pathname), /^\/npi\//);

      await page.goto(`${demo.url}/sign-in`);
      await shown("input[type=password]");
      await page.goto(`${demo.url}/guide/quick-start`);
      await shown("main h2#get-a-key");
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
    }
  });
});
