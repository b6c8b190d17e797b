import type { Provider } from "../../src/contract/provider.ts";
import type { ParsedDirectory } from "../../test/support/pure/engine/parsed-directory.ts";
import type { FilterValues } from "../../src/contract/parameters/filter-schemas.ts";
import type { NearbyQuery } from "../../src/search/query.ts";
import type {
  FieldText,
  RegistryNames,
  RegistryQuery,
} from "../../src/search/registry-api/registry-query.ts";

/** Kinds of questions that are reported together. */
export interface QuestionGroup {
  title: string;
}

/** A kind of question, asked with values of one provider. */
export interface QuestionClass {
  title: string;
  group: QuestionGroup;
  /** The question, or null where the provider has not what it needs. */
  ask: (
    directory: ParsedDirectory,
    provider: Provider,
    index: number,
  ) => (() => unknown) | null;
  /** The share of the providers that are drawn. */
  share?: number;
}

type Values = Record<string, string | null | undefined>;

const PAGE = 25;
/** Pages that are requested in turn, as shares of all pages. */
const DEPTHS = [0, 0, 0.5, 1];

const LOOK_UP: QuestionGroup = {
  title: "look-up, the record rendered",
};
const PLACE: QuestionGroup = {
  title: "places, taxonomies, specialties, pairs of them",
};
const PREFIX: QuestionGroup = {
  title: "last or first name, three letters or more",
};
const LONG_NAME: QuestionGroup = {
  title: "name, four letters or more; first and last",
};
const SHORT_NAME: QuestionGroup = {
  title: "name, one to three letters; two common pieces",
};
const ORGANIZATION: QuestionGroup = {
  title: "organization words",
};
const NEAR: QuestionGroup = {
  title: "nearby, up to 100 miles",
};
const FAR: QuestionGroup = {
  title: "nearby, 500 miles",
};
const NEAR_NAMED: QuestionGroup = {
  title: "nearby by name, up to 500 miles",
};
const REGISTRY: QuestionGroup = {
  title: "searches as the registry's own API has them",
};
const BY_NAME: QuestionGroup = {
  title: "by name, any page",
};
const LAST_PAGE: QuestionGroup = {
  title: "no filter, page 98,000 of 100",
};
/** Common n-grams of names, searched for in pairs. */
const COMMON = "DE LA AN ER IN MA AR EN AL EL RI ON".split(" ");

