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
  type ChangedNames,
} from "./recount-frequent-ngrams.ts";

/** With fewer documents, counting takes less time than starting a thread. */
const MIN_THREAD_DOCS = 500_000;

/** Names to count, and, if few of them changed, how they differ from a base. */
interface NamesToCount {
  names: Names;
  changed: ChangedNames | null;
}

const COUNTING = new TaskProgram(
  import.meta.url,
  { name: "counting", purpose: "counts n-grams" },
  ({ changed, names }: NamesToCount) => {
    const words = wordsOf(names, changed);
    return {
      words: () => words,
      ngrams: () => {
        const ngrams =
          changed === null
            ? countFrequentNgrams(names, words)
            : recountFrequentNgrams(names, changed);
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
  /** The n-grams to store, ascending. */
  ngrams(): Promise<NumberedNgram[]>;
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
  const input = { names, changed };
  const task =
    docCount >= minThreadDocs ? COUNTING.inThread(input) : COUNTING.here(input);
  const words = task.ask("words");
  const counted = task.ask("ngrams");
  return {
    words: () => words,
    ngrams: async () =>
      (await counted).map(({ number, ngram }) => {
        // Only the bits of a set can be sent from a thread.
        const docs = ngram.docs && new BitSet(docCount, ngram.docs.bits);
        return { number, ngram: { ...ngram, docs } };
      }),
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
