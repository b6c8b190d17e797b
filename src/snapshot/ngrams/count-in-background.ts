import { moving, TaskProgram } from "../../threads/task-thread.ts";
import { BitSet } from "../bytes/bitset.ts";
import { Dictionary } from "../dictionary/dictionary.ts";
import type { Names } from "../names/name-index.ts";
import {
  organizationWords,
  type OrganizationWords,
} from "../names/organization-words.ts";
import { countFrequentNgrams } from "./count-frequent-ngrams.ts";
import type { NumberedNgram } from "./frequent-ngrams.ts";

/** The pieces of fewer documents are counted sooner than a thread is of use. */
const LEAST_DOCS = 500_000;

const COUNTING = new TaskProgram(
  import.meta.url,
  { name: "counting", purpose: "counts pieces" },
  (names: Names) => {
    const words = organizationWords(new Dictionary(names.organizations));
    return {
      words: () => words,
      pieces: () => {
        const pieces = countFrequentNgrams(names, words).map(plain);
        const arrays = pieces.flatMap(({ bits, counts }) => [bits, counts]);
        return moving(
          pieces,
          arrays.flatMap((array) => (array === null ? [] : [array.buffer])),
        );
      },
    };
  },
);

/** Frequent n-grams that are counted in the background. Dispose it when done: what still runs ends then. */
export interface NgramCounting extends AsyncDisposable {
  /** The words of organization names, which come first. */
  words(): Promise<OrganizationWords>;
  /** The pieces to store, ascending. */
  pieces(): Promise<NumberedNgram[]>;
}

/**
 * Begins to find the words of organization names, and then to count the pieces of all names as countFrequentNgrams does: those of at
 * least `leastThreadDocs` documents in a thread of its own. What of the names is not in shared memory is copied for it.
 */
export function countInBackground(
  names: Names,
  leastThreadDocs: number = LEAST_DOCS,
): NgramCounting {
  const docCount = names.name.length;
  const task =
    docCount >= leastThreadDocs
      ? COUNTING.inThread(names)
      : COUNTING.here(names);
  const words = task.ask("words");
  const counted = task.ask("pieces");
  return {
    words: () => words,
    pieces: async () =>
      (await counted).map(({ bits, number, ...piece }) => ({
        number,
        piece: {
          ...piece,
          docs: bits === null ? null : new BitSet(docCount, bits),
        },
      })),
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}

/** A piece in arrays alone, with memory that may be moved to another thread. */
function plain({ number, piece: { counts, docCount, docs } }: NumberedNgram) {
  return {
    number,
    docCount,
    counts: counts.slice(),
    /** The words of the piece's set of documents, when it has one. */
    bits: docs === null ? null : owned(docs.bits),
  };
}

/** The array itself, when its memory may be moved to another thread. */
function owned(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const { buffer } = array;
  return buffer instanceof ArrayBuffer
    ? new Uint32Array(buffer, array.byteOffset, array.length)
    : array.slice();
}
