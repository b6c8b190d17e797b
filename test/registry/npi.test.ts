import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  checkDigit,
  checkNpi,
  isAssignableNpi,
  npiAsTyped,
} from "../../src/registry/npi.ts";
import { isNpi } from "../support/pure/registry/npi.ts";

test("the standard's example is a valid NPI", () => {
  assert.equal(checkNpi("1234567893"), "ok");
  assert.equal(checkDigit(123456789), 3);
  assert.ok(isAssignableNpi(1234567893));
});

test("anything but ten digits has the wrong shape", () => {
  for (const npi of [
    "",
    "123456789",
    "12345678933",
    "123456789X",
    " 1234567893",
    "1234567893\n",
    "１２３４５６７８９３",
  ]) {
    assert.equal(checkNpi(npi), "shape", npi);
  }
});

test("an NPI is read without what web pages and spreadsheets put around it", () => {
  for (const text of [
    "1234567893",
    " \t1234567893\r\n",
    "\u00A01234567893\u3000",
    "\uFEFF\u200B1234567893\u200D\u2060",
    "\u202D1234567893\u202C",
    "'1234567893",
    '="1234567893"',
    '"=""1234567893"""',
    "\u201C1234567893\u201D",
    "\u20181234567893\u2019",
    "\u31641234567893\uFE0F",
  ])
    assert.equal(npiAsTyped(text), "1234567893");
  assert.equal(npiAsTyped("12345\u200B67893"), "12345\u200B67893");
  assert.equal(npiAsTyped("="), "");
});

test("an NPI is read from groups of digits, a decimal number, and behind the prefix of card issuers", () => {
  for (const text of [
    "1234567893.0",
    "1234567893,00",
    "123-456-7893",
    "123\u2013456\u20137893",
    "1234 567 893",
    "12345\u00A067893",
    "123.456.7893",
    "808401234567893",
    "80840 1234567893",
    "80840-123-456-7893",
    '="808401234567893.0"',
  ])
    assert.equal(npiAsTyped(text), "1234567893", text);
  // Ten digits are an NPI, whatever they begin with.
  assert.equal(npiAsTyped("80840-12345"), "8084012345");
  for (const text of [
    "1234567893.5",
    "1234567.000",
    "12345678930",
    "80841 1234567893",
    "1234567893 clinic",
    "1.23457E+09",
  ])
    assert.equal(npiAsTyped(text), text);
});

test("every other last digit is a wrong check digit", () => {
  for (const digit of "012456789")
    assert.equal(checkNpi(`123456789${digit}`), "check_digit");
});

test("a number that the registry never assigns passes the check, but is not valid in a row", () => {
  for (const nine of [300_000_000, 999_999_999]) {
    const npi = `${nine}${checkDigit(nine)}`;
    assert.equal(checkNpi(npi), "ok");
    assert.equal(isAssignableNpi(Number(npi)), false);
  }
  assert.equal(checkNpi(`000000000${checkDigit("000000000")}`), "ok");
});

test("a check digit needs exactly nine digits", () => {
  assert.throws(() => checkDigit(12345678), RangeError);
  assert.throws(() => checkDigit("12345678X"), RangeError);
});

test("all ten digits agree with Luhn's rule as it is written down", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000_000, max: 2_999_999_999 }),
      (number) => {
        assert.equal(isAssignableNpi(number), isNpi(String(number)));
        assert.equal(checkNpi(String(number)) === "ok", isNpi(String(number)));
        const nine = Math.floor(number / 10);
        assert.ok(isNpi(`${nine}${checkDigit(nine)}`));
      },
    ),
    { numRuns: 500 },
  );
});
