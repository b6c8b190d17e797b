import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import * as fc from "fast-check";
import {
  countOf,
  Dictionary,
} from "../../src/snapshot/dictionary/dictionary.ts";
import type { Names } from "../../src/snapshot/names/name-index.ts";
import { organizationWords } from "../../src/snapshot/names/organization-words.ts";
import { countFrequentNgrams } from "../../src/snapshot/ngrams/count-frequent-ngrams.ts";
import type { NumberedNgram } from "../../src/snapshot/ngrams/frequent-ngrams.ts";
import {
  areFew,
  recountFrequentNgrams,
  withSets,
} from "../../src/snapshot/ngrams/recount-frequent-ngrams.ts";
import { DocRuns } from "../../src/snapshot/postings/doc-runs.ts";
import { rounds } from "../support/full-run.ts";
import {
  namesOf,
  writeNames,
  type NamedDocument,
} from "../support/registry/names-of.ts";

const DOCS = 5_120;
/** As many as 5,120 documents may have changed. */
const MOST_ROWS = 26;
/** Documents that make an n-gram counted, and listed. */
const COUNTED = DOCS / 128;
const LISTED = DOCS / 16;
const WORDS = "A B C D E F G H I J K L M N O P Q R S T".split(" ");

/** A word of a document's name; as one of an organization, in any place. */
const document = fc
  .tuple(
    fc.constantFrom(...WORDS, "ABC", "XAB"),
    fc.constantFrom("", "U", "A"),
    fc.boolean(),
  )
  .map(([word, other, isOrganization]): NamedDocument =>
    isOrganization
      ? { last: "", first: "", organization: `${other} ${word}`.trim() }
      : { last: word, first: other, organization: "" },
  );

const week = fc.record({
  /** How much more or less than the limits. */
  near: fc.array(fc.integer({ min: -3, max: 2 }), {
    minLength: WORDS.length,
    maxLength: WORDS.length,
  }),
  rows: fc.array(fc.tuple(fc.integer({ min: 0, max: DOCS }), document), {
    maxLength: MOST_ROWS,
  }),
  gone: fc.uniqueArray(fc.integer({ min: 0, max: DOCS - 1 }), {
    maxLength: MOST_ROWS,
  }),
});

describe("frequent n-grams after a few names changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "recount-"));
  after(() => rmSync(folder, { recursive: true }));

  it("are those of all names", () => {
    let file = 0;
    fc.assert(
      fc.property(week, ({ gone, near, rows }) => {
        const before = documents(near);
        const path = join(folder, `${file++}`);
        const { changed, names } = merge(path, before, rows, gone);
        assert.ok(areFew(changed));
        const { organizations } = names;
        const words = organizationWords(new Dictionary(organizations));
        assert.deepEqual(
          plain(
            withSets(recountFrequentNgrams(names, changed), changed),
            names,
          ),
          plain(countFrequentNgrams(names, words), names),
        );
      }),
      { numRuns: rounds(160) },
    );
  });
});

/** Documents of which about as many have each word as make it counted, or listed. */
function documents(near: readonly number[]): NamedDocument[] {
  const words = WORDS.flatMap((word, at) =>
    Array.from({ length: (at < 4 ? LISTED : COUNTED) + near[at]! }, () => word),
  );
  return Array.from({ length: DOCS }, (_, doc) => {
    // Far apart, in all blocks.
    const word = words[(doc * 1_979) % DOCS] ?? "U";
    return doc % 3 === 0
      ? { last: "", first: "", organization: `${word} CO` }
      : { last: word, first: doc % 5 === 0 ? "V" : "", organization: "" };
  });
}

/** Writes the documents to a snapshot's file and merges rows, each before a document. */
function merge(
  path: string,
  before: readonly NamedDocument[],
  rows: readonly (readonly [at: number, row: NamedDocument])[],
  gone: readonly number[],
) {
  const added = rows.toSorted(([a], [b]) => a - b);
  const all = [...before, ...added.map(([, row]) => row)];
  const { first, name, ...dictionaries } = namesOf(all);
  const columns = (from: number, to: number) => ({
    name: name.slice(from, to),
    first: first.slice(from, to),
  });
  const base = { ...columns(0, DOCS), ...dictionaries };
  writeNames(path, base);
  const runs = new DocRuns(DOCS);
  const docOfRow = new Uint32Array(added.length);
  let row = 0;
  for (let doc = 0; doc <= DOCS; doc++) {
    for (; row < added.length && added[row]![0] === doc; row++) {
      docOfRow[row] = runs.count;
      runs.add(DOCS + row, DOCS + row + 1);
    }
    if (doc < DOCS && !gone.includes(doc)) runs.add(doc, doc + 1);
  }
  const sources = runs.sourcesFrom(0);
  const isGone = runs.gone();
  const names: Names = {
    name: valuesAt(name, sources),
    first: valuesAt(first, sources),
    ...dictionaries,
  };
  const changed = {
    path,
    runs: runs.columns,
    rows: columns(DOCS, all.length),
    docOfRow,
    gone: { name: valuesAt(name, isGone), first: valuesAt(first, isGone) },
    organizations: new Uint32Array(countOf(dictionaries.organizations) + 1).map(
      (_, number) => number,
    ),
  };
  return { names, changed };
}

function valuesAt(numbers: Uint32Array, places: Uint32Array): Uint32Array {
  return places.map((place) => numbers[place]!);
}

function plain(ngrams: readonly NumberedNgram[], { name }: Names): unknown[] {
  return ngrams.map(({ number, ngram: { counts, docCount, docs } }) => ({
    number,
    docCount,
    counts: counts.join(),
    docs: docs?.slice(0, name.length, 0, name.length).join() ?? null,
  }));
}
