import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOfBytes, dayOfIso, isoDate } from "../../src/text/dates.ts";
import { NO_DATE } from "../../src/registry/rows/provider-row.ts";

const DAY_MS = 86_400_000;

function dayOf(text: string): number {
  const bytes = Buffer.from(`"${text}"`);
  return dayOfBytes(bytes, 1, bytes.length - 1);
}

test("1900-01-01 is day 1 and 2079-06-05 the last", () => {
  assert.equal(dayOf("01/01/1900"), 1);
  assert.equal(dayOf("06/05/2079"), 65_535);
  assert.equal(dayOf("06/06/2079"), NO_DATE);
  assert.equal(dayOf("12/31/1899"), NO_DATE);
  assert.equal(isoDate(1), "1900-01-01");
  assert.equal(isoDate(65_535), "2079-06-05");
});

test("every day converts to ISO and back", () => {
  for (let day = 1; day <= 65_535; day++) {
    const iso = new Date(Date.UTC(1899, 11, 31) + day * DAY_MS)
      .toISOString()
      .slice(0, 10);
    const [year, month, date] = iso.split("-");
    if (
      dayOf(`${month}/${date}/${year}`) !== day ||
      dayOfIso(iso) !== day ||
      isoDate(day) !== iso
    )
      assert.fail(iso);
  }
});

test("NO_DATE has no ISO form", () => {
  assert.equal(isoDate(NO_DATE), null);
});

test("an impossible date is not a date", () => {
  for (const text of [
    "02/29/2023",
    "02/29/1900",
    "02/30/2024",
    "04/31/2024",
    "00/10/2024",
    "13/01/2024",
    "01/00/2024",
    "01/32/2024",
  ]) {
    assert.equal(dayOf(text), NO_DATE, text);
  }
  assert.notEqual(dayOf("02/29/2000"), NO_DATE);
  assert.equal(dayOfIso("2023-02-29"), NO_DATE);
});

test("a date must be written MM/DD/YYYY", () => {
  for (const text of [
    "",
    "1/5/2024",
    "2024-01-05",
    "01-05-2024",
    "01/05/24",
    "01/05/20X4",
    "ab/cd/efgh",
    "01/05/2024 ",
    "01/ 5/2024",
  ]) {
    assert.equal(dayOf(text), NO_DATE, text);
  }
  for (const text of ["", "2024-1-5", "01/05/2024", "2024-01-05T00:00"])
    assert.equal(dayOfIso(text), NO_DATE, text);
});
