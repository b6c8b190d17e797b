import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeCell } from "../../src/text/csv-text.ts";
import { cleanText } from "../../src/registry/rows/values.ts";

test("blanks and the registry's masks are null", () => {
  for (const text of [
    "",
    "<UNAVAIL>",
    "--",
    "-",
    "====",
    "$$$",
    "****",
    "____",
    "#",
    ".",
    "- . -",
    "*=$#_-.",
  ]) {
    assert.equal(cleanText(text), "", text);
  }
});

test("words such as NONE are values", () => {
  for (const text of [
    "NONE",
    "N/A",
    "XXX",
    "<UNAVAIL",
    "<UNAVAIL>X",
    "<>",
    "-1",
    "A.",
    "UNAVAIL",
    "0",
  ]) {
    assert.equal(cleanText(text), text);
  }
});

test("outer white space of any script is trimmed, inner white space is kept", () => {
  assert.equal(cleanText(" \t\u00a0ANN  MARIE\u3000\r\n\0"), "ANN  MARIE");
  assert.equal(cleanText("\u00a0--\u00a0"), "");
  assert.equal(cleanText(" <UNAVAIL> "), "");
});

test("text is UTF-8, or Latin-1 as in browsers if it is not valid UTF-8", () => {
  assert.equal(decodeCell(Buffer.from("PEÑA")), "PEÑA");
  assert.equal(decodeCell(Uint8Array.of(0x50, 0x45, 0xd1, 0x41)), "PEÑA");
  assert.equal(decodeCell(Uint8Array.of(0x4f, 0x92, 0x42)), "O’B");
  assert.equal(decodeCell(Uint8Array.of(0xff)), "ÿ");
});
