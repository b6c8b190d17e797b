import { wordsFor } from "../../snapshot/bytes/bitset.ts";
import { TIER_COUNT } from "../filters/text-filter.ts";
import { evaluate } from "./match.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { QueryPlan } from "../plan/query-plan.ts";
import type { Workspace } from "./workspace.ts";

/**
 * All documents of a search in its order. It has its own memory, at most three bits for each document of the
 * snapshot, so it stays valid while other searches run.
 */
export interface MatchedDocs {
  readonly total: number;
  /** The distance of each from the center; null if they were not found by distance. */
  readonly miles: Float64Array | null;
  /** Starts to read them from the first one. */
  reader(): DocReader;
}

/** Reads documents in order. */
export interface DocReader {
  /** Writes the next documents to `target`, as many as it has room for. Returns how many; 0 after the last one. */
  read(target: Uint32Array): number;
}

/**
 * Finds all documents that match a query plan, which takes as long as the first page of a search that can't be counted.
 */
export function findAll(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): MatchedDocs {
  const matches = evaluate(snapshot, plan, workspace).find();
  const tiers = Array.from({ length: TIER_COUNT }, () => workspace.scratch());
  for (const tier of tiers) tier.clear();
  matches.addTo(tiers);
  const { total } = matches;
  const sets = tiers.map(({ bits }) => bits);
  if (total < wordsFor(snapshot.count))
    return matchedDocs(docsOf(new SetsReader(sets), total));
  // Copies, because searches reuse the sets.
  const copies = sets
    .filter((bits) => bits.some((word) => word !== 0))
    .map((bits) => bits.slice());
  return { total, miles: null, reader: () => new SetsReader(copies) };
}

/** Makes matches of documents in their order, with their distances from the center if found by distance. */
export function matchedDocs(
  docs: Uint32Array,
  miles: Float64Array | null = null,
): MatchedDocs {
  const reader = (): DocReader => {
    let at = 0;
    return {
      read(target) {
        const next = docs.subarray(at, at + target.length);
        target.set(next);
        at += next.length;
        return next.length;
      },
    };
  };
  return { total: docs.length, miles, reader };
}

/** Takes the first documents of a search, at most `most`. */
export function firstDocs(matches: MatchedDocs, most: number): MatchedDocs {
  return matches.total <= most
    ? matches
    : matchedDocs(docsOf(matches.reader(), most));
}

function docsOf(reader: DocReader, count: number): Uint32Array {
  const docs = new Uint32Array(count);
  reader.read(docs);
  return docs;
}

/** Reads sets, which must not change, one after the other. */
class SetsReader implements DocReader {
  readonly #sets: readonly Uint32Array[];
  #set = 0;
  #word = 0;
  /** The members of the last word that are not read yet. */
  #left = 0;

  constructor(sets: readonly Uint32Array[]) {
    this.#sets = sets;
  }

  read(target: Uint32Array): number {
    let count = 0;
    for (; this.#set < this.#sets.length; this.#set++) {
      const bits = this.#sets[this.#set]!;
      for (;;) {
        let left = this.#left;
        const base = (this.#word - 1) << 5;
        for (; left !== 0 && count < target.length; left &= left - 1)
          target[count++] = base + 31 - Math.clz32(left & -left);
        this.#left = left;
        if (left !== 0 || count === target.length) return count;
        while (this.#word < bits.length && bits[this.#word] === 0) this.#word++;
        if (this.#word >= bits.length) break;
        this.#left = bits[this.#word++]!;
      }
      this.#word = 0;
    }
    return count;
  }
}
