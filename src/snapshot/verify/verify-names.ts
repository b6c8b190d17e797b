import { words } from "../../text/fold.ts";
import { listNgrams } from "../ngrams/ngram-index.ts";
import { areListsOf, isSameGroup, isSorted } from "./verify-structures.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import type { NameField, NameIndex } from "../names/name-index.ts";

/** Claims about names, each with whether it is true. */
export function nameClaims(names: NameIndex): Record<string, boolean> {
  const { firstNames, lastNames, organizations, organizationWords } = names;
  return {
    "last names are ordered by folded value": isSorted(lastNames),
    "first names are ordered by folded value": isSorted(firstNames),
    "organization names are ordered by folded value": isSorted(organizations),
    "words of organization names are ordered by folded value":
      isSorted(organizationWords),
    "the name lists match the name column": areListsOf(
      names.nameDocs,
      names.name,
    ),
    "the first name lists match the first name column": areListsOf(
      names.firstNameDocs,
      names.firstName,
    ),
    "the word lists match the organization names": areWordListsRight(names),
    "the n-grams of last names match the dictionary": areNgramsOf(
      names.lastNameField,
      lastNames,
    ),
    "the n-grams of first names match the dictionary": areNgramsOf(
      names.firstNameField,
      firstNames,
    ),
    "the n-grams of words match the dictionary": areNgramsOf(
      names.organizationWordField,
      organizationWords,
    ),
  };
}

/** Whether each document is exactly in the lists of the distinct words of its organization name. */
function areWordListsRight({
  lastNames,
  name,
  organizations,
  organizationWordField,
  organizationWords,
}: NameIndex): boolean {
  const { items, starts } = organizationWordField.docs;
  let expected = 0;
  for (const number of name) {
    if (number > lastNames.count)
      expected += new Set(words(organizations.folded(number - lastNames.count)))
        .size;
  }
  if (expected !== items.length) return false;
  for (let word = 1; word <= organizationWords.count; word++) {
    const text = ` ${organizationWords.folded(word)} `;
    let named = 0;
    for (let at = starts[word]!; at < starts[word + 1]!; at++) {
      const doc = items[at]!;
      if (at > starts[word]! && items[at - 1]! >= doc) return false;
      if (name[doc] === named) continue;
      named = name[doc]!;
      if (named <= lastNames.count) return false;
      const organization = organizations.folded(named - lastNames.count);
      if (!` ${organization} `.includes(text)) return false;
    }
  }
  return true;
}

function areNgramsOf(
  { docs, ngrams }: NameField,
  dictionary: Dictionary,
): boolean {
  const { begin, inside } = listNgrams(dictionary, docs.starts);
  return (
    isSameGroup(ngrams.sections.inside, inside) &&
    isSameGroup(ngrams.sections.begin, begin)
  );
}