export const QUESTION_CLASSES: readonly QuestionClass[] = [
  {
    title: "look-up by NPI",
    group: LOOK_UP,
    ask:
      (directory, { npi }) =>
      () => {
        const record = directory.lookup.find(npi);
        return record && directory.lookup.rendering.renderRecord(record, {});
      },
  },
  search("zip", PLACE, (p) => ({ zip: zipOf(p) })),
  search("city", PLACE, (p) => ({ city: p.practice_address?.city })),
  search("city and state", PLACE, cityAndState),
  search("state, any page", PLACE, stateOf),
  search("taxonomy, any page", PLACE, taxonomyOf),
  search("specialty, any page", PLACE, specialtyOf),
  search("state and taxonomy", PLACE, (p) => ({
    ...stateOf(p),
    ...taxonomyOf(p),
  })),
  search("state and specialty, any page", PLACE, (p) => ({
    ...stateOf(p),
    ...specialtyOf(p),
  })),
  search("city and specialty", PLACE, (p) => ({
    ...cityAndState(p),
    ...specialtyOf(p),
  })),
  search("zip and taxonomy", PLACE, (p) => ({
    zip: zipOf(p),
    ...taxonomyOf(p),
  })),
  search("last name", PREFIX, (p) => ({ last_name: p.name?.last })),
  search("last name, three letters", PREFIX, (p) => ({
    last_name: atLeast(3, p.name?.last?.slice(0, 3)),
  })),
  search("first name", PREFIX, (p) => ({ first_name: p.name?.first })),
  search("first name, three letters", PREFIX, (p) => ({
    first_name: atLeast(3, p.name?.first?.slice(0, 3)),
  })),
  search("name, four letters of a last name", LONG_NAME, (p) => ({
    name: atLeast(4, p.name?.last?.slice(1, 5)),
  })),
  search("name, a whole last name", LONG_NAME, (p) => ({
    name: atLeast(4, p.name?.last),
  })),
  search("name, first and last", LONG_NAME, (p) => ({ name: fullName(p) })),
  search("first_name and last_name", LONG_NAME, (p) => ({
    first_name: p.name?.first,
    last_name: p.name?.last,
  })),
  search(
    "name, one letter",
    SHORT_NAME,
    (p) => ({ name: p.name?.last?.slice(0, 1) }),
    0.1,
  ),
  search(
    "name, two letters, any page",
    SHORT_NAME,
    (p) => ({ name: atLeast(2, p.name?.last?.slice(0, 2)) }),
    0.25,
  ),
  search(
    "name, three letters, any page",
    SHORT_NAME,
    (p) => ({ name: atLeast(3, p.name?.last?.slice(1, 4)) }),
    0.25,
  ),
  search(
    "name, two common pieces",
    SHORT_NAME,
    (_, index) => ({
      name: `${COMMON[index % COMMON.length]} ${COMMON[(index * 5 + 1) % COMMON.length]}`,
    }),
    0.1,
  ),
  search(
    "name, two letters, and state",
    SHORT_NAME,
    (p) => ({
      name: atLeast(2, p.name?.last?.slice(0, 2)),
      ...stateOf(p),
    }),
    0.25,
  ),
  ...[1, 2, 3].map((count) =>
    search(`organization, ${count} words`, ORGANIZATION, (p) => ({
      organization: p.organization_name?.split(" ").slice(0, count).join(" "),
    })),
  ),
  nearby("nearby 25 miles", NEAR, { radius: 25, page: 1 }),
  nearby("nearby 100 miles", NEAR, { radius: 100, page: 1 }),
  nearby("nearby 100 miles, page 20", NEAR, { radius: 100, page: 20 }),
  nearby("nearby 100 miles, taxonomy", NEAR, { radius: 100, page: 1 }, (p) =>
    taxonomyOf(p),
  ),
  nearby(
    "nearby 100 miles, specialty, page 20",
    NEAR,
    { radius: 100, page: 20 },
    (p) => specialtyOf(p),
  ),
  nearby("nearby 500 miles, page 20", FAR, { radius: 500, page: 20 }),
  nearby("nearby 500 miles, taxonomy", FAR, { radius: 500, page: 1 }, (p) =>
    taxonomyOf(p),
  ),
  nearby(
    "nearby 500 miles, taxonomy, page 20",
    FAR,
    { radius: 500, page: 20 },
    (p) => taxonomyOf(p),
  ),
  nearby(
    "nearby 100 miles, a whole last name",
    NEAR_NAMED,
    { radius: 100, page: 1 },
    (p) => ({ name: atLeast(4, p.name?.last) }),
  ),
  nearby(
    "nearby 100 miles, two letters of a name",
    NEAR_NAMED,
    { radius: 100, page: 1 },
    (p) => ({ name: atLeast(2, p.name?.last?.slice(0, 2)) }),
  ),
  nearby(
    "nearby 500 miles, first and last name",
    NEAR_NAMED,
    { radius: 500, page: 1 },
    (p) => ({ name: fullName(p) }),
  ),
  nearby(
    "nearby 500 miles, last name, specialty",
    NEAR_NAMED,
    { radius: 500, page: 1 },
    (p) => ({ last_name: p.name?.last, ...specialtyOf(p) }),
  ),
  nearby(
    "nearby 500 miles, 2 words, page 20",
    NEAR_NAMED,
    { radius: 500, page: 20 },
    (p) => ({
      organization: p.organization_name?.split(" ").slice(0, 2).join(" "),
    }),
  ),
  byName("all", () => ({}), 0.1),
  byName("zip", (p) => ({ zip: zipOf(p) })),
  byName("state", stateOf, 0.2),
  byName("state and specialty", (p) => ({ ...stateOf(p), ...specialtyOf(p) })),
  byName("specialty", specialtyOf, 0.2),
  byName("type", (p) => ({ entity_type: p.entity_type }), 0.1),
  byName(
    "type and status",
    ({ entity_type, status }) => ({ entity_type, status }),
    0.1,
  ),
  byName("a whole last name", (p) => ({ last_name: p.name?.last })),
  byName("name, one letter", (p) => ({ name: p.name?.last?.slice(0, 1) }), 0.1),
  byName("organization, a word", (p) => ({
    organization: p.organization_name?.split(" ")[0],
  })),
  nearby("nearby 25 miles by name", BY_NAME, {
    radius: 25,
    page: 1,
    sort: "name",
  }),
  nearby("nearby 500 miles by name, page 200", BY_NAME, {
    radius: 500,
    page: 200,
    sort: "name",
  }),
  registry("first and last name and state", (p) => ({
    names: personOf(p, false),
    place: { purpose: null, ...registryState(p) },
  })),
  registry("first and last name with aliases", (p) => ({
    names: { ...personOf(p, false), useAliases: true },
  })),
  registry("prefixes of two letters and state", (p) => ({
    names: personOf(p, true),
    place: { purpose: null, ...registryState(p) },
  })),
  registry("first and last name and country", (p) => ({
    names: personOf(p, false),
    place: { purpose: null, country: "US" },
  })),
  registry("any address in a city", (p) => ({
    place: { purpose: null, city: textOf(p.practice_address?.city) },
  })),
  registry("mailing address by ZIP", (p) => ({
    place: { purpose: "mailing", postalCode: textOf(zipOf(p)) },
  })),
  registry("secondary address, taxonomy, state", (p) => ({
    taxonomies: [p.primary_taxonomy?.code ?? "207Q00000X"],
    place: { purpose: "secondary", ...registryState(p) },
  })),
  registry("any address, taxonomy, state", (p) => ({
    taxonomies: [p.primary_taxonomy?.code ?? "207Q00000X"],
    place: { purpose: null, ...registryState(p) },
  })),
  registry("organization prefix and state", (p) => ({
    organizationName: textOf(p.organization_name?.slice(0, 4), true),
    place: { purpose: null, ...registryState(p) },
  })),
  registry("authorized official by first and last name", (p) => ({
    names: { ...personOf(p, false), purpose: "official" },
  })),
  {
    title: "the last page of 100",
    group: LAST_PAGE,
    ask: (directory) => {
      const { total } = directory.found({ limit: 1, page: 1 });
      const query = { limit: 100, page: Math.floor(total / 100) };
      return () =>
        directory.lookup.rendering.renderPage(
          directory.search.page(query).hits,
          {},
        );
    },
  },
];

