import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  foldWithOffsets,
  matcherOf,
  mergeRanges,
  type MatchRange,
} from "../../../src/portal/explorer/matches.ts";
import { fold } from "../../../src/text/fold.ts";

const NOTHING = { aliases: [], specialty_words: [] };

describe("what a search matched", () => {
  it("is found in the same folded text as the service's", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { folded, offsets } = foldWithOffsets(text);
        assert.equal(folded, fold(text));
        assert.equal(offsets.length, folded.length);
      }),
    );
  });

  it("ignores case, accents, apostrophes, and hyphens", () => {
    assert.equal(marked("name=obrien", { last: "O'Brien" }), "[O'Brien]");
    assert.equal(marked("name=nunez", { last: "Núñez" }), "[Núñez]");
    assert.equal(
      marked("name=smith-jones", { last: "Smith Jones" }),
      "[Smith] [Jones]",
    );
    assert.equal(
      marked("organization=st.+marys", { organization: "St Mary's Clinic" }),
      "[St] [Mary's] Clinic",
    );
  });

  it("is the start of a word if there is one, also in another part of the name", () => {
    assert.equal(
      marked("name=an", { first: "Dana", last: "Anders" }),
      "Dana|[An]ders",
    );
    assert.equal(
      marked("name=an", { first: "Dana", last: "Loman" }),
      "D[an]a|Lom[an]",
    );
    assert.equal(
      marked("name=care+are", { organization: "Care Area" }),
      "[Care] [Are]a",
    );
  });

  it("is only looked for in the part that a filter is about", () => {
    const ann = { first: "Ann", last: "Anning" };
    assert.equal(marked("first_name=an", ann), "[An]n|Anning");
    assert.equal(marked("last_name=an", ann), "Ann|[An]ning");
    assert.equal(marked("last_name=ning", ann), "Ann|Anning");
    assert.equal(marked("organization=an", ann), "Ann|Anning");
  });

  it("is the whole first name for a nickname", () => {
    const compared = { ...NOTHING, aliases: ["ROBERT"] };
    const of = (first: string) =>
      marked("first_name=bob&name_aliases=true", { first }, compared);
    assert.equal(of("Robert"), "[Robert]");
    assert.equal(of("Roberta"), "Roberta");
    assert.equal(of("Bobby"), "[Bob]by");
  });

  it("is the letter of a middle name", () => {
    assert.deepEqual(inMiddleName("middle_initial=q", "Quincy"), [[0, 1]]);
    assert.deepEqual(inMiddleName("middle_initial=E", "'Édith"), [[1, 2]]);
    assert.deepEqual(inMiddleName("middle_initial=z", "Quincy"), []);
    assert.deepEqual(inMiddleName("name=q", "Quincy"), []);
    assert.deepEqual(inMiddleName("middle_initial=q", ""), []);
  });

  it("is in a specialty that has all words of the filter", () => {
    const matcher = matcherOf(new Map(), {
      aliases: [],
      specialty_words: ["NURSE", "FAM"],
    });
    const both = "Family Nurse Practitioner";
    assert.equal(
      show(both, matcher.inSpecialty(both)),
      "[Fam]ily [Nurse] Practitioner",
    );
    assert.deepEqual(matcher.inSpecialty("Registered Nurse"), []);
  });
});

function inMiddleName(query: string, middle: string): MatchRange[] {
  const parameters = new Map(new URLSearchParams(query));
  return matcherOf(parameters, NOTHING).inMiddleName(middle);
}

/** The parts of a name with what a search matched in brackets. */
function marked(
  query: string,
  name: Partial<Record<"organization" | "first" | "last", string>>,
  compared: Parameters<typeof matcherOf>[1] = NOTHING,
): string {
  const { organization = null, first = null, last = null } = name;
  const found = matcherOf(new Map(new URLSearchParams(query)), compared).inName(
    { organization, first, last },
  );
  return (["organization", "first", "last"] as const)
    .flatMap((part) => {
      const text = name[part];
      return text === undefined ? [] : show(text, found[part]);
    })
    .join("|");
}

function show(text: string, ranges: readonly MatchRange[]): string {
  let shown = "";
  let at = 0;
  for (const [from, to] of mergeRanges(ranges)) {
    shown += `${text.slice(at, from)}[${text.slice(from, to)}]`;
    at = to;
  }
  return shown + text.slice(at);
}
