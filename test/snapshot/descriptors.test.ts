import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  DETAILS_SECTIONS,
  ENTRIES_SECTIONS,
  EXTENDED_SECTIONS,
  SECTIONS,
} from "../../src/snapshot/container/descriptors.ts";
import { allSections } from "../../src/snapshot/container/section.ts";

/** Lines such as "npi: u32 per document", sorted. */
type Lines = string[];

const FORMAT = readFileSync(
  new URL("../../src/snapshot/FORMAT.md", import.meta.url),
  "utf8",
);
const SUFFIXES: Readonly<Record<string, string>> = { bytes: "u8" };
const NAMED_BY = ["last", "first", "word"];

describe("FORMAT.md and the section descriptors agree", () => {
  it("of a snapshot", () => {
    const titles = [...FORMAT.matchAll(/^## (.+)$/gm)]
      .map(([, title = ""]) => title)
      .filter(
        (title) => !["Details", "Extended index", "Versions"].includes(title),
      );
    assert.deepEqual(titles.flatMap(documented).sort(), described(SECTIONS));
  });

  it("of an extended index", () => {
    const { names, ...others } = EXTENDED_SECTIONS;
    const { owners, ...namesOf } = names;
    assert.deepEqual(
      documented("Extended index"),
      described({ owners, ...others }),
    );
    const { cities: _cities, ...snapshot } = SECTIONS;
    const all = new Set(allSections(snapshot).map(({ name }) => name));
    assert.deepEqual(
      allSections(namesOf).filter(({ name }) => !all.has(name)),
      [],
      "they are called as in the snapshot",
    );
  });

  it("of a details file and an entry file", () => {
    assert.deepEqual(
      documented("Details"),
      described({ DETAILS_SECTIONS, ENTRIES_SECTIONS }),
    );
  });
});

it("each section has a purpose, as a sentence", () => {
  for (const tree of [
    SECTIONS,
    EXTENDED_SECTIONS,
    DETAILS_SECTIONS,
    ENTRIES_SECTIONS,
  ])
    for (const { name, purpose } of allSections(tree))
      assert.match(purpose, /^[A-Z].+\.$/, name);
});

function described(tree: Parameters<typeof allSections>[0]): Lines {
  return allSections(tree)
    .map(({ element, name, per }) =>
      per === null
        ? `${name}: ${element.type}`
        : `${name}: ${element.type} per ${per}`,
    )
    .sort();
}

/** The sections that a chapter names, in tables and in prose. */
function documented(title: string): Lines {
  const rows = [...chapter(title).matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = ""]) => row.split(" | ").map((cell) => cell.trim()))
    .filter(([, second = ""]) => !second.startsWith("-"));
  const columns = rows[0] ?? [];
  return [
    ...new Set([
      ...rows.flatMap((row) => fromRow(columns, row)),
      ...inProse(title),
    ]),
  ].sort();
}

/** Tables of sections have a column for their elements; all dictionaries and postings have the same elements. */
function fromRow(columns: readonly string[], row: readonly string[]): Lines {
  const names = [...(row[0] ?? "").matchAll(/`([\w.]+)`/g)].map(
    ([, name = ""]) => name,
  );
  if (columns[0] === "sections" || row[columns.indexOf("elements")] === "")
    return names.map((name) => `${name}: ${typeOf(name)}`);
  if (columns[0] === "name" && columns[1] === "numbers")
    return names.flatMap((name) => [
      `${name}.starts: u32`,
      `${name}.items: u32`,
    ]);
  if (columns[0] !== "section" || row[0] === "section") return [];
  const elements = row[columns.indexOf("elements")] ?? "";
  return names.flatMap(spelledOut).map((name) => `${name}: ${elements}`);
}

/** Prose names sections with their element type: `zip.numbers` (u32). */
function inProse(title: string): Lines {
  return [...chapter(title).matchAll(/`([a-z][\w.]*)` \(([uf]\d+)[,)]/g)].map(
    ([, name = "", type = ""]) => `${name}: ${type}`,
  );
}

function typeOf(dictionarySection: string): string {
  return SUFFIXES[dictionarySection.split(".").at(-1) ?? ""] ?? "u32";
}

/** `NAME.ngrams` stands for each of three dictionaries, and for the starts of their words. */
function spelledOut(name: string): string[] {
  if (!name.startsWith("NAME.ngram")) return [name];
  const rest = name.slice("NAME.ngram".length);
  return NAMED_BY.flatMap((by) => [`${by}.ngram${rest}`, `${by}.begin${rest}`]);
}

function chapter(title: string): string {
  const from = FORMAT.indexOf(`\n## ${title}\n`);
  assert.ok(from >= 0, title);
  const to = FORMAT.indexOf("\n## ", from + 1);
  return FORMAT.slice(from, to < 0 ? FORMAT.length : to);
}
