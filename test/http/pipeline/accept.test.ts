import assert from "node:assert/strict";
import { test } from "node:test";
import { prefersPage, weightOf } from "../../../src/http/pipeline/accept.ts";

test("the most specific range that covers a type decides its weight", () => {
  const both = "text/*;q=0.3, text/html;q=0.7, */*;q=0.5";
  for (const [accept, type, expected] of [
    [undefined, "text/html", 1],
    ["", "text/html", 1],
    ["*/*", "text/html", 1],
    [both, "text/html", 0.7],
    [both, "text/plain", 0.3],
    [both, "application/json", 0.5],
    ["*/*, text/html;q=0", "text/html", 0],
    ["text/html;q=0.2;level=1, text/html;level=2;Q=0.4", "text/html", 0.4],
    ["TEXT/HTML ; q=0.5", "text/html", 0.5],
    ["text/html;q=2", "text/html", 0],
    ["text/html;q=x", "text/html", 0],
    ["text/html;q=", "text/html", 0],
    ["application/json", "text/html", 0],
    ["text/html-ish, xtext/html", "text/html", 0],
    [",,;q=1,", "text/html", 0],
  ] as const)
    assert.equal(weightOf(accept, type), expected, `${accept} ${type}`);
});

test("clients that rank HTML above JSON and above everything get a page", () => {
  for (const [accept, expected] of [
    // Browsers navigating: Firefox, Chrome, Safari.
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    [
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
      true,
    ],
    ["text/html", true],
    ["text/*", true],
    ["text/html, application/json;q=0.9", true],
    // Programs.
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["application/json", false],
    ["application/json, text/plain, */*", false],
    ["application/json, text/html", false],
    ["text/html, application/json", false],
    ["text/html, */*", false],
    ["text/html;q=0.9, */*;q=0.9", false],
    ["text/html;q=0.5, application/json;q=0.6", false],
    ["text/html;q=0, */*;q=0.1", false],
    ["text/html, application/*", false],
    ["text/html, application/problem+json", false],
  ] as const)
    assert.equal(prefersPage(accept), expected, String(accept));
});
