import { fold, words } from "../text/fold.ts";
import { ALL_KINDS, kindMask } from "../snapshot/kinds.ts";
import { isGiven, placeRanges } from "./doc-ranges.ts";
import {
  ExactField,
  ExactName,
  organizationsNamed,
  type ExactRule,
} from "./exact-name.ts";
import { PrefixFilter } from "./prefix-filter.ts";
import { WordFilter, type WordScope } from "./word-filter.ts";
import type { Dictionary, NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SearchQuery } from "./query.ts";
import type { TaxonomyFilter } from "./taxonomy-filter.ts";
import type { TextFilter } from "./text-filter.ts";
import type { Workspace } from "./workspace.ts";

/** A query, resolved against a snapshot: every filter in numbers. A document matches when it passes all of them. */
export interface Plan {
  /** The documents admitted by place, ascending. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The taxonomies admitted, ascending; null for any and none. */
  taxonomies: Uint32Array | null;
  filters: readonly TextFilter[];
  /** Per text parameter its rule; a document that all of them have matches exactly. */
  rules: readonly ExactRule[];
}

/** What a search found. */
export interface Found {
  total: number;
  /**
   * The documents at `offset` to `offset + limit` - 1, which may lie past the end, in the order of pages. To be called
   * before another search begins.
   */
  page(offset: number, limit: number): number[];
}

export function planSearch(
  snapshot: Snapshot,
  taxonomyFilter: TaxonomyFilter,
  workspace: Workspace,
  query: SearchQuery,
): Plan {
  const texts = new TextParameters(snapshot, workspace);
  if (isGiven(query.name)) texts.addName(query.name);
  if (isGiven(query.firstName)) texts.addFirstName(query.firstName);
  if (isGiven(query.lastName)) texts.addLastName(query.lastName);
  if (isGiven(query.organization)) texts.addOrganization(query.organization);
  return {
    ranges: placeRanges(snapshot, query),
    kinds:
      kindMask(query.entityType, query.status) &
      (isGiven(query.organization)
        ? kindMask("organization", undefined)
        : ALL_KINDS),
    taxonomies: taxonomyFilter.numbers(query),
    filters: texts.filters,
    rules: texts.rules,
  };
}

class TextParameters {
  readonly filters: TextFilter[] = [];
  readonly rules: ExactRule[] = [];
  readonly #snapshot: Snapshot;
  readonly #workspace: Workspace;

  constructor(snapshot: Snapshot, workspace: Workspace) {
    this.#snapshot = snapshot;
    this.#workspace = workspace;
  }

  addName(value: string): void {
    const folded = fold(value);
    const parts = words(folded);
    this.#addWords(parts, "any");
    this.rules.push(new ExactName(this.#snapshot, folded, parts));
  }

  addOrganization(value: string): void {
    const folded = fold(value);
    const { name, nameDocs } = this.#snapshot;
    this.#addWords(words(folded), "organization");
    this.rules.push(
      new ExactField(
        name,
        nameDocs,
        organizationsNamed(this.#snapshot, folded),
      ),
    );
  }

  addFirstName(value: string): void {
    const { firstName, firstNameDocs, firstNames } = this.#snapshot;
    const { range, exact } = beginningWith(firstNames, value);
    this.filters.push(
      new PrefixFilter(
        this.#workspace,
        "first",
        firstName,
        firstNameDocs,
        range,
        exact,
      ),
    );
    this.rules.push(new ExactField(firstName, firstNameDocs, exact));
  }

  addLastName(value: string): void {
    const { lastNames, name, nameDocs } = this.#snapshot;
    const { range, exact } = beginningWith(lastNames, value);
    this.filters.push(
      new PrefixFilter(this.#workspace, "last", name, nameDocs, range, exact),
    );
    this.rules.push(new ExactField(name, nameDocs, exact));
  }

  #addWords(parts: readonly string[], scope: WordScope): void {
    for (const word of new Set(parts))
      this.filters.push(
        new WordFilter(this.#snapshot, this.#workspace, word, scope),
      );
  }
}

/** Folding drops a trailing `*`, the registry's own sign for "begins with", which every value means here anyway. */
function beginningWith(
  dictionary: Dictionary,
  value: string,
): { range: NumberRange; exact: NumberRange } {
  const folded = Buffer.from(fold(value));
  return {
    range: dictionary.withPrefix(folded),
    exact: dictionary.equalTo(folded),
  };
}
