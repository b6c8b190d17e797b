/** The operations that have filters. */
export type FilteredOperation = "search" | "nearby";

/** A filter. This file also runs in the browser; the values are described in `parameters.ts`. */
interface FilterRow {
  readonly operations: readonly FilteredOperation[];
  /** The label in the portal. */
  readonly label: string;
  /** Whether the explorer's form has a field for it. */
  readonly hasField: boolean;
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
    operations: SEARCH,
    label: "Name, organization, or NPI",
    hasField: true,
  },
  first_name: { operations: SEARCH, label: "First name", hasField: false },
  name_aliases: { operations: SEARCH, label: "Nicknames", hasField: false },
  last_name: { operations: SEARCH, label: "Last name", hasField: false },
  organization: { operations: SEARCH, label: "Organization", hasField: false },
  name_scope: {
    operations: SEARCH,
    label: "Names",
    hasField: false,
    any: { part: "other_names", inWords: "other names", label: "Other names" },
  },
  city: { operations: SEARCH, label: "City", hasField: true },
  state: { operations: SEARCH, label: "State", hasField: true },
  zip: { operations: SEARCH, label: "ZIP code", hasField: true },
  taxonomy: { operations: BOTH, label: "Specialty", hasField: true },
  specialty: { operations: BOTH, label: "Specialty", hasField: true },
  specialty_scope: {
    operations: BOTH,
    label: "Words of the specialty",
    hasField: false,
  },
  taxonomy_scope: {
    operations: BOTH,
    label: "Specialties",
    hasField: false,
    any: {
      part: "taxonomies",
      inWords: "secondary taxonomies",
      label: "Secondary specialties",
    },
  },
  entity_type: { operations: BOTH, label: "Type", hasField: true },
  status: { operations: BOTH, label: "Status", hasField: true },
  last_updated_since: {
    operations: BOTH,
    label: "Updated since",
    hasField: true,
  },
  location_scope: {
    operations: ["nearby"],
    label: "Locations",
    hasField: false,
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

/** The names of an operation's filters. */
export function filtersOf(operation: FilteredOperation): FilterName[] {
  return FILTER_NAMES.filter((name) =>
    FILTERS[name].operations.some((each) => each === operation),
  );
}
