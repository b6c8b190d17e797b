import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  cityKey,
  fold,
  foldCity,
  hasText,
  words,
} from "../../src/text/fold.ts";
import { rounds } from "../support/pure/full-run.ts";
import {
  referenceCity,
  referenceFold,
} from "../support/pure/reference/reference-fold.ts";
import { FOLDINGS } from "../../src/text/foldings.ts";

/** Characters of which each has a rule, and some that do not. */
const SPECIAL = "&ØøŁłĐđÆæŒœẞßÞþ.' -é\u0301aSTE";

describe("folding", () => {
  it("ignores case, accents, apostrophes and periods", () => {
    for (const spelling of [
      "O'BRIEN",
      "O’Brien",
      "OBRIEN",
      "o`brien",
      "Ó'Brien",
      "O.BRIEN",
    ]) {
      assert.equal(fold(spelling), "OBRIEN");
    }
  });

  it("reads hyphens and other punctuation as one space", () => {
    assert.equal(fold("SMITH-JONES"), "SMITH JONES");
    assert.equal(fold(" (A + B)/C,\tINC. "), "A B C INC");
  });

  it("reads & as the word AND, wherever it is", () => {
    for (const spelling of ["A&B", "A & B", "a ＆ b", "A.&'B", "A and B"])
      assert.equal(fold(spelling), "A AND B");
    assert.equal(fold("&"), "AND");
    assert.equal(fold("A&&B&"), "A AND AND B AND");
  });

  it("writes out ligatures and keeps letters of any script", () => {
    assert.equal(fold("ﬁnch Straße"), "FINCH STRASSE");
    assert.equal(fold("Łódź 東京"), "LODZ 東京");
  });

  it("reads letters that Unicode doesn't decompose as basic letters, in both cases", () => {
    for (const [letters, basic] of [
      ["Øø", "OO"],
      ["Łł", "LL"],
      ["Đđ", "DD"],
      ["Ææ", "AEAE"],
      ["Œœ", "OEOE"],
      ["ẞß", "SSSS"],
      ["Þþ", "THTH"],
      // With an accent, composed or not.
      ["ǾǿØ\u0301ø\u0301", "OOOO"],
      ["ǼǣÆ\u0301æ\u0304", "AEAEAEAE"],
    ] as const)
      for (const text of [letters, letters.normalize("NFD"), `x${letters}`])
        assert.equal(fold(text), (text.startsWith("x") ? "X" : "") + basic);
    assert.equal(fold("Ðð"), "ÐÐ");
  });

  it("finds text in letters and digits only", () => {
    for (const text of ["a", "7", "東", "Ø", "A&"]) assert.ok(hasText(text));
    for (const text of ["", " ", "&", "＆", "& -", "ˈ"])
      assert.ok(!hasText(text), text);
  });

  it("was another one in 1.0.0", () => {
    const [before] = FOLDINGS;
    assert.equal(before.fold("Øster & Sons, Straße"), "ØSTER SONS STRASSE");
    assert.equal(before.foldCity("SAULT STE MARIE"), "SAULT STE MARIE");
    assert.equal(before.foldCity("ST. LOUIS"), "SAINT LOUIS");
  });

  it("is what the rule says, one character after the other", () => {
    const unit = fc.oneof(
      fc.constantFrom(...Array.from(SPECIAL)),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        assert.equal(fold(text), referenceFold(text));
        assert.equal(foldCity(text), referenceCity(text));
      }),
      { numRuns: rounds(20_000) },
    );
  });

  it("makes a text without letters and digits empty", () => {
    for (const text of ["", "  ", "-", "'", "*#$"])
      assert.equal(fold(text), "");
    assert.deepEqual(words(""), []);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const { fold: by, foldCity: byCity } of FOLDINGS) {
          assert.equal(by(by(text)), by(text));
          assert.equal(byCity(byCity(text)), byCity(text));
        }
      }),
    );
  });

  it("is the same over bytes", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme-ascii" }),
      fc.string({
        unit: fc.constantFrom("&", "A", "a", " ", ".", "-", "Ø", "ß"),
      }),
    );
    fc.assert(
      fc.property(texts, fc.nat(3), (text, at) => {
        const source = Buffer.from(`<${text}>`);
        const inner = Buffer.from(text);
        const target = new Uint8Array(at + inner.length * 12);
        for (const each of FOLDINGS)
          for (const [ofBytes, ofText] of [
            [each.foldBytes, each.fold],
            [each.foldCityBytes, each.foldCity],
          ] as const) {
            const end = ofBytes(source, 1, 1 + inner.length, target, at);
            assert.equal(
              Buffer.from(target.subarray(at, end)).toString(),
              ofText(inner.toString()),
            );
          }
      }),
    );
  });

  it("makes no character's UTF-8 more than twelve times as long", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const folded = Buffer.byteLength(fold(character));
      assert.ok(
        folded <= 12 * Buffer.byteLength(character),
        `U+${code.toString(16)} becomes ${folded} bytes`,
      );
    }
  });
});

describe("a compared city", () => {
  it("reads ST, STE, MT and FT as SAINT, SAINTE, MOUNT and FORT anywhere", () => {
    assert.equal(foldCity("ST. LOUIS"), "SAINT LOUIS");
    assert.equal(foldCity("Port St Lucie"), "PORT SAINT LUCIE");
    assert.equal(foldCity("Sault Ste. Marie"), "SAULT SAINTE MARIE");
    assert.equal(foldCity("MT VERNON"), "MOUNT VERNON");
    assert.equal(foldCity("ft. worth"), "FORT WORTH");
  });

  it("is the same with and without spaces, after short forms are read", () => {
    for (const spelling of ["O FALLON", "O'Fallon", "OFALLON"])
      assert.equal(cityKey(spelling), "OFALLON");
    assert.equal(cityKey("Port St. Lucie"), cityKey("PORTSAINT LUCIE"));
    assert.notEqual(cityKey("STLUCIE"), cityKey("ST LUCIE"));
  });

  it("keeps longer words", () => {
    assert.equal(foldCity("STOW"), "STOW");
    assert.equal(foldCity("EAST ORANGE"), "EAST ORANGE");
  });
});
