import { fold, words } from "../../text/fold.ts";
import {
  ExactField,
  ExactName,
  organizationsNamed,
  type ExactRule,
} from "../filters/exact-name.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import { NamePairs } from "../filters/name-pairs.ts";
import { OneNameFilter } from "../filters/one-name-filter.ts";
import { PrefixFilter } from "../filters/prefix-filter.ts";
import { WordFilter, type WordScope } from "../filters/word-filter.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
import { numbersOfFolded } from "../filters/field-numbers.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** Creates the filters and rules of text parameters, for the names of documents or for their other names. */
export class NameFilters {
  readonly #index: NameIndex;
  readonly #workspace: Workspace;

  constructor(index: NameIndex, workspace: Workspace) {
    this.#index = index;
    this.#workspace = workspace;
  }

  /** One word of a value, folded. */
  word(word: string, scope: WordScope): TextFilter {
    return new WordFilter(this.#index, this.#workspace, word, scope);
  }

  nameRule(value: string): ExactRule {
    const folded = this.#index.folding.fold(value);
    return new ExactName(this.#index, folded, words(folded));
  }

  organizationRule(value: string): ExactRule {
    const { name, nameDocs } = this.#index;
    return new ExactField(
      name,
      nameDocs,
      organizationsNamed(this.#index, this.#index.folding.fold(value)),
    );
  }

  /** With aliases, nicknames and full forms of the whole value match, too. */
  firstName(value: string, hasAliases: boolean): TextFilter {
    const { firstName, firstNameDocs, firstNames } = this.#index;
    const { range, exact } = startingWith(firstNames, value);
    const aliases = hasAliases
      ? numbersOfFolded(firstNames, aliasesOf(fold(value)), false).filter(
          ({ from }) => from < range.from || from >= range.to,
        )
      : [];
    if (aliases.length > 0)
      return new OneNameFilter(
        this.#workspace,
        "first",
        new NamePairs(this.#index, null, [range, ...aliases]),
        null,
      );
    return new PrefixFilter(
      this.#workspace,
      "first",
      firstName,
      firstNameDocs,
      range,
      exact,
    );
  }

  firstNameRule(value: string): ExactRule {
    const { firstName, firstNameDocs, firstNames } = this.#index;
    const { exact } = startingWith(firstNames, value);
    return new ExactField(firstName, firstNameDocs, exact);
  }

  lastName(value: string): TextFilter {
    const { lastNames, name, nameDocs } = this.#index;
    const { range, exact } = startingWith(lastNames, value);
    return new PrefixFilter(
      this.#workspace,
      "last",
      name,
      nameDocs,
      range,
      exact,
    );
  }

  lastNameRule(value: string): ExactRule {
    const { lastNames, name, nameDocs } = this.#index;
    const { exact } = startingWith(lastNames, value);
    return new ExactField(name, nameDocs, exact);
  }
}

/** Folding drops a trailing `*`, the registry's sign for a prefix search. Every value is a prefix here anyway. */
function startingWith(
  dictionary: Dictionary,
  value: string,
): { range: NumberRange; exact: NumberRange } {
  const folded = Buffer.from(dictionary.folding.fold(value));
  return {
    range: dictionary.withPrefix(folded),
    exact: dictionary.equalTo(folded),
  };
}
