import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { AccountInfo, UsageRow } from "../../../src/contract/account.ts";
import {
  checkAxeInLightAndDark,
  NO_BROWSER,
  tooWide,
  visit,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";

const DAY_MS = 86_400_000;

suite("the charts of usage", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  for (const [days, today, month] of [
    [28, "2026-02-19", "Feb"],
    [31, "2026-03-31", "Mar"],
  ] as const)
    test(`in a month of ${days} days, each bar, point, and label is over its day`, async () => {
      await using reader = await visit(service.url);
      const { page } = reader;
      await pretend(page, today);
      await page.goto("/settings/usage");
      const latest = Number(today.slice(8));
      const charts = page.locator("svg[role=img]");
      await charts.nth(1).waitFor();
      for (const chart of await charts.all()) {
        const at = await chart.evaluate(placesIn);
        const slot = (at.right - at.left) / days;
        const middle = (day: number) => at.left + slot * (day - 0.5);
        const isNear = (x: number, day: number) =>
          Math.abs(x - middle(day)) < 0.5;
        assert.ok(at.labels.length >= 6, String(at.labels.length));
        for (const { text, x } of at.labels)
          assert.ok(isNear(x, Number(text.replace(`${month} `, ""))), text);
        assert.ok(at.labels.some(({ text }) => text === `${month} ${latest}`));
        assert.ok(at.points.every((x) => isNear(x, latest)));
        assert.equal(at.bars.length, at.points.length === 0 ? latest : 0);
        for (const [index, x] of at.bars.entries())
          assert.ok(isNear(x, index + 1), `bar ${index + 1}`);
      }
      assert.deepEqual(reader.faults, []);
    });

  test("pointer and keys show a day's figures, today's so far, and a table has the same", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await pretend(page, "2026-02-19");
    await page.goto("/settings/usage");
    await page.getByText("Through Feb 19, so far: 190 requests").waitFor();
    const day = page.getByRole("slider", { name: "Day" }).nth(1);
    await page
      .getByText("Feb 19, so far: 19 requests", { exact: true })
      .waitFor();
    await day.focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("Feb 18: 18 requests", { exact: true }).waitFor();
    assert.equal(
      await day.getAttribute("aria-valuetext"),
      "Feb 18: 18 requests",
    );
    await page.keyboard.press("Home");
    await page.getByText("Feb 1: 1 request", { exact: true }).waitFor();
    const box = await day.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + box.width - 30, box.y + 100);
    await page
      .getByText("Feb 19, so far: 19 requests", { exact: true })
      .waitFor();
    await page.getByText("Show as a table").first().click();
    await page
      .getByRole("row", { name: "2026-02-18 18 171", exact: true })
      .waitFor();
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    assert.deepEqual(reader.faults, []);
  });
});

/** Answers as on another day for a user who sent as many requests on each day as its number in the month. */
async function pretend(page: Page, today: string): Promise<void> {
  const now = Date.parse(`${today}T12:00:00Z`);
  const first = Date.parse(`${today.slice(0, 8)}01T00:00:00Z`);
  const date = new Date(first);
  const end = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  );
  const account: AccountInfo = {
    email: "ada@clinic.example",
    plan: "free",
    status: "active",
    quota: 1_000,
    used: 0,
    remaining: 1_000,
    resets_at: end.toISOString(),
    requests_per_second: 10,
    created_at: "2026-01-01T00:00:00.000Z",
    subscription: null,
  };
  const rows: UsageRow[] = [];
  for (let at = first; at <= now; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    rows.push({
      day,
      key_id: 1,
      operation: "search",
      used: Number(day.slice(8)),
    });
  }
  const headers = { date: new Date(now).toUTCString() };
  for (const [path, json] of [
    ["/auth/get-session", { session: { token: "" }, user: account }],
    ["/account", { data: account, meta: {} }],
    ["/account/keys*", { data: [], meta: {} }],
    ["/account/usage*", { data: rows, meta: { days: 31 } }],
  ] as const)
    await page.route(`**${path}`, (route) => route.fulfill({ json, headers }));
}

/** Where a chart draws what, in its own pixels. */
function placesIn(chart: SVGElement | HTMLElement) {
  const all = (selector: string, name: string) =>
    [...chart.querySelectorAll(selector)].map((element) =>
      Number(element.getAttribute(name)),
    );
  const texts = [...chart.querySelectorAll("text")].map((it) => it.textContent);
  // The first is the chosen day's.
  const widths = all("rect", "width").slice(1);
  return {
    left: Math.min(...all("line", "x1")),
    right: Math.max(...all("line", "x2")),
    labels: all("text", "x")
      .map((x, index) => ({ text: texts[index] ?? "", x }))
      .filter(({ text }) => /^[A-Z][a-z]{2} \d+$/.test(text)),
    points: all("circle", "cx"),
    bars: all("rect", "x")
      .slice(1)
      .map((x, index) => x + (widths[index] ?? 0) / 2),
  };
}
