import { ByteInterner } from "../bytes/byte-interner.ts";
import {
  countOf,
  draftDictionary,
  type Dictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { withRoom } from "../bytes/growable.ts";
import type { Postings } from "../postings/postings.ts";

const SPACE = 0x20;

/** The words of organization names as a dictionary, and the words of each name. */
export interface OrganizationWords {
  words: DictionaryEntries;
  uses: WordUses;
}

/** The distinct words of each organization name: name `n` has `words[starts[n], starts[n + 1])`. */
export interface WordUses {
  starts: Uint32Array;
  words: Uint32Array;
}

/** Collects the words of a dictionary's names. */
export function organizationWords(names: Dictionary): OrganizationWords {
  const interner = new ByteInterner();
  const uses = wordUses(names, interner);
  const { bytes, numbers, offsets } = draftDictionary(interner, names.folding);
  uses.words.forEach((id, at) => (uses.words[at] = numbers[id]!));
  return { words: { bytes, offsets }, uses };
}

/** Collects the words of names, as numbers of an interner. */
function wordUses(names: Dictionary, interner: ByteInterner): WordUses {
  const { bytes, offsets } = names;
  let words: Uint32Array = new Uint32Array(names.count * 4);
  const starts = new Uint32Array(names.count + 2);
  /** Per word, the last name that used it. */
  let lastUser: Uint32Array = new Uint32Array(1024);
  let count = 0;
  for (let number = 1; number <= names.count; number++) {
    starts[number] = count;
    const end = names.foldedEnd(number);
    for (let start = offsets[number]!; start < end;) {
      let wordEnd = start;
      while (wordEnd < end && bytes[wordEnd] !== SPACE) wordEnd++;
      const word = interner.intern(bytes, start, wordEnd);
      start = wordEnd + 1;
      lastUser = withRoom(lastUser, word + 1);
      if (lastUser[word] === number) continue;
      lastUser[word] = number;
      words = withRoom(words, count + 1);
      words[count++] = word;
    }
  }
  starts[names.count + 1] = count;
  return { words: words.subarray(0, count), starts };
}

/**
 * Lists, per word, the documents whose name contains it. `names` is the column `name`, where organizations follow the
 * `lastCount` last names; `nameStarts` has the start of each name's list of documents.
 */
export function docsByWord(
  { starts: useStarts, words }: WordUses,
  dictionary: DictionaryEntries,
  names: Uint32Array,
  nameStarts: Uint32Array,
  lastCount: number,
): Postings {
  const starts = new Uint32Array(countOf(dictionary) + 2);
  for (let number = 1; number < useStarts.length - 1; number++) {
    const name = lastCount + number;
    const docs = nameStarts[name + 1]! - nameStarts[name]!;
    for (let use = useStarts[number]!; use < useStarts[number + 1]!; use++)
      starts[words[use]! + 1]! += docs;
  }
  for (let word = 1; word < starts.length; word++)
    starts[word]! += starts[word - 1]!;
  const items = new Uint32Array(starts.at(-1)!);
  const next = starts.slice();
  for (let doc = 0; doc < names.length; doc++) {
    if (names[doc]! <= lastCount) continue;
    const number = names[doc]! - lastCount;
    for (let use = useStarts[number]!; use < useStarts[number + 1]!; use++)
      items[next[words[use]!]!++] = doc;
  }
  return { starts, items };
}