function search(
  title: string,
  group: QuestionGroup,
  filtersOf: (provider: Provider, index: number) => Values,
  share = 1,
): QuestionClass {
  return {
    title,
    group,
    share,
    ask: (directory, provider, index) => {
      const filters = given(filtersOf(provider, index));
      if (filters === null) return null;
      const depth = title.endsWith("any page")
        ? DEPTHS[index % DEPTHS.length]!
        : 0;
      const page = pageAt(directory, filters, depth);
      const query = { ...filters, limit: PAGE, page };
      return () =>
        directory.lookup.rendering.renderPage(
          directory.search.page(query).hits,
          {},
        );
    },
  };
}

/** A page at any depth of a search by name. */
function byName(
  title: string,
  filtersOf: (provider: Provider) => Values,
  share = 1,
): QuestionClass {
  return {
    title: `by name: ${title}`,
    group: BY_NAME,
    share,
    ask: (directory, provider, index) => {
      const filters = given(filtersOf(provider));
      if (filters === null) return null;
      const page = pageAt(directory, filters, (index * 0.618_034) % 1);
      const query = { ...filters, sort: "name" as const, limit: PAGE, page };
      return () =>
        directory.lookup.rendering.renderPage(
          directory.search.page(query).hits,
          {},
        );
    },
  };
}

