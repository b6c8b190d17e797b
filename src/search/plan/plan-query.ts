import {
  filtersOf,
  type FilteredOperation,
  type FilterName,
  type ScopeName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import { ALL_KINDS, kindMask } from "../../snapshot/postings/kinds.ts";
import { countryOf } from "../../snapshot/postings/updated-days.ts";
import { dayOfIso, isoDate, LAST_DAY } from "../../text/dates.ts";
import { fold, hasText, words } from "../../text/fold.ts";
import { ColumnFilter, MiddleInitialFilter } from "../filters/column-filter.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import {
  UnionNameFilter,
  UnionNameRule,
} from "../filters/union-name-filter.ts";
import { initialOf } from "../../snapshot/names/middle-initials.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import {
  AnyTaxonomyFilter,
  PrimaryTaxonomies,
  type TaxonomyCriteria,
} from "../filters/taxonomy-filters.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { WordScope } from "../filters/word-filter.ts";
import type { NameFilters } from "./name-filters.ts";
import type { Planning } from "./planning.ts";
import type { QueryPlan } from "./query-plan.ts";

const FILTERS_OF = {
  search: filtersOf("search"),
  nearby: filtersOf("nearby"),
} as const;
const INDIVIDUALS = kindMask("individual", undefined);

/** The function by which each filter restricts a query plan. Its value is not blank. */
const PLANNERS: {
  readonly [Name in FilterName]: (
    draft: PlanDraft,
    value: NonNullable<FilterValues[Name]>,
  ) => void;
} = {
  name: (draft, value) =>
    draft.keepNamed({
      filters: wordFilters(draft, value, "any"),
      rule: (names) => names.nameRule(value),
    }),
  first_name: (draft, value) =>
    draft.keepNamed({
      filters: [(names) => names.firstName(value, draft.hasAliases)],
      rule: (names) => names.firstNameRule(value),
      kinds: INDIVIDUALS,
    }),
  name_aliases: (draft, value) => {
    draft.hasAliases = value === "true";
  },
  middle_initial(draft, value) {
    const { snapshot, workspace } = draft.planning;
    const { middleInitials } = snapshot;
    if (middleInitials === null)
      throw new Error("The snapshot does not hold middle initials");
    draft.keepMatching(
      new MiddleInitialFilter(workspace, middleInitials, initialOf(value)),
    );
    draft.expectKinds(INDIVIDUALS);
  },
  last_name: (draft, value) =>
    draft.keepNamed({
      filters: [(names) => names.lastName(value)],
      rule: (names) => names.lastNameRule(value),
      kinds: INDIVIDUALS,
    }),
  organization(draft, value) {
    // The counts of `name` words include all kinds.
    draft.keepKinds(kindMask("organization", undefined));
    draft.keepNamed({
      filters: wordFilters(draft, value, "organization"),
      rule: (names) => names.organizationRule(value),
    });
  },
  name_scope: (draft, value) => {
    if (value === "any") draft.widen("name_scope");
  },
  city(draft, value) {
    const { cities, places } = draft.planning.snapshot;
    const numbers = numbersOfCity(cities, { text: value, isPrefix: false });
    draft.keepRanges(places.docsOfCities(numbers));
  },
  state: (draft, value) =>
    draft.keepRanges([
      draft.planning.snapshot.places.docsOfState(value.trim()),
    ]),
  zip: (draft, value) =>
    draft.keepRanges(draft.planning.snapshot.places.docsOfZip(Number(value))),
  country: (draft, value) => {
    const { snapshot, workspace } = draft.planning;
    const { updatedDays: days } = snapshot;
    const code = value.trim().toUpperCase();
    const from = countryOf(code);
    draft.keepMatching(
      new ColumnFilter(
        workspace,
        `country ${code}`,
        days.countries,
        { from, to: from + 1 },
        days.countIn(from),
      ),
    );
  },
  taxonomy: (draft, value) => {
    draft.taxonomy.code = value.trim().toUpperCase();
  },
  specialty: (draft, value) => {
    draft.taxonomy.specialty = fold(value);
  },
  specialty_scope: (draft, value) => {
    draft.taxonomy.takesCommonWords = value === "common";
  },
  taxonomy_scope: (draft, value) => {
    if (value === "any") draft.widen("taxonomy_scope");
  },
  entity_type: (draft, value) => draft.keepKinds(kindMask(value, undefined)),
  status: (draft, value) => draft.keepKinds(kindMask(undefined, value)),
  last_updated_since: (draft, value) => {
    const { snapshot, workspace } = draft.planning;
    const { updatedDays: days } = snapshot;
    const since = dayOfIso(value.trim());
    draft.keepMatching(
      new ColumnFilter(
        workspace,
        `updated on or after ${isoDate(since)}`,
        days.days,
        { from: since, to: LAST_DAY + 1 },
        days.countSince(since),
      ),
    );
  },
  // Affects distances only, not which documents match.
  location_scope: () => undefined,
};

/**
 * Resolves the filters of a query into a plan. If it has a scope of `any`, the snapshot must have that part of the
 * extended index; if it has a middle initial, the snapshot must have them.
 */
export function planQuery(
  planning: Planning,
  operation: FilteredOperation,
  query: FilterValues,
): QueryPlan {
  return draftOf(planning, operation, query).finish();
}

/** The texts that a query asks of names and taxonomies. */
export interface AskedTexts {
  readonly names: readonly NameText[];
  readonly taxonomy: TaxonomyCriteria;
  /** The scopes of `any`. */
  readonly widened: ReadonlySet<ScopeName>;
}

/** Reads what a query asks of names and taxonomies, as `planQuery` does. */
export function askedTexts(
  planning: Planning,
  operation: FilteredOperation,
  query: FilterValues,
): AskedTexts {
  return draftOf(planning, operation, query).asked;
}

