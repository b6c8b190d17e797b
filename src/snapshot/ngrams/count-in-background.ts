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

/** With fewer documents, counting takes less time than starting a thread. */
const MIN_THREAD_DOCS = 500_000;

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

/** N-grams being counted in the background. Disposing stops it. */
export interface NgramCounting extends AsyncDisposable {
  /** The words of organization names, available first. */
  words(): Promise<OrganizationWords>;
  /** The n-grams to store, ascending. Ends the thread. */
  ngrams(): Promise<NumberedNgram[]>;
}

/**
 * Starts finding the words of organization names, and then counting n-grams as countFrequentNgrams does; in a thread if
 * there are at least `minThreadDocs` documents. Names that are not in shared memory are copied.
 */
export function countInBackground(
  names: Names,
  minThreadDocs: number = MIN_THREAD_DOCS,
): NgramCounting {
  const docCount = names.name.length;
  const task =
    docCount >= minThreadDocs ? COUNTING.inThread(names) : COUNTING.here(names);
  const words = task.ask("words");
  const counted = task.ask("ngrams");
  return {
    words: () => words,
    ngrams: async () => {
      const ngrams = await counted;
      await task[Symbol.asyncDispose]();
      return ngrams.map(({ ngram, number }) => {
        // Only the bits of a set can be sent from a thread.
        const docs = ngram.docs && new BitSet(docCount, ngram.docs.bits);
        return { number, ngram: { ...ngram, docs } };
      });
    },
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}
