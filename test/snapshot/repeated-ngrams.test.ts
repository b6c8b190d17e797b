import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import {
  listRepeatedNgrams,
  RepeatedNgrams,
} from "../../src/snapshot/names/repeated-ngrams.ts";
import { NGRAM_BYTES } from "../../src/snapshot/ngrams/ngram-index.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import { unpackRelease } from "../fixtures/make-release.ts";
import { temporaryFolder } from "../support/program/program.ts";
import {
  namesOf,
  writeNames,
  type NamedDocument,
} from "../support/registry/names-of.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";

const name = fc
  .array(fc.constantFrom("ABCD", "BCDE", "ABC", "D", "Ж", " "), {
    maxLength: 8,
  })
  .map((parts) => parts.join("").trim().replaceAll(/ +/g, " "));
const documents = fc.array(
  fc.oneof(
    fc.record({ last: name, first: name, organization: fc.constant("") }),
    fc.record({
      last: fc.constant(""),
      first: fc.constant(""),
      organization: name,
    }),
  ),
  { minLength: 1, maxLength: 60 },
);

suite("n-grams that several names of a document contain", () => {
  test("are those found by comparing the names of each document", () => {
    fc.assert(
      fc.property(documents, (docs) => {
        assert.deepEqual(listed(docs), found(docs));
      }),
    );
  });

  test("many in one name are all found", () => {
    const long = Array.from({ length: 900 }, (_, at) => `W${at + 1000}`);
    const docs = [
      { last: "", first: "", organization: "SHORT" },
      {
        last: "",
        first: "",
        organization: [...long, ...long.map((word) => `X${word}`)].join(" "),
      },
    ];
    assert.deepEqual(listed(docs), found(docs));
  });

  test("a word has the documents of its rarest n-gram", () => {
    const people = ["ABCDE", "XABCD", "BCDEX"];
    const docs = people.map((last) => ({
      last,
      first: last,
      organization: "",
    }));
    const repeated = new RepeatedNgrams(listOf(docs));
    const docsOf = (word: string) => [
      ...repeated.docsOfWord(Buffer.from(word)),
    ];
    assert.deepEqual(docsOf("ABCD"), [0, 1]);
    assert.deepEqual(docsOf("BCDEX"), [2]);
    assert.deepEqual(docsOf("XABCDE"), [1]);
    assert.deepEqual(docsOf("ABCDX"), []);
  });

  test("are those of a full import after a week that changes names", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [
      person(1, { last: "HENDERSON", first: "ANDERS" }),
      person(2, { last: "JOHNSON", first: "JOHN" }),
      person(3, { last: "ANDERSEN", first: "ANDERS" }),
      clinic(4, "HEALTHCARE HEALTHY HEALTH"),
      clinic(5, "ANDERSON AND HENDERSON"),
    ]);
    await registry.import(WEEK, [
      person(2, { last: "JOHNSON", first: "MARY" }),
      person(3, { last: "ANDERSEN", first: "ANDERS", city: "ELSEWHERE" }),
      clinic(5, "JOHNSTON JOHNSON"),
      person(6, { last: "SANDERS", first: "ANDERS", state: "AK" }),
    ]);
    const snapshot = registry.snapshot();
    assert.deepEqual(verifySnapshot(snapshot), []);
    assert.ok(snapshot.repeatedNgrams !== null);
    const numbersOf = (word: string) =>
      Array.from(
        snapshot.repeatedNgrams!.docsOfWord(Buffer.from(word)),
        (doc) => `${snapshot.npi[doc]!}`,
      ).sort();
    assert.deepEqual(numbersOf("ANDE"), [npiOf(3), npiOf(6)]);
    assert.deepEqual(numbersOf("JOHN"), [npiOf(5)]);
    assert.deepEqual(numbersOf("HEAL"), [npiOf(4), npiOf(4)]);
  });

  test("are stored by a week after a version that stored none", async () => {
    using registry = new SmallRegistry();
    unpackRelease("1.0.0", registry.store.dataDir);
    assert.equal(registry.snapshot().repeatedNgrams, null);
    await registry.import(WEEK, [person(9, { last: "ANNAS", first: "ANNA" })]);
    assert.equal(registry.snapshot().repeatedNgrams?.lists.docs.length, 1);
    assert.deepEqual(verifySnapshot(registry.snapshot()), []);
  });
});

function listOf(docs: readonly NamedDocument[]) {
  using folder = temporaryFolder();
  const names = namesOf(docs);
  const fields = writeNames(join(folder.path, "names"), names);
  return listRepeatedNgrams(fields, names.name);
}

function clinic(number: number, organization: string) {
  return person(number, { entityType: "2", organization });
}

/** The listed n-grams as text, each with its documents. */
function listed(docs: readonly NamedDocument[]): [string, number[]][] {
  const { docs: items, ngrams, starts } = listOf(docs);
  return Array.from(ngrams, (ngram, at) => {
    const bytes = Buffer.alloc(NGRAM_BYTES);
    bytes.writeUInt32BE(ngram);
    return [
      bytes.toString("hex"),
      [...items.subarray(starts[at], starts[at + 1])],
    ];
  });
}

function found(docs: readonly NamedDocument[]): [string, number[]][] {
  const lists = new Map<string, number[]>();
  docs.forEach(({ first, last, organization }, doc) => {
    const names =
      organization === ""
        ? [last, first]
        : [...new Set(organization.split(" "))];
    const all = names.flatMap((text) => Array.from(new Set(ngramsIn(text))));
    for (const ngram of new Set(all)) {
      const repeats = all.filter((each) => each === ngram).length - 1;
      const list = lists.get(ngram) ?? [];
      list.push(...Array.from({ length: repeats }, () => doc));
      if (list.length > 0) lists.set(ngram, list);
    }
  });
  return [...lists].sort(([a], [b]) => (a < b ? -1 : 1));
}

function ngramsIn(text: string): string[] {
  return text.split(" ").flatMap((word) => {
    const bytes = Buffer.from(word);
    return Array.from(
      { length: Math.max(0, bytes.length - NGRAM_BYTES + 1) },
      (_, at) => bytes.subarray(at, at + NGRAM_BYTES).toString("hex"),
    );
  });
}
