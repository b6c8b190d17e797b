import { ByteInterner } from "../../../../src/snapshot/bytes/byte-interner.ts";
import { SectionFileWriter } from "../../../../src/snapshot/container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
} from "../../../../src/snapshot/dictionary/dictionary.ts";
import {
  writeNameIndex,
  type Names,
} from "../../../../src/snapshot/names/name-index.ts";
import { organizationWords } from "../../../../src/snapshot/names/organization-words.ts";
import { countFrequentNgrams } from "../../../../src/snapshot/ngrams/count-frequent-ngrams.ts";
import { writeFrequentNgrams } from "../../../../src/snapshot/ngrams/frequent-ngrams.ts";

/** The names of a document: those of a person, or of an organization. */
export interface NamedDocument {
  last: string;
  first: string;
  organization: string;
}

/** The documents' names as a snapshot has them. */
export function namesOf(docs: readonly NamedDocument[]): Names {
  const lasts = numbered(docs.map(({ last }) => last));
  const firsts = numbered(docs.map(({ first }) => first));
  const organizations = numbered(docs.map(({ organization }) => organization));
  const lastCount = countOf(lasts.dictionary);
  return {
    name: lasts.column.map((last, doc) => {
      const organization = organizations.column[doc]!;
      return organization === 0 ? last : lastCount + organization;
    }),
    first: firsts.column,
    lastNames: lasts.dictionary,
    firstNames: firsts.dictionary,
    organizations: organizations.dictionary,
  };
}

/** Writes names to a snapshot's file. */
export function writeNames(path: string, names: Names): void {
  using writer = new SectionFileWriter(path);
  const words = organizationWords(new Dictionary(names.organizations));
  writeNameIndex(writer, names, words);
  writeFrequentNgrams(writer, countFrequentNgrams(names, words));
  writer.finish();
}

function numbered(texts: readonly string[]) {
  const interner = new ByteInterner();
  const ids = texts.map((text) => {
    const bytes = Buffer.from(text);
    return interner.intern(bytes, 0, bytes.length);
  });
  const { bytes, numbers, offsets } = draftDictionary(interner);
  return {
    column: Uint32Array.from(ids, (id) => numbers[id]!),
    dictionary: { bytes, offsets },
  };
}
