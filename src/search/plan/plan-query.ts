import {
  filtersOf,
  type FilteredOperation,
  type FilterName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters.ts";
import { kindMask } from "../../snapshot/postings/kinds.ts";
import { foldCity } from "../../text/city.ts";
import { dayOfIso } from "../../text/dates.ts";
import { fold, words } from "../../text/fold.ts";
import { UpdatedFilter } from "../filters/updated-filter.ts";
import { PlanDraft, type Plan, type Planning } from "./plan.ts";
import type { WordScope } from "../filters/word-filter.ts";
import type { NameFilters } from "./name-filters.ts";
import type { TextFilter } from "../filters/text-filter.ts";

const FILTERS_OF = {
  search: filtersOf("search"),
  nearby: filtersOf("nearby"),
} as const;
const INDIVIDUALS = kindMask("individual", undefined);

/** How each filter restricts a plan; its value says something. */
const PLANNERS: {
  readonly [Name in FilterName]: (
    draft: PlanDraft,
    value: NonNullable<FilterValues[Name]>,
  ) => void;
} = {
  name: (draft, value) =>
    draft.keepNamed({
      filters: wordFilters(value, "any"),
      rule: (names) => names.nameRule(value),
    }),
  first_name: (draft, value) =>
    draft.keepNamed({
      filters: [(names) => names.firstName(value)],
      rule: (names) => names.firstNameRule(value),
      kinds: INDIVIDUALS,
    }),
  last_name: (draft, value) =>
    draft.keepNamed({
      filters: [(names) => names.lastName(value)],
      rule: (names) => names.lastNameRule(value),
      kinds: INDIVIDUALS,
    }),
  organization(draft, value) {
    // Words of `name` are counted over documents of all kinds.
    draft.keepKinds(kindMask("organization", undefined));
    draft.keepNamed({
      filters: wordFilters(value, "organization"),
      rule: (names) => names.organizationRule(value),
    });
  },
  name_scope: (draft, value) => {
    if (value === "any") draft.widen("name_scope");
  },
  city: (draft, value) =>
    draft.keepRanges(
      draft.planning.snapshot.places.docsOfCity(foldCity(value)),
    ),
  state: (draft, value) =>
    draft.keepRanges([
      draft.planning.snapshot.places.docsOfState(value.trim()),
    ]),
  zip: (draft, value) =>
    draft.keepRanges(draft.planning.snapshot.places.docsOfZip(Number(value))),
  taxonomy: (draft, value) => {
    draft.taxonomy.code = value.trim().toUpperCase();
  },
  specialty: (draft, value) => {
    draft.taxonomy.words = words(fold(value));
  },
  taxonomy_scope: (draft, value) => {
    if (value === "any") draft.widen("taxonomy_scope");
  },
  entity_type: (draft, value) => draft.keepKinds(kindMask(value, undefined)),
  status: (draft, value) => draft.keepKinds(kindMask(undefined, value)),
  last_updated_since: (draft, value) => {
    const { snapshot, workspace } = draft.planning;
    const since = dayOfIso(value.trim());
    draft.keepMatching(
      new UpdatedFilter(workspace, snapshot.updatedDays, since),
    );
  },
  // By distance, where it is a matter of where documents are, not of which match.
  location_scope: () => undefined,
};

/** Resolves a query by the filters that its operation takes. What a scope of `any` asks for, the snapshot must hold. */
export function planQuery(
  planning: Planning,
  operation: FilteredOperation,
  query: FilterValues,
): Plan {
  const draft = new PlanDraft(planning);
  for (const name of FILTERS_OF[operation])
    planFilter(draft, name, query[name]);
  return draft.finish();
}

function planFilter<Name extends FilterName>(
  draft: PlanDraft,
  name: Name,
  value: FilterValues[Name],
): void {
  if (value !== undefined && fold(value) !== "") PLANNERS[name](draft, value);
}

/** A filter per word of a text. */
function wordFilters(
  value: string,
  scope: WordScope,
): ((names: NameFilters) => TextFilter)[] {
  return Array.from(
    new Set(words(fold(value))),
    (word) => (names) => names.word(word, scope),
  );
}
