import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { Compile } from "typebox/schema";
import {
  type InterpretedFilters,
  type InterpretedOperation,
} from "../../../src/contract/interpret.ts";
import { InterpretAnswer } from "../../../src/contract/interpret.ts";
import {
  MAX_INTERPRETED_CHARACTERS,
  NearbyParameters,
  SearchParameters,
} from "../../../src/contract/parameters.ts";
import { MAX_ALTERNATIVES } from "../../../src/contract/filters.ts";
import { checkNpi } from "../../../src/registry/npi.ts";
import { fold, words } from "../../../src/text/fold.ts";
import { check } from "../../support/arbitrary/check.ts";
import type { ParsedDirectory } from "../../support/service/parsed-directory.ts";
import { inventedDirectory } from "./invented-registry.ts";
import { readSentences } from "./sentence-table.ts";

const answerCheck = Compile(InterpretAnswer);
const searchCheck = Compile(SearchParameters);
const nearbyCheck = Compile(NearbyParameters);
const PAGE = { page: 1, limit: 100 };

/** Words of the table, and anything else, with anything between them. */
function arbitraryText(): fc.Arbitrary<string> {
  const known = [
    ...new Set(readSentences().flatMap(({ typed }) => typed.split(" "))),
  ].filter((word) => word.length < 30);
  const word = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
    { weight: 1, arbitrary: fc.stringMatching(/^[0-9#().-]{1,12}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("llc", "inc", "clinic", "in", "tx"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "x".repeat(60),
        "y".repeat(120),
        "zürich".repeat(20),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom("1234567893", "1234567890") },
  );
  const between = fc.constantFrom(" ", " ", " ", ", ", "-", "/", "\t", "");
  return fc
    .array(fc.tuple(word, between), { maxLength: 45 })
    .map((parts) => parts.flat().join("").slice(0, MAX_INTERPRETED_CHARACTERS));
}

function totalOf(
  directory: ParsedDirectory,
  operation: InterpretedOperation | null,
  filters: InterpretedFilters,
): number {
  if (operation === null) {
    assert.deepEqual(filters, {});
    return 0;
  }
  if (operation === "lookup") {
    const { npi = "", ...others } = filters;
    assert.deepEqual(others, {});
    assert.equal(checkNpi(npi), "ok");
    return directory.lookup(npi) === null ? 0 : 1;
  }
  if (operation === "search") {
    const query = { ...filters, ...PAGE };
    assert.ok(searchCheck.Check(query), JSON.stringify(query));
    return directory.search(query).total;
  }
  const query = { radius: 25, ...filters, ...PAGE };
  assert.ok(nearbyCheck.Check(query), JSON.stringify(query));
  // Around a place that the text doesn't name.
  if (query.zip === undefined) return 0;
  const center = directory.centroid(query.zip ?? "");
  assert.ok(center !== null);
  return directory.nearest({ ...query, center }, 1).total;
}

suite("any text", () => {
  test("becomes filters that their operation takes, with the totals that it finds", async () => {
    using directory = await inventedDirectory();
    await check(4_000, arbitraryText(), async (typed) => {
      const data = directory.interpreter.interpret(typed);
      assert.ok(answerCheck.Check({ data, meta: { source: "" } }));
      const { alternatives, filters, operation, total } = data;
      assert.equal(total, totalOf(directory, operation, filters), typed);
      assert.ok(alternatives.length <= MAX_ALTERNATIVES);
      if (operation === "nearby" && filters.zip === undefined)
        assert.deepEqual(alternatives, []);
      for (const each of alternatives) {
        assert.ok(each.total > 0);
        assert.equal(
          each.total,
          totalOf(directory, each.operation, each.filters),
          typed,
        );
      }
    });
  });

  test("is accounted for: every word is understood or dropped", async () => {
    using directory = await inventedDirectory();
    await check(4_000, arbitraryText(), async (typed) => {
      const { dropped, understood } = directory.interpreter.interpret(typed);
      let rest = typed;
      const texts = [...understood, ...dropped].map(({ text }) => text);
      // The longest first: CO is in MEDICO too.
      for (const text of texts.sort((a, b) => b.length - a.length)) {
        assert.ok(rest.includes(text), `${text} of ${typed}`);
        rest = rest.replace(text, () => " ");
      }
      assert.deepEqual(words(fold(rest)), [], typed);
    });
  });
});