function draftOf(
  planning: Planning,
  operation: FilteredOperation,
  query: FilterValues,
): PlanDraft {
  const draft = new PlanDraft(planning);
  for (const name of FILTERS_OF[operation])
    planFilter(draft, name, query[name]);
  return draft;
}

function planFilter<Name extends FilterName>(
  draft: PlanDraft,
  name: Name,
  value: FilterValues[Name],
): void {
  if (value !== undefined && hasText(value)) PLANNERS[name](draft, value);
}

/** Makes a filter per word of a text. */
function wordFilters(
  { planning }: PlanDraft,
  value: string,
  scope: WordScope,
): ((names: NameFilters) => TextFilter)[] {
  return Array.from(
    new Set(words(planning.snapshot.folding.fold(value))),
    (word) => (names) => names.word(word, scope),
  );
}

/** A text that names must match. */
export interface NameText {
  /** A name matches when it passes all of them. */
  readonly filters: readonly ((names: NameFilters) => TextFilter)[];
  readonly rule: (names: NameFilters) => ExactRule;
  /**
   * The kinds with this sort of name. They are kept when other names are searched too, which can be of any sort; the
   * name of a record says them.
   */
  readonly kinds?: number;
}

/** A query plan under construction, filter by filter. */
class PlanDraft {
  readonly planning: Planning;
  /** The conditions for one taxonomy. */
  readonly taxonomy: TaxonomyCriteria = {
    code: null,
    specialty: null,
    takesCommonWords: false,
  };
  /** True if a first name also matches its nicknames and full forms. */
  hasAliases = false;
  #ranges: readonly NumberRange[];
  #kinds = ALL_KINDS;
  /** The kinds that all matches have, whatever is admitted. */
  #expected = ALL_KINDS;
  readonly #texts: NameText[] = [];
  readonly #filters: TextFilter[] = [];
  readonly #widened = new Set<ScopeName>();

  constructor(planning: Planning) {
    const { count } = planning.snapshot;
    this.planning = planning;
    this.#ranges = count === 0 ? [] : [{ from: 0, to: count }];
  }

  /** Admits only documents of ranges, which must ascend and not touch. */
  keepRanges(ranges: readonly NumberRange[]): void {
    this.#ranges = intersectRanges(this.#ranges, ranges);
  }

  /** Admits only documents of some kinds. */
  keepKinds(kinds: number): void {
    this.#kinds &= kinds;
  }

  /** Says that all matches of a filter are of some kinds. */
  expectKinds(kinds: number): void {
    this.#expected &= kinds;
  }

  keepNamed(text: NameText): void {
    this.#texts.push(text);
    this.expectKinds(text.kinds ?? ALL_KINDS);
  }

  /** Admits only the matches of a filter without tiers. */
  keepMatching(filter: TextFilter): void {
    this.#filters.push(filter);
  }

  /** Extends filters beyond the records. The snapshot must have the part of the extended index. */
  widen(scope: ScopeName): void {
    this.#widened.add(scope);
  }

  get asked(): AskedTexts {
    return {
      names: this.#texts,
      taxonomy: this.taxonomy,
      widened: this.#widened,
    };
  }

  finish(): QueryPlan {
    const { filters, rules } = this.#finishTexts();
    const { snapshot, taxonomyFilters, workspace } = this.planning;
    const { code, specialty } = this.taxonomy;
    let excludesAll = (this.#kinds & this.#expected) === 0;
    if (code !== null || specialty !== null) {
      const { taxonomy } = this;
      const { others, primary } = taxonomyFilters;
      const numbers = primary.numbers(taxonomy);
      if (this.#widened.has("taxonomy_scope")) {
        const { slots } = snapshot.extended;
        if (slots === null || others === null)
          throw new Error("The snapshot has only primary taxonomies");
        const inSlots = others.numbers(taxonomy);
        filters.push(
          new AnyTaxonomyFilter(snapshot, slots, workspace, numbers, inSlots),
        );
      } else {
        excludesAll ||= numbers.length === 0;
        filters.push(new PrimaryTaxonomies(snapshot, workspace, numbers));
      }
    }
    return {
      ranges: excludesAll ? [] : this.#ranges,
      kinds: this.#kinds,
      filters: filters.concat(this.#filters),
      rules,
      isRanked: rules.length > 0,
    };
  }

  #finishTexts(): { filters: TextFilter[]; rules: ExactRule[] } {
    const { nameFilters, snapshot, workspace } = this.planning;
    const { own } = nameFilters;
    const makers = this.#texts.flatMap(({ filters }) => filters);
    if (!this.#widened.has("name_scope"))
      return {
        filters: makers.map((make) => make(own)),
        rules: this.#texts.map(({ rule }) => rule(own)),
      };
    const { others } = nameFilters;
    const { names } = snapshot.extended;
    if (names === null || others === null)
      throw new Error("The snapshot does not hold other names");
    for (const { kinds = ALL_KINDS } of this.#texts) this.keepKinds(kinds);
    return {
      filters: makers.map(
        (make) =>
          new UnionNameFilter(make(own), make(others), names, workspace),
      ),
      rules: this.#texts.map(
        ({ rule }) => new UnionNameRule(rule(own), rule(others), names),
      ),
    };
  }
}

function intersectRanges(
  some: readonly NumberRange[],
  others: readonly NumberRange[],
): NumberRange[] {
  const both: NumberRange[] = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    const from = Math.max(some[i]!.from, others[j]!.from);
    const to = Math.min(some[i]!.to, others[j]!.to);
    if (from < to) both.push({ from, to });
    if (some[i]!.to < others[j]!.to) i++;
    else j++;
  }
  return both;
}
