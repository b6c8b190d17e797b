import assert from "node:assert/strict";
import { test } from "node:test";
import { DETAILS_EXAMPLE } from "../../../src/contract/examples.ts";
import {
  phoneUri,
  directionsTo,
} from "../../../src/portal/provider/contact-text.ts";
import { vcardOf } from "../../../src/portal/provider/vcard.ts";

const ADDRESS = {
  address_1: "1 MAIN ST & CO",
  address_2: "STE 5",
  city: "SPRINGFIELD",
  state: "IL",
  postal_code: "627011234",
  country: "US",
} as const;
const PAGE = "https://providers.example/npi/1234567893";

test("a contact card has what a caller needs, escaped, in lines of at most 75 octets", () => {
  const { data } = DETAILS_EXAMPLE;
  assert.ok(data.identity !== undefined);
  const name = {
    first: "ANNA-LENA",
    middle: null,
    last: "O'BRIEN; EXAMPLE",
    credential: "M.D., PH.D.",
  };
  const card = vcardOf(
    {
      ...data,
      entity_type: "individual",
      name,
      organization_name: null,
      practice_address: { ...ADDRESS, address_2: "ÉTAGE \\ ".repeat(20) },
      identity: { ...data.identity, phone: "2175550100" },
    },
    PAGE,
  );
  const lines = card.split("\r\n");
  assert.equal(lines.pop(), "");
  assert.equal(lines[0], "BEGIN:VCARD");
  assert.equal(lines.at(-1), "END:VCARD");
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.ok(line.isWellFormed() && !line.includes("\n"), line);
  }
  const whole = card.replaceAll("\r\n ", "").split("\r\n");
  for (const line of [
    "VERSION:3.0",
    String.raw`FN:Anna-Lena O'Brien\; Example\, M.D.\, PH.D.`,
    "TEL;TYPE=WORK,VOICE:+12175550100",
    `URL:${PAGE}`,
  ])
    assert.ok(whole.includes(line), `${line} is not in\n${card}`);
  const address = whole.find((line) => line.startsWith("ADR;TYPE=WORK:")) ?? "";
  assert.ok(
    address.endsWith(";1 Main St & Co;Springfield;IL;62701-1234;US"),
    address,
  );
  assert.ok(address.includes(String.raw`Étage \\ Étage \\ `), address);
});

test("an organization's card is that of a company; a bare record's has its NPI", () => {
  const { data } = DETAILS_EXAMPLE;
  const bare = {
    npi: data.npi,
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    enumeration_date: null,
    last_updated: null,
    deactivation_date: "2020-01-02",
    primary_taxonomy: null,
    practice_address: null,
  } as const;
  const clinic = { ...bare, organization_name: "LAKESIDE CLINIC, LLC" };
  assert.match(
    vcardOf(clinic, PAGE),
    /\r\nN:;;;;\r\nORG:Lakeside Clinic\\, LLC\r\nX-ABShowAs:COMPANY\r\n/,
  );
  assert.match(vcardOf(bare, PAGE), new RegExp(`FN:NPI ${data.npi}\r\nN:;;;;`));
});

test("directions lead to the map app of a phone, and to OpenStreetMap elsewhere", () => {
  const at = (userAgent: string) => directionsTo(ADDRESS, userAgent)?.href;
  const to =
    "1%20MAIN%20ST%20%26%20CO%2C%20SPRINGFIELD%2C%20IL%2062701%2C%20US";
  assert.equal(at("Mozilla/5.0 (Linux; Android 16)"), `geo:0,0?q=${to}`);
  assert.equal(
    at("Mozilla/5.0 (iPhone; CPU iPhone OS 26_0)"),
    `https://maps.apple.com/?daddr=${to}`,
  );
  assert.equal(
    at("Mozilla/5.0 (X11; Linux x86_64)"),
    `https://www.openstreetmap.org/search?query=${to}`,
  );
  const unknown = { ...ADDRESS, address_1: null, city: null };
  assert.equal(directionsTo(unknown, ""), null);
});

test("a phone number can be called if it has the digits of one", () => {
  for (const [number, extension, uri] of [
    ["2175550100", null, "tel:+12175550100"],
    ["217-555-0100", "12 a", "tel:+12175550100;ext=12"],
    ["442079460000", null, "tel:442079460000"],
    ["5550", null, null],
    ["", null, null],
    ["1".repeat(20), null, null],
  ] as const)
    assert.equal(phoneUri(number, extension), uri);
});
