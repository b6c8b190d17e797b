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
  { name: "counting", purpose: "counts n-grams" },
  (names: Names) => {
    const words = organizationWords(new Dictionary(names.organizations));
    return {
      words: () => words,
      ngrams: () => {
        const ngrams = countFrequentNgrams(names, words);
        const buffers = ngrams.flatMap(({ ngram: { counts, docs } }) =>
          docs === null ? [counts.buffer] : [counts.buffer, docs.bits.buffer],
        );
        const own = buffers.filter((each) => each instanceof ArrayBuffer);
        return moving(ngrams, [...new Set(own)]);
      },
    };
  },
);

/** Frequent n-grams that are counted in the background. Dispose it when done: what still runs ends then. */
export interface NgramCounting extends AsyncDisposable {
  /** The words of organization names, which come first. */
  words(): Promise<OrganizationWords>;
  /** The pieces to store, ascending. */
  ngrams(): Promise<NumberedNgram[]>;
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
  const counted = task.ask("ngrams");
  return {
    words: () => words,
    ngrams: async () =>
      (await counted).map(({ number, ngram }) => {
        // Of a set only its bits come from a thread.
        const docs = ngram.docs && new BitSet(docCount, ngram.docs.bits);
        return { number, ngram: { ...ngram, docs } };
      }),
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}
