import { fold } from "../../text/fold.ts";
import {
  ExactName,
  exactName,
  organizationsNamed,
  type ExactRule,
} from "../filters/exact-name.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import { NamePairs, type Ranges } from "../filters/name-pairs.ts";
import { OneNameFilter } from "../filters/one-name-filter.ts";
import { PrefixFilter } from "../filters/prefix-filter.ts";
import { WordFilter, type WordScope } from "../filters/word-filter.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
import { numbersOf, numbersOfFolded } from "../filters/field-numbers.ts";
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

  /** Matches one word of a value, folded. */
  word(word: string, scope: WordScope): TextFilter {
    return new WordFilter(this.#index, this.#workspace, word, scope);
  }

  nameRule(value: string): ExactRule {
    return exactName(this.#index, this.#index.folding.fold(value));
  }

  organizationRule(value: string): ExactRule {
    const folded = this.#index.folding.fold(value);
    const named = organizationsNamed(this.#index, folded);
    return new ExactName([new NamePairs(this.#index, named, null)]);
  }

  /** Matches a first name. With aliases, nicknames and full forms of the whole value match, too. */
  firstName(value: string, hasAliases: boolean): TextFilter {
    const filter = new PrefixFilter(
      this.#workspace,
      this.#index,
      "first",
      value,
    );
    const { range } = filter;
    const aliases = hasAliases
      ? numbersOfFolded(
          this.#index.firstNames,
          aliasesOf(fold(value)),
          false,
        ).filter(({ from }) => from < range.from || from >= range.to)
      : [];
    if (aliases.length === 0) return filter;
    const pairs = new NamePairs(this.#index, null, [range, ...aliases]);
    return new OneNameFilter(this.#workspace, "first", pairs, null);
  }

  firstNameRule(value: string): ExactRule {
    const named = whole(this.#index.firstNames, value);
    return new ExactName([new NamePairs(this.#index, null, named)]);
  }

  lastName(value: string): TextFilter {
    return new PrefixFilter(this.#workspace, this.#index, "last", value);
  }

  lastNameRule(value: string): ExactRule {
    const named = whole(this.#index.lastNames, value);
    return new ExactName([new NamePairs(this.#index, named, null)]);
  }
}

/** Finds the entries that equal a value. */
function whole(dictionary: Dictionary, value: string): Ranges {
  return numbersOf(dictionary, { text: value, isPrefix: false });
}
