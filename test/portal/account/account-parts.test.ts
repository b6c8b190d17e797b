import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceName } from "../../../src/portal/account/security/device-name.ts";
import {
  mailedPath,
  nextPath,
  withQuery,
} from "../../../src/portal/account/sign-in/next-path.ts";
import {
  dailyUsage,
  axisTicks,
  monthStart,
  runningTotals,
} from "../../../src/portal/account/usage/usage-series.ts";

test("sign-in leads to the wanted page of the portal, never to another site", () => {
  for (const path of [
    "/",
    "/?name=smith&page=2",
    "/settings/usage",
    "/npi/1234567893",
    "/guide/errors#quota_exceeded",
  ])
    assert.equal(nextPath(path), path);
  for (const elsewhere of [
    null,
    "",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    "/%2e%2e//evil.example",
    "https://evil.example/settings",
    "https:evil.example",
    "https://portal.invalid/settings",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "/no/such/page",
    "/auth/sign-out",
    "/sign-in",
    "/sign-up?next=/",
  ])
    assert.equal(nextPath(elsewhere), "/settings", String(elsewhere));
});

test("the link in an email leads back to a page of the portal, if the service takes an address that long", () => {
  for (const [wanted, path] of [
    [null, "/settings"],
    ["/?name=smith", "/?name=smith"],
    ["//evil.example", "/settings"],
    ["/confirm-email?token=x", "/settings"],
    [`/?name=${"s".repeat(2_100)}`, "/settings"],
  ] as const)
    assert.equal(mailedPath(wanted), path);
});

test("a query contains only values that aren't null", () => {
  assert.equal(withQuery("/sign-in", { next: null }), "/sign-in");
  assert.equal(
    withQuery("/sign-in", { next: "/?a=b&c" }),
    "/sign-in?next=%2F%3Fa%3Db%26c",
  );
});

test("a session is named for its browser and system", () => {
  const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
  const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  for (const [userAgent, name] of [
    [`${windows} Gecko/20100101 Firefox/140.0`, "Firefox on Windows"],
    [`${windows} ${webkit} Chrome/147.0 Safari/537.36`, "Chrome on Windows"],
    [
      `${windows} ${webkit} Chrome/147.0 Safari/537.36 Edg/147.0`,
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      `Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/147.0 Mobile Safari/537.36`,
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["curl/8.14.1", "curl"],
    ["something", "Unknown device"],
    ["", "Unknown device"],
    [null, "Unknown device"],
  ] as const)
    assert.equal(deviceName(userAgent), name);
});

test("usage has a number for every day, filtered by key and operation", () => {
  const rows = [
    { day: "2026-02-27", key_id: 1, operation: "lookup", used: 3 },
    { day: "2026-03-01", key_id: 1, operation: "lookup", used: 4 },
    { day: "2026-03-01", key_id: 1, operation: "search", used: 5 },
    { day: "2026-03-01", key_id: 2, operation: "search", used: 7 },
  ] as const;
  const span = {
    fromMs: Date.parse("2026-02-28T00:00:00Z"),
    toMs: Date.parse("2026-03-02T18:00:00Z"),
  };
  const used = (keyId: number | null, operation: string | null) =>
    dailyUsage(rows, span, { keyId, operation }).map((day) => day.used);
  assert.deepEqual(
    dailyUsage(rows, span, { keyId: null, operation: null }).map(
      ({ day }) => day,
    ),
    ["2026-02-28", "2026-03-01", "2026-03-02"],
  );
  assert.deepEqual(used(null, null), [0, 16, 0]);
  assert.deepEqual(used(1, null), [0, 9, 0]);
  assert.deepEqual(used(null, "search"), [0, 12, 0]);
  assert.deepEqual(used(2, "lookup"), [0, 0, 0]);
  assert.deepEqual(
    runningTotals(dailyUsage(rows, span, { keyId: null, operation: null })),
    [0, 16, 16],
  );
});

test("an axis has a few round ticks, up to the highest value or just above", () => {
  assert.deepEqual(axisTicks(0), [0, 1]);
  assert.deepEqual(axisTicks(3), [0, 1, 2, 3]);
  assert.deepEqual(axisTicks(1000), [0, 500, 1000]);
  assert.deepEqual(axisTicks(25_000), [0, 10_000, 20_000, 30_000]);
  for (let most = 1; most < 5_000; most += 1) {
    const lines = axisTicks(most);
    assert.ok((lines.at(-1) ?? 0) >= most && lines.length <= 6, String(most));
    assert.ok(lines.every(Number.isInteger), String(most));
  }
});

test("the month that ends on January 1 starts on December 1", () => {
  assert.equal(
    monthStart(Date.parse("2027-01-01T00:00:00Z")),
    Date.parse("2026-12-01T00:00:00Z"),
  );
});
