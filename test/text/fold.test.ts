import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { cityKey, foldCity } from "../../src/text/city.ts";
import { fold, words } from "../../src/text/fold.ts";
import { foldBytes } from "../../src/text/fold-bytes.ts";

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
    assert.equal(fold(" (A & B)/C,\tINC. "), "A B C INC");
  });

  it("writes out ligatures and keeps letters of any script", () => {
    assert.equal(fold("ﬁnch Straße"), "FINCH STRASSE");
    assert.equal(fold("Łódź 東京"), "ŁODZ 東京");
  });

  it("makes a text without letters and digits empty", () => {
    for (const text of ["", "  ", "-", "'", "*#$"])
      assert.equal(fold(text), "");
    assert.deepEqual(words(""), []);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        assert.equal(fold(fold(text)), fold(text)),
      ),
    );
  });

  it("is the same over bytes", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme-ascii" }),
    );
    fc.assert(
      fc.property(texts, fc.nat(3), (text, at) => {
        const source = Buffer.from(`<${text}>`);
        const inner = Buffer.from(text);
        const target = new Uint8Array(at + inner.length * 12);
        const end = foldBytes(source, 1, 1 + inner.length, target, at);
        assert.equal(
          Buffer.from(target.subarray(at, end)).toString(),
          fold(inner.toString()),
        );
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
  it("reads ST, MT and FT as SAINT, MOUNT and FORT anywhere", () => {
    assert.equal(foldCity("ST. LOUIS"), "SAINT LOUIS");
    assert.equal(foldCity("Port St Lucie"), "PORT SAINT LUCIE");
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
