import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { countFrequentNgrams } from "../../src/snapshot/ngrams/count-frequent-ngrams.ts";
import { Dictionary } from "../../src/snapshot/dictionary/dictionary.ts";
import type { Names } from "../../src/snapshot/names/name-index.ts";
import { organizationWords } from "../../src/snapshot/names/organization-words.ts";
import type { NumberedNgram } from "../../src/snapshot/ngrams/frequent-ngrams.ts";
import {
  namesOf,
  type NamedDocument,
} from "../support/pure/registry/names-of.ts";

const name = fc
  .array(fc.constantFrom("A", "B", "C", "AB", " "), { maxLength: 8 })
  .map((parts) => parts.join("").trim().replaceAll(/ +/g, " "));
const person = fc.record({
  last: name,
  first: name,
  organization: fc.constant(""),
});
const company = fc.record({
  last: fc.constant(""),
  first: fc.constant(""),
  organization: name,
});
const documents = fc.array(fc.oneof(person, company), {
  minLength: 1,
  maxLength: 300,
});

describe("frequent n-grams of names", () => {
  it("are those found by checking every name", () => {
    fc.assert(
      fc.property(documents, (docs) => {
        assert.deepEqual(
          plain(counted(namesOf(docs)), docs.length),
          found(docs),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("are counted by blocks of 2,048 documents", () => {
    const docs = Array.from({ length: 5000 }, (_, doc) => ({
      last: doc % 100 === 0 ? "XYZ" : "A",
      first: doc < 2048 ? "B" : "",
      organization: "",
    }));
    const ngrams = counted(namesOf(docs));
    assert.deepEqual(plain(ngrams, docs.length), found(docs));
    const counts = new Set(ngrams.map(({ ngram }) => ngram.counts.join()));
    assert.ok(counts.has("2048,0,0"));
    assert.ok(counts.has("21,20,9"));
  });
});

/** Frequent n-grams as number and documents, with the documents given by the counts and by the set. */
function plain(ngrams: readonly NumberedNgram[], count: number): unknown[] {
  return ngrams.map(({ number, ngram: { counts, docCount, docs } }) => ({
    number,
    docCount,
    counts: [...counts],
    docs: docs === null ? null : docs.slice(0, count, 0, count),
  }));
}

/**
 * The expected result of plain: the n-grams that at least one document in 128 has, with the documents of those that one
 * in 16 has.
 */
function found(docs: readonly NamedDocument[]): unknown[] {
  const docsOf = new Map<number, Set<number>>();
  docs.forEach((document, doc) => {
    for (const text of Object.values(document)) {
      for (const word of text.split(" ")) {
        const bytes = Buffer.from(word);
        for (let at = 0; at < bytes.length; at++) {
          for (let end = at + 1; end <= Math.min(at + 3, bytes.length); end++) {
            const ngram = Buffer.alloc(4);
            bytes.copy(ngram, 0, at, end);
            for (const mark of at === 0 ? [0, 1] : [0]) {
              const number = ngram.readUInt32BE() + mark;
              const set = docsOf.get(number) ?? new Set();
              docsOf.set(number, set.add(doc));
            }
          }
        }
      }
    }
  });
  return [...docsOf]
    .filter(([, set]) => set.size * 128 >= docs.length)
    .sort(([a], [b]) => a - b)
    .map(([number, set]) => ({
      number,
      docCount: set.size,
      counts: Array.from(
        { length: Math.ceil(docs.length / 2048) },
        (_, block) =>
          [...set].filter((doc) => Math.floor(doc / 2048) === block).length,
      ),
      docs: set.size * 16 >= docs.length ? [...set] : null,
    }));
}

function counted(names: Names): NumberedNgram[] {
  const words = organizationWords(new Dictionary(names.organizations));
  return countFrequentNgrams(names, words);
}
