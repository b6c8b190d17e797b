import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { it } from "node:test";
import { FORMAT_VERSION } from "../../src/snapshot/container/section-file.ts";
import {
  FULL,
  people,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

/** The hash of the sections of the registry below, by format version. */
const SHA256: Record<number, string> = {
  2: "2197b826a7d71514c4b08120f74c46d82c791fee569ef4a8685b470aa9c9499e",
  3: "f5d11eb12236eaa0b6ff4ff4a4da9a35bfb2b668f06fd058953d54673efc2099",
};

it("the same rows make the same sections; a changed format needs a new version", async () => {
  using registry = new SmallRegistry();
  const rows = [
    ...people(40),
    person(41, {
      last: "O'BRIEN",
      first: "ZOË",
      city: "ST. LOUIS",
      state: "MO",
      postalCode: "63110",
    }),
    person(42, {
      city: "TORONTO",
      state: "ON",
      postalCode: "M5V 2T6",
      country: "CA",
      credential: "M.D.",
    }),
    person(43, { entityType: "2", organization: "EXAMPLE FAMILY CLINIC, LLC" }),
    withheld(44, "01/05/2024"),
  ];
  await registry.import(FULL, rows, {
    now: () => Date.UTC(2026, 10, 20, 12),
    details: new Set(),
  });
  const sections = registry
    .snapshot()
    .sections.entries.map(({ bytes, crc, elementBytes, name }) => ({
      name,
      bytes,
      elementBytes,
      crc,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const sha256 = createHash("sha256")
    .update(JSON.stringify(sections))
    .digest("hex");
  assert.equal(sha256, SHA256[FORMAT_VERSION]);
});
