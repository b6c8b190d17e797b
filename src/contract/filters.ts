/** What takes filters. */
export type FilteredOperation = "search" | "nearby";

/** A filter, as data that run anywhere; its values are described in `parameters.ts`. */
interface FilterRow {
  readonly operations: readonly FilteredOperation[];
  /** What pages call it. */
  readonly label: string;
  /** Whether the explorer's form has a field for it. */
  readonly hasField: boolean;
  /** What its value `any` needs, beyond the records. */
  readonly any?: {
    /** A part of the details. */
    readonly part: "other_names" | "taxonomies" | "locations";
    /** As an error names these data. */
    readonly inWords: string;
    /** As the explorer's switch names them. */
    readonly label: string;
  };
}

const SEARCH = ["search"] as const;
const BOTH = ["search", "nearby"] as const;

/** All filters by the names of their parameters, in the order in which the explorer's addresses have them. */
export const FILTERS = {
  name: {
    operations: SEARCH,
    label: "Name, organization, or NPI",
    hasField: true,
  },
  first_name: { operations: SEARCH, label: "First name", hasField: false },
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

/** The filters that an operation takes. */
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

/** The names of the filters that an operation takes. */
export function filtersOf(operation: FilteredOperation): FilterName[] {
  return FILTER_NAMES.filter((name) =>
    FILTERS[name].operations.some((each) => each === operation),
  );
}