/** The page at a share of all pages of a search. */
function pageAt(
  directory: ParsedDirectory,
  filters: FilterValues,
  share: number,
): number {
  if (share === 0) return 1;
  const total = directory.search.total(filters);
  return 1 + Math.floor((Math.max(0, total - 1) / PAGE) * share);
}

function nearby(
  title: string,
  group: QuestionGroup,
  query: Pick<NearbyQuery, "page" | "radius" | "sort">,
  filtersOf: (provider: Provider) => Values = () => ({}),
): QuestionClass {
  return {
    title,
    group,
    ask: (directory, provider) => {
      const center = directory.nearby.centroid(zipOf(provider) ?? "");
      const filters = given(filtersOf(provider));
      if (center === null || filters === null) return null;
      const asked = { ...filters, ...query, center, limit: PAGE };
      return () =>
        directory.lookup.rendering.renderPage(directory.nearby.page(asked), {});
    },
  };
}

/** A page of 200 as the registry's own API has it, not rendered. */
function registry(
  title: string,
  queryOf: (provider: Provider) => Omit<RegistryQuery, "skip" | "limit">,
): QuestionClass {
  return {
    title: `registry: ${title}`,
    group: REGISTRY,
    ask: (directory, provider) => {
      const query = { ...queryOf(provider), skip: 0, limit: 200 };
      return () => directory.search.registryPage(query);
    },
  };
}

function textOf(text: string | null | undefined, isPrefix = false): FieldText {
  return { text: text ?? "SPRINGFIELD", isPrefix };
}

function personOf({ name }: Provider, isPrefix: boolean): RegistryNames {
  const [first, last] = [name?.first ?? "MARY", name?.last ?? "SMITH"].map(
    (text) => textOf(isPrefix ? text.slice(0, 2) : text, isPrefix),
  );
  return { purpose: "provider", first: first!, last: last!, useAliases: false };
}

function registryState({ practice_address: address }: Provider) {
  return { state: address?.state ?? "CA" };
}

/** The filters, if each of them has a value to search for. */
function given(values: Values): FilterValues | null {
  return Object.values(values).every(
    (value) => typeof value === "string" && /[A-Z0-9]/i.test(value),
  )
    ? values
    : null;
}

function zipOf({ practice_address: address }: Provider): string | undefined {
  return address?.postal_code?.slice(0, 5);
}

function stateOf({ practice_address: address }: Provider): Values {
  return { state: address?.state };
}

function cityAndState({ practice_address: address }: Provider): Values {
  return { city: address?.city, state: address?.state };
}

function taxonomyOf({ primary_taxonomy: taxonomy }: Provider): Values {
  return { taxonomy: taxonomy?.code };
}

/** The longest word of the specialty's name. */
function specialtyOf({ primary_taxonomy: taxonomy }: Provider): Values {
  const words = taxonomy?.description?.split(/[^A-Za-z]+/) ?? [];
  return { specialty: words.sort((a, b) => b.length - a.length)[0] };
}

function fullName({ name }: Provider): string | null {
  return name?.first && name.last ? `${name.first} ${name.last}` : null;
}

/** A text of at least this many letters, without a space, or null. */
function atLeast(
  letters: number,
  text: string | null | undefined,
): string | null {
  return typeof text === "string" &&
    /^[A-Z]+$/.test(text) &&
    text.length >= letters
    ? text
    : null;
}
