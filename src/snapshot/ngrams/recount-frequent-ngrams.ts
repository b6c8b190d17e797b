import { BitSet } from "../bytes/bitset.ts";
import { DiskSections } from "../container/disk-sections.ts";
import type { Names } from "../names/name-index.ts";
import {
  partsThatMove,
  type MovedPart,
  type RunColumns,
} from "../postings/doc-runs.ts";
import { AlignedBlocks } from "./aligned-blocks.ts";
import {
  blocksFor,
  countBlocks,
  isCounted,
  isListed,
  NGRAM_BLOCK,
  type FrequentNgram,
  type NumberedNgram,
} from "./frequent-ngrams.ts";
import { MarkedDocs, type NameColumns } from "./marked-docs.ts";
import { NgramTree } from "./ngram-tree.ts";
import { NgramsOfItems } from "./ngrams-of-items.ts";
import { readStoredSet, StoredNgrams } from "./stored-ngrams.ts";

/** With more rows, so many n-grams might have become frequent that counting all documents takes less time. */
const MIN_DOCS_PER_ROW = 192;

/** How names differ from those of a base. */
export interface ChangedNames {
  /** The base's file. */
  path: string;
  /** Where the base's documents are now. */
  runs: RunColumns;
  /** The names of the rows, and their documents, ascending. */
  rows: NameColumns;
  docOfRow: Uint32Array;
  /** The names of the base's documents that are gone, in their order. */
  gone: NameColumns;
  /** The new number of each organization of the base. */
  organizations: Uint32Array;
}

/** Whether so few names changed that `recountFrequentNgrams` takes less time than counting all of them. */
export function areFew({ docOfRow, runs }: ChangedNames): boolean {
  return docOfRow.length * MIN_DOCS_PER_ROW <= runs.baseCount;
}

/** A frequent n-gram. If the base has its set, `moved` says how to make set and counts, which are empty here. */
export interface RecountedNgram {
  number: number;
  ngram: FrequentNgram;
  moved: MovedSet | null;
}

/** A set of the base, by its place among all, and the rows that have the n-gram. */
interface MovedSet {
  place: number;
  rows: Uint32Array;
}

/**
 * The n-grams to store, ascending, as countFrequentNgrams finds them. Reads only the names that changed, and, for n-grams
 * without a set, those between a border of blocks and the nearest one of the base: a quarter of all. The base's counts,
 * sets, and lists have the rest.
 */
export function recountFrequentNgrams(
  names: Names,
  changed: ChangedNames,
): RecountedNgram[] {
  const { docOfRow, runs } = changed;
  using base = new DiskSections(changed.path);
  const docCount = runs.count;
  const stored = new StoredNgrams(base, runs.baseCount);
  const others = stored.others(docCount, docOfRow.length);
  const tree = NgramTree.of([...stored.numbers, ...others.keys()]);
  const { counted, net, rowsWith } = recount(names, changed, stored, tree);
  const places = { docOfRow, parts: partsThatMove(runs) };
  const found: RecountedNgram[] = [];
  /** The rows with n-grams whose sets only the base's lists can make. */
  const unknown = new Map<number, Uint32Array>();
  tree.numbers.forEach((number, index) => {
    const ngram = counted.get(number);
    const rows = rowsWith[index]!.toArray();
    const place = stored.placeOfSet(number);
    if (place !== null) {
      const moved = { place, rows };
      const stays = stored.docs(number) + net[index]!;
      if (isListed(stays, docCount))
        found.push({ number, ngram: withoutCounts(stays), moved });
      else {
        const before = new BitSet(runs.baseCount);
        readStoredSet(base, place, before);
        const docs = new BitSet(docCount);
        moveSet(places, before, rows, docs);
        const counts = countBlocks(docs, docCount);
        found.push({ number, ngram: ngramOf(counts, null), moved: null });
      }
    } else if (ngram === undefined) {
      if (isCounted(others.get(number)! + net[index]!, docCount))
        unknown.set(number, rows);
    } else if (!isListed(ngram.docCount, docCount))
      found.push({ number, ngram, moved: null });
    else unknown.set(number, rows);
  });
  for (const [number, set] of stored.listed([...unknown.keys()])) {
    const docs = new BitSet(docCount);
    moveSet(places, set, unknown.get(number)!, docs);
    const ngram = ngramOf(countBlocks(docs, docCount), docs);
    if (!isListed(ngram.docCount, docCount)) ngram.docs = null;
    found.push({ number, ngram, moved: null });
  }
  return found
    .filter(({ ngram }) => isCounted(ngram.docCount, docCount))
    .sort((a, b) => a.number - b.number);
}

/**
 * The n-grams with their sets, which are made when they are read: together they have a hundred times the memory of one. A
 * set is valid until the next one is read.
 */
