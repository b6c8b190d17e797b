import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { orderByKey } from "../../snapshot/bytes/radix-sort.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { DocReader, FoundDocs } from "../evaluate/found-docs.ts";
import { mergedByName, pageOfNamesakes, type Namesakes } from "./namesakes.ts";
import { SetByName } from "./set-by-name.ts";

/** Up to this share of all documents are sorted as a whole; of more, only those around a page. */
const FEW_SHARE = 1 / 1024;
/** How many documents a reader finds together. */
const READ_TOGETHER = 4096;

/** Documents by name, with `before` of the set before them. */
interface SortedDocs extends Namesakes {
  readonly before: number;
}

/**
 * Documents by the name shown (ADR 45): individuals by last name and organizations by their name, as names are
 * compared; then by first name, then by NPI. Documents without such a name come last.
 */
export class DocsByName implements FoundDocs {
  readonly total: number;
  readonly miles = null;
  readonly #snapshot: Snapshot;
  /** All documents, if they are few. */
  readonly #all: SortedDocs | null;
  /** If they aren't. */
  readonly #set: BitSet | null;
  #byName: SetByName | null = null;
  #nameless: Uint32Array | null = null;

  /** Takes a list, each document once, or a set. They must not change. */
  constructor(snapshot: Snapshot, matches: Uint32Array | BitSet) {
    this.#snapshot = snapshot;
    const isSet = matches instanceof BitSet;
    this.total = isSet ? matches.count(0, snapshot.count) : matches.length;
    if (isSet && this.total > fewOf(snapshot)) {
      this.#all = null;
      this.#set = matches;
    } else {
      const docs = isSet ? matches.toArray() : matches;
      this.#all = sortedByName(snapshot, docs);
      this.#set = null;
    }
  }

  /** The documents at `offset` to `offset + limit` - 1. */
  page(offset: number, limit: number): number[] {
    const end = Math.min(this.total, offset + limit);
    const page: number[] = [];
    if (this.#all !== null) this.#append(page, offset, end, this.#all);
    const set = this.#set;
    if (set === null || offset >= end) return page;
    const snapshot = this.#snapshot;
    const byName = (this.#byName ??= new SetByName(snapshot, set, this.total));
    const named = byName.namedFor(end);
    if (offset < named) {
      const { before, docs } = byName.around(offset, Math.min(end, named));
      const merged = mergedByName(snapshot, docs);
      this.#append(page, offset, end, { before, ...merged });
    }
    if (end > named) {
      const docs = (this.#nameless ??= byName.namelessDocs());
      const sorted = { before: named, docs, ends: [docs.length] };
      this.#append(page, offset, end, sorted);
    }
    return page;
  }

  reader(): DocReader {
    let offset = 0;
    let docs: readonly number[] = [];
    let at = 0;
    return {
      read: (target) => {
        if (at === docs.length) {
          docs = this.page(offset, READ_TOGETHER);
          offset += docs.length;
          at = 0;
        }
        const next = docs.slice(at, at + target.length);
        target.set(next);
        at += next.length;
        return next.length;
      },
    };
  }

  /** Appends the documents of a page that are among those sorted. */
  #append(
    page: number[],
    offset: number,
    end: number,
    { before, docs, ends }: SortedDocs,
  ): void {
    let from = 0;
    for (const to of ends) {
      const first = before + from;
      if (first >= end) break;
      if (before + to > offset) {
        const skip = Math.max(0, offset - first);
        const namesakes = docs.subarray(from, to);
        const taken = Math.min(end, before + to) - first - skip;
        for (const doc of pageOfNamesakes(
          this.#snapshot,
          namesakes,
          skip,
          taken,
        ))
          page.push(doc);
      }
      from = to;
    }
  }
}

/** How many documents are best given as a list. */
export function fewOf({ count }: Snapshot): number {
  return Math.floor(count * FEW_SHARE);
}

/** All documents of a list by name. */
function sortedByName(snapshot: Snapshot, docs: Uint32Array): SortedDocs {
  const { name } = snapshot;
  const numbers = docs.map((doc) => name[doc]!);
  const order = orderByKey(numbers, numbers.length);
  const sorted = order.map((index) => docs[index]!);
  const sortedNumbers = order.map((index) => numbers[index]!);
  const nameless = lowerBound(sortedNumbers, 1);
  const { docs: named, ends } = mergedByName(snapshot, {
    docs: sorted.subarray(nameless),
    numbers: sortedNumbers.subarray(nameless),
  });
  if (nameless === 0) return { before: 0, docs: named, ends };
  // Number 0 stands for no name.
  const all = new Uint32Array(docs.length);
  all.set(named);
  all.set(sorted.subarray(0, nameless), named.length);
  return { before: 0, docs: all, ends: [...ends, all.length] };
}
