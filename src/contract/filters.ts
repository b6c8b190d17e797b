import type { NameKind } from "../text/natural-case.ts";

/** Characters of a text filter. */
export const MAX_TEXT_CHARACTERS = 100;
export const MAX_RADIUS_MILES = 500;
export const DEFAULT_RADIUS_MILES = 25;
/** The end of a sentence that refuses `middle_initial`: snapshots of earlier versions lack initials. */
export const INITIALS_NOT_HELD =
  "this installation stores initials of middle names from its next import on";
/** The same for `sort=name`. */
export const NAME_ORDER_NOT_HELD =
  "this installation stores the order by name from its next import on";
/** The most other filters that a text which a user typed can mean. */
export const MAX_ALTERNATIVES = 5;
/** The most filters that the explorer offers to leave out if a search finds no one. */
export const MAX_LEFT_OUT = 5;
/** Rows of an answer for the explorer's map. */
export const MAX_MAP_ROWS = 5_000;
/** The values of a facet that the explorer lists. */
export const MAX_FACET_VALUES = 10;
/** Cities that the explorer's map names. */
export const MAX_MAP_PLACES = 400;
/** The most texts that what a user types can become. */
export const MAX_COMPLETIONS = 8;

/** The kind of name that each filter takes. `name` counts as a person's, as most are. */
export const NAME_KINDS: ReadonlyMap<string, NameKind> = new Map([
  ["name", "person"],
  ["first_name", "person"],
  ["middle_initial", "person"],
  ["last_name", "person"],
  ["organization", "organization"],
  ["city", "city"],
]);

/** The operations that have filters. */
export const FILTERED_OPERATIONS = ["search", "nearby"] as const;
export type FilteredOperation = (typeof FILTERED_OPERATIONS)[number];

/** The orders of an operation's results, the default first. */
export const SORTS = {
  search: ["relevance", "name"],
  nearby: ["distance", "name"],
} as const satisfies Readonly<Record<FilteredOperation, readonly string[]>>;

/** A filter. This file also runs in the browser; the values are described in `parameters/filter-schemas.ts`. */
interface FilterRow {
  readonly operations: readonly FilteredOperation[];
  /** The label in the portal. */
  readonly label: string;
  /** The data that its value `any` needs in addition to the records. */
  readonly any?: {
    readonly part: "other_names" | "taxonomies" | "locations";
    /** The data's name in error messages. */
    readonly inWords: string;
    /** The label of the explorer's switch. */
    readonly label: string;
  };
}

const SEARCH = ["search"] as const;
const BOTH = ["search", "nearby"] as const;

/** All filters by parameter name, in the order of the explorer's URLs. */
export const FILTERS = {
  name: {
    operations: BOTH,
    label: "Name",
  },
  first_name: { operations: BOTH, label: "First name" },
  name_aliases: { operations: BOTH, label: "Nicknames" },
  middle_initial: { operations: BOTH, label: "Middle initial" },
  last_name: { operations: BOTH, label: "Last name" },
  organization: { operations: BOTH, label: "Organization" },
  name_scope: {
    operations: BOTH,
    label: "Names",
    any: { part: "other_names", inWords: "other names", label: "Other names" },
  },
  city: { operations: SEARCH, label: "City" },
  state: { operations: SEARCH, label: "State" },
  zip: { operations: SEARCH, label: "ZIP code" },
  country: { operations: SEARCH, label: "Country" },
  taxonomy: { operations: BOTH, label: "Specialty" },
  specialty: { operations: BOTH, label: "Specialty" },
  specialty_scope: {
    operations: BOTH,
    label: "Words of the specialty",
  },
  taxonomy_scope: {
    operations: BOTH,
    label: "Specialties",
    any: {
      part: "taxonomies",
      inWords: "secondary taxonomies",
      label: "Secondary specialties",
    },
  },
  entity_type: { operations: BOTH, label: "Type" },
  status: { operations: BOTH, label: "Status" },
  last_updated_since: {
    operations: BOTH,
    label: "Updated since",
  },
  location_scope: {
    operations: ["nearby"],
    label: "Locations",
    any: {
      part: "locations",
      inWords: "secondary practice locations",
      label: "Secondary locations",
    },
  },
} as const satisfies Readonly<Record<string, FilterRow>>;

export type FilterName = keyof typeof FILTERS;

/** The filters of an operation. */
export type FilterOf<Operation extends FilteredOperation> = {
  [
    Name in FilterName
  ]: Operation extends (typeof FILTERS)[Name]["operations"][number]
    ? Name
    : never;
}[FilterName];

/** The filters whose value `any` needs more than the records. */
export type ScopeName = {
  [Name in FilterName]: (typeof FILTERS)[Name] extends { any: object }
    ? Name
    : never;
}[FilterName];

export const FILTER_NAMES: readonly FilterName[] =
  Object.keys(FILTERS).filter(isFilter);

export function isFilter(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}

export function isScope(name: FilterName): name is ScopeName {
  return "any" in FILTERS[name];
}

/** The parameters that say where a nearby search searches. */
export const NEARBY_PLACE = ["zip", "lat", "lng", "radius"] as const;

/** Returns a filter with the one that only says how to compare it: both are removed together. */
export function withComparison(name: string): readonly string[] {
  if (name === "first_name") return [name, "name_aliases"];
  return name === "specialty" ? [name, "specialty_scope"] : [name];
}

/** Lists the names of an operation's filters. */
export function filtersOf(operation: FilteredOperation): FilterName[] {
  return FILTER_NAMES.filter((name) =>
    FILTERS[name].operations.some((each) => each === operation),
  );
}
