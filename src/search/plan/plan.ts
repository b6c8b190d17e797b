import { fold, words } from "../../text/fold.ts";
import { kindMask } from "../../snapshot/postings/kinds.ts";
import {
  AnyNameFilter,
  AnyNameRule,
  type OtherNameSearch,
} from "../filters/union-name-filter.ts";
import { isGiven, placeRanges } from "./doc-ranges.ts";
import { NameFilters } from "./name-filters.ts";
import {
  slotFilter,
  type TaxonomyFilters,
} from "../filters/any-taxonomy-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { SearchQuery } from "../query.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { WordScope } from "../filters/word-filter.ts";
import type { Workspace } from "../evaluate/scratch.ts";

/** A query, resolved against a snapshot: every filter in numbers. A document matches when it passes all of them. */
export interface Plan {
  /** The documents admitted by place, ascending. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The primary taxonomies admitted, ascending; null for any and none. */
  taxonomies: Uint32Array | null;
  /** Those of names, and last the one for any slot. */
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

/** What searches of one thread are planned with. */
export interface Planning {
  snapshot: Snapshot;
  workspace: Workspace;
  taxonomyFilters: TaxonomyFilters;
  /** Null where the snapshot does not hold other names. */
  otherNames: OtherNameSearch | null;
}

export function planSearch(planning: Planning, query: SearchQuery): Plan {
  const { snapshot, taxonomyFilters, workspace } = planning;
  const anySlot = query.taxonomyScope === "any";
  const slots = anySlot
    ? slotFilter(snapshot, taxonomyFilters, workspace, query)
    : null;
  const texts = textParameters(planning, query);
  return {
    ranges: placeRanges(snapshot, query),
    kinds: kindMask(query.entityType, query.status) & kindsNamed(query),
    taxonomies: anySlot ? null : taxonomyFilters.primary.numbers(query),
    filters: slots === null ? texts.filters : texts.filters.concat(slots),
    rules: texts.rules,
  };
}

/**
 * The kinds that have a name of the sort asked for. Documents have names of their own sort alone, and words of `name` are
 * counted over all; other names may be of any sort.
 */
function kindsNamed({
  firstName,
  lastName,
  nameScope,
  organization,
}: SearchQuery): number {
  let kinds = kindMask(undefined, undefined);
  if (isGiven(organization)) kinds &= kindMask("organization", undefined);
  if (nameScope === "any" && (isGiven(firstName) || isGiven(lastName)))
    kinds &= kindMask("individual", undefined);
  return kinds;
}

function textParameters(
  planning: Planning,
  { firstName, lastName, name, nameScope, organization }: SearchQuery,
): TextParameters {
  const texts = new TextParameters(planning, nameScope === "any");
  if (isGiven(name)) {
    texts.addWords(name, "any");
    texts.addRule((names) => names.nameRule(name));
  }
  if (isGiven(firstName)) {
    texts.addFilter((names) => names.firstName(firstName));
    texts.addRule((names) => names.firstNameRule(firstName));
  }
  if (isGiven(lastName)) {
    texts.addFilter((names) => names.lastName(lastName));
    texts.addRule((names) => names.lastNameRule(lastName));
  }
  if (isGiven(organization)) {
    texts.addWords(organization, "organization");
    texts.addRule((names) => names.organizationRule(organization));
  }
  return texts;
}

class TextParameters {
  readonly filters: TextFilter[] = [];
  readonly rules: ExactRule[] = [];
  readonly #workspace: Workspace;
  readonly #own: NameFilters;
  readonly #others: (OtherNameSearch & { filters: NameFilters }) | null;

  constructor(
    { otherNames, snapshot, workspace }: Planning,
    withOthers: boolean,
  ) {
    if (withOthers && otherNames === null)
      throw new Error("The snapshot does not hold other names");
    this.#workspace = workspace;
    this.#own = new NameFilters(snapshot, workspace);
    this.#others =
      withOthers && otherNames !== null
        ? {
            ...otherNames,
            filters: new NameFilters(otherNames.names, otherNames.workspace),
          }
        : null;
  }

  addFilter(make: (names: NameFilters) => TextFilter): void {
    const own = make(this.#own);
    const others = this.#others;
    this.filters.push(
      others === null
        ? own
        : new AnyNameFilter(
            own,
            make(others.filters),
            others.names,
            this.#workspace,
          ),
    );
  }

  addRule(make: (names: NameFilters) => ExactRule): void {
    const own = make(this.#own);
    const others = this.#others;
    this.rules.push(
      others === null
        ? own
        : new AnyNameRule(own, make(others.filters), others.names),
    );
  }

  addWords(value: string, scope: WordScope): void {
    for (const word of new Set(words(fold(value))))
      this.addFilter((names) => names.word(word, scope));
  }
}
