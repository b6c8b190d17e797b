import { closedLatch, openLatch, type Latch } from "../../threads/latch.ts";
import { moving, TaskProgram } from "../../threads/task-thread.ts";
import { BitSet } from "../bytes/bitset.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { DiskSections } from "../container/disk-sections.ts";
import { countOf, Dictionary } from "../dictionary/dictionary.ts";
import type { Names } from "../names/name-index.ts";
import {
  addOrganizationWords,
  organizationWords,
  type OrganizationWords,
} from "../names/organization-words.ts";
import { countFrequentNgrams } from "./count-frequent-ngrams.ts";
import type { NumberedNgram } from "./frequent-ngrams.ts";
import { addedNumbers } from "./merge-ngrams.ts";
import {
  areFew,
  recountFrequentNgrams,
  withSets,
  type ChangedNames,
  type RecountedNgram,
} from "./recount-frequent-ngrams.ts";

/** With fewer documents, counting takes less time than starting a thread. */
const MIN_THREAD_DOCS = 500_000;

/** Names to count, and, if few of them changed, how they differ from a base. */
interface NamesToCount {
  names: Names;
  changed: ChangedNames | null;
  /** Opened when all is counted. */
  ended: Latch;
}

const COUNTING = new TaskProgram(
  import.meta.url,
  { name: "counting", purpose: "counts n-grams" },
  ({ changed, ended, names }: NamesToCount) => {
    const words = wordsOf(names, changed);
    return {
      words: () => words,
      ngrams: () => {
        const ngrams: RecountedNgram[] =
          changed === null
            ? countFrequentNgrams(names, words).map(({ ngram, number }) => ({
                number,
                ngram,
                moved: null,
              }))
            : recountFrequentNgrams(names, changed);
        const buffers = ngrams.flatMap(({ ngram: { counts, docs } }) =>
          docs === null ? [counts.buffer] : [counts.buffer, docs.bits.buffer],
        );
        openLatch(ended);
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
  /** The n-grams to store, ascending. Each one's set is valid until the next one is read. */
  ngrams(): Promise<NumberedNgram[]>;
  /** Opened when all is counted; null if no thread counts. */
  readonly ended: Latch | null;
}

/**
 * Starts finding the words of organization names, and then counting n-grams as countFrequentNgrams does; in a thread if
 * there are at least `minThreadDocs` documents. If few names changed, most is known from the base. Names that are not in
 * shared memory are copied.
 */
export function countInBackground(
  names: Names,
  merged: ChangedNames | null,
  minThreadDocs: number = MIN_THREAD_DOCS,
): NgramCounting {
  const docCount = names.name.length;
  const changed = merged !== null && areFew(merged) ? merged : null;
  const ended = closedLatch();
  const input = { names, changed, ended };
  const isInThread = docCount >= minThreadDocs;
  const task = isInThread ? COUNTING.inThread(input) : COUNTING.here(input);
  const words = task.ask("words");
  const counted = task.ask("ngrams");
  return {
    ended: isInThread ? ended : null,
    words: () => words,
    ngrams: async () => {
      const ngrams = (await counted).map(({ moved, ngram, number }) => {
        // Only the bits of a set can be sent from a thread.
        const docs = ngram.docs && new BitSet(docCount, ngram.docs.bits);
        return { number, moved, ngram: { ...ngram, docs } };
      });
      return changed === null ? ngrams : withSets(ngrams, changed);
    },
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}

/** The words of organization names. If few names changed, only those of rows have uses. */
function wordsOf(
  { lastNames, organizations }: Names,
  changed: ChangedNames | null,
): OrganizationWords {
  const names = new Dictionary(organizations);
  if (changed === null) return organizationWords(names);
  const added = addedNumbers(changed.organizations, names.count);
  const used = BitSet.of(names.count + 1, added);
  const lastCount = countOf(lastNames);
  for (const number of changed.rows.name)
    if (number > lastCount) used.add(number - lastCount);
  using base = new DiskSections(changed.path);
  const before = Dictionary.open(base, SECTIONS.organizationWords);
  return addOrganizationWords(before, names, used);
}