export function withSets(
  ngrams: readonly RecountedNgram[],
  changed: ChangedNames,
): NumberedNgram[] {
  const { docOfRow, path, runs } = changed;
  const places = { docOfRow, parts: partsThatMove(runs) };
  const before = new BitSet(runs.baseCount);
  const docs = new BitSet(runs.count);
  const withSet = (
    { place, rows }: MovedSet,
    { docCount }: FrequentNgram,
  ): FrequentNgram => {
    let counts: Uint16Array | null = null;
    return {
      docCount,
      get counts() {
        return (counts ??= countBlocks(this.docs ?? docs, runs.count));
      },
      get docs() {
        using base = new DiskSections(path);
        readStoredSet(base, place, before);
        docs.clear();
        moveSet(places, before, rows, docs);
        counts ??= countBlocks(docs, runs.count);
        return docs;
      },
    };
  };
  return ngrams.map(({ moved, ngram, number }) => ({
    number,
    ngram: moved === null ? ngram : withSet(moved, ngram),
  }));
}

/** Adds the base's documents in a set that are not gone, by their new numbers, and rows to an empty set. */
function moveSet(
  {
    docOfRow,
    parts,
  }: Pick<ChangedNames, "docOfRow"> & { parts: readonly MovedPart[] },
  before: BitSet,
  rows: Uint32Array,
  docs: BitSet,
): void {
  for (const { length, source, to } of parts)
    docs.copyRange(before, source, to, length);
  for (const doc of docOfRow) docs.remove(doc);
  for (const row of rows) docs.add(docOfRow[row]!);
}

/** What changed rows and shifted borders of blocks make of a base's n-grams. */
interface Recount {
  /** The stored n-grams without a set, by number. */
  counted: Map<number, FrequentNgram>;
  /** Per n-gram of the tree, how many more rows than gone documents have it, and which rows. */
  net: Int32Array;
  rowsWith: readonly BitSet[];
}

function recount(
  names: Names,
  { docOfRow, gone, rows, runs }: ChangedNames,
  stored: StoredNgrams,
  tree: NgramTree,
): Recount {
  const { size } = tree;
  const blocks = blocksFor(runs.count);
  const borders = new AlignedBlocks(runs, docOfRow);
  const isMarked = Uint8Array.from(tree.numbers, (number) =>
    stored.placeOfSet(number) === null ? 1 : 0,
  );
  /** The stored n-grams without a set: index in the tree, and among the stored ones. */
  const places = tree.places(stored.numbers);
  const without = [...places.keys()].filter(
    (at) => isMarked[places[at]!] === 1,
  );
  const marked = new MarkedDocs(names, tree, isMarked);
  const items = new NgramsOfItems(names, tree);
  const counts = new Uint16Array(without.length * blocks);
  const net = new Int32Array(size);
  const rowsWith = tree.numbers.map(() => new BitSet(docOfRow.length));
  const changes = new Int32Array(size);
  /** The names between the nearest border of the base and the block's, before the block and behind it. */
  let before = new Int32Array(size);
  let behind = new Int32Array(size);
  for (let block = 0; block < blocks; block++) {
    const next = block + 1;
    changes.fill(0);
    for (let row = borders.rows[block]!; row < borders.rows[next]!; row++)
      for (const ngram of items.of(rows, row)) {
        changes[ngram]!++;
        rowsWith[ngram]!.add(row);
      }
    for (let item = borders.gone[block]!; item < borders.gone[next]!; item++)
      for (const ngram of items.of(gone, item)) changes[ngram]!--;
    behind.fill(0);
    const end = Math.min(next * NGRAM_BLOCK, runs.count);
    const aligned = borders.docs[next]!;
    forParts(Math.min(end, aligned), Math.max(end, aligned), (from, to) => {
      marked.mark(names, from, to);
      marked.tally(behind, Math.sign(end - aligned));
    });
    changes.forEach((change, ngram) => (net[ngram]! += change));
    without.forEach((at, index) => {
      const ngram = places[at]!;
      counts[index * blocks + block] =
        stored.count(at, borders.base[block]!, borders.base[next]!) +
        changes[ngram]! +
        behind[ngram]! -
        before[ngram]!;
    });
    [before, behind] = [behind, before];
  }
  marked.release();
  const counted = new Map<number, FrequentNgram>();
  without.forEach((at, index) => {
    const own = counts.subarray(index * blocks, (index + 1) * blocks);
    counted.set(stored.numbers[at]!, ngramOf(own, null));
  });
  return { counted, net, rowsWith };
}

/** An n-gram whose set, which has the counts, is made later. */
function withoutCounts(docCount: number): FrequentNgram {
  return { docCount, counts: new Uint16Array(0), docs: null };
}

function ngramOf(counts: Uint16Array, docs: BitSet | null): FrequentNgram {
  const docCount = counts.reduce((sum, count) => sum + count, 0);
  return { docCount, counts, docs };
}

/** Calls `visit` with parts of a range that can be marked together. */
function forParts(
  from: number,
  to: number,
  visit: (from: number, to: number) => void,
): void {
  for (let at = from; at < to; at += NGRAM_BLOCK)
    visit(at, Math.min(to, at + NGRAM_BLOCK));
}
