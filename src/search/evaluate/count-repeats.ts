import {
  NGRAM_BYTES,
  placeOf,
  WordPlace,
} from "../../snapshot/ngrams/ngram-index.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { WordFilter } from "../filters/word-filter.ts";

/** Looking for a word in the names of a document costs as much as reading this many documents of lists. */
const TESTED_DOC = 128;

/**
 * How many of the `listed` documents in the lists of a word are repeats. There is a list for each last name, first name,
 * and word of organization names that contains it, or only for the latter if the scope is `organization`; a document is
 * in the list of each of its names. Null if the word has fewer than `NGRAM_BYTES`, if reading the lists costs less, or
 * if the snapshot lacks the repeated n-grams.
 */
export function countRepeats(
  snapshot: Snapshot,
  { scope, word }: WordFilter,
  listed: number,
): number | null {
  const { lastNames, name, repeatedNgrams } = snapshot;
  if (repeatedNgrams === null || word.length < NGRAM_BYTES) return null;
  const docs = repeatedNgrams.docsOfWord(word);
  if (word.length === NGRAM_BYTES)
    return scope === "any"
      ? docs.length
      : docs.reduce(
          (sum, doc) => sum + (name[doc]! > lastNames.count ? 1 : 0),
          0,
        );
  if (docs.length * TESTED_DOC > listed) return null;
  const text = Buffer.from(word).toString();
  let repeats = 0;
  for (const doc of new Set(docs)) {
    repeats +=
      name[doc]! > lastNames.count
        ? repeatsInWords(snapshot, doc, text)
        : scope === "any" && isInBothNames(snapshot, doc, word)
          ? 1
          : 0;
  }
  return repeats;
}

function isInBothNames(
  { firstName, firstNames, lastNames, name }: Snapshot,
  doc: number,
  word: Uint8Array,
): boolean {
  return (
    placeOf(lastNames, name[doc]!, word) !== WordPlace.absent &&
    placeOf(firstNames, firstName[doc]!, word) !== WordPlace.absent
  );
}

/** How many distinct words of an organization's name contain the given one, after the first that does. */
function repeatsInWords(
  { lastNames, name, organizations }: Snapshot,
  doc: number,
  word: string,
): number {
  const words = organizations.folded(name[doc]! - lastNames.count).split(" ");
  const containing = new Set(words.filter((each) => each.includes(word)));
  return Math.max(0, containing.size - 1);
}
