import { ByteInterner } from "./byte-interner.ts";
import {
  Dictionary,
  draftDictionary,
  writeDictionary,
  type DictionaryEntries,
} from "./dictionary.ts";
import { withRoom } from "./growable.ts";
import { writePostings, type Postings } from "./postings.ts";
import type { SectionWriter } from "./section-file.ts";

const SPACE = 0x20;

/** The words of organization names, and per word the documents whose name contains it. */
export interface OrganizationWords {
  dictionary: Dictionary;
  docs: Postings;
}

/**
 * Writes the sections `word.bytes`, `word.offsets`, `word.docs.starts` and `word.docs.items`. `names` is the column `name`,
 * in which organizations stand behind the `lastCount` last names.
 */
export function writeOrganizationWords(
  writer: SectionWriter,
  organizations: DictionaryEntries,
  names: Uint32Array,
  lastCount: number,
): OrganizationWords {
  const interner = new ByteInterner();
  const uses = wordUses(
    new Dictionary(organizations.bytes, organizations.offsets),
    interner,
  );
  const draft = draftDictionary(interner);
  uses.words.forEach((id, at) => (uses.words[at] = draft.numbers[id]!));
  const docs = docsByWord(uses, interner.size - 1, names, lastCount);
  writeDictionary(writer, "word", draft);
  writePostings(writer, "word.docs", docs);
  return { dictionary: new Dictionary(draft.bytes, draft.offsets), docs };
}

/** The distinct words of each organization name: those of `n` are `words[starts[n], starts[n + 1])`. */
interface WordUses {
  starts: Uint32Array;
  words: Uint32Array;
}

function wordUses(names: Dictionary, interner: ByteInterner): WordUses {
  const { bytes, offsets } = names;
  let words: Uint32Array = new Uint32Array(names.count * 4);
  const starts = new Uint32Array(names.count + 2);
  /** Per word the name that used it last. */
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

function docsByWord(
  { starts: useStarts, words }: WordUses,
  wordCount: number,
  names: Uint32Array,
  lastCount: number,
): Postings {
  const starts = new Uint32Array(wordCount + 2);
  for (let doc = 0; doc < names.length; doc++) {
    if (names[doc]! <= lastCount) continue;
    const number = names[doc]! - lastCount;
    for (let use = useStarts[number]!; use < useStarts[number + 1]!; use++)
      starts[words[use]! + 1]!++;
  }
  for (let word = 1; word <= wordCount + 1; word++)
    starts[word]! += starts[word - 1]!;
  const items = new Uint32Array(starts[wordCount + 1]!);
  const next = starts.slice();
  for (let doc = 0; doc < names.length; doc++) {
    if (names[doc]! <= lastCount) continue;
    const number = names[doc]! - lastCount;
    for (let use = useStarts[number]!; use < useStarts[number + 1]!; use++)
      items[next[words[use]!]!++] = doc;
  }
  return { starts, items };
}
