import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alternativesPath,
  downloadPath,
  isBlank,
  pageHref,
  readingOf,
  searchHref,
  toKind,
  withChanges,
  listPath,
  isComplete,
  mapPath,
  parseSearch,
  sampleRequest,
  cityCenter,
  formSearch,
  narrowedSearch,
  typedNpi,
} from "../../../src/portal/explorer/explorer-search.ts";
import {
  filterTexts,
  searchText,
} from "../../../src/portal/explorer/search-text.ts";
import { shownAlternatives } from "../../../src/portal/explorer/question/shown-alternatives.ts";
import { inventedDirectory } from "../../search/interpret/invented-registry.ts";

function at(query: string) {
  return parseSearch(new URLSearchParams(query));
}

test("an address without parameters asks nothing; a page makes it the list of all providers", () => {
  const search = at("name=+&utm_source=mail");
  assert.equal(searchHref(search), "/");
  assert.equal(isBlank(search), true);
  assert.equal(isBlank(at("page=1")), false);
  assert.equal(isBlank(at("radius=5")), false);
  assert.equal(pageHref(at("page=2"), 1), "/?page=1");
  assert.equal(pageHref(at("name=smith&page=2"), 1), "/?name=smith");
  assert.equal(pageHref(at("name=smith"), 3), "/?name=smith&page=3");
  assert.equal(listPath(search), "/explore/search");
  assert.deepEqual(sampleRequest(search), {
    path: "/v1/providers/search",
    query: [],
  });
});

test("the order by name is in the address, whatever the kind of search; the usual one isn't", () => {
  const search = at("state=IL&sort=name&page=2");
  assert.equal(searchHref(search), "/?state=IL&sort=name&page=2");
  assert.equal(listPath(search), "/explore/search?state=IL&sort=name&page=2");
  assert.equal(
    downloadPath(search, "csv", "mail"),
    "/explore/search.csv?state=IL&sort=name&column_set=mail",
  );
  assert.equal(
    downloadPath(search, "ndjson", null),
    "/explore/search.ndjson?state=IL&sort=name",
  );
  assert.equal(mapPath(search), "/explore/map/search?state=IL");
  assert.equal(
    alternativesPath(search),
    "/explore/alternatives?operation=search&state=IL",
  );
  assert.equal(
    searchHref(toKind("nearby", search, { zip: "62701" })),
    "/?zip=62701&radius=25&sort=name",
  );
  assert.equal(searchHref(at("state=IL&sort=relevance")), "/?state=IL");
  assert.equal(searchHref(at("radius=5&sort=distance")), "/?radius=5");
  const all = withChanges(at("sort=name"), { sort: "relevance" });
  assert.equal(pageHref(all, 1), "/?page=1");
  assert.deepEqual(filterTexts(search), filterTexts(at("state=IL")));
});

test("parameters have one order, so that equal searches have one address", () => {
  const search = at("state=IL&page=2&name=O%27Brien");
  assert.equal(searchHref(search), "/?name=O%27Brien&state=IL&page=2");
  assert.equal(searchHref(at("zip=62701")), "/?zip=62701");
});

test("a change goes to the first page, unless it changes the page", () => {
  const search = at("name=smith&page=4");
  assert.equal(
    searchHref(withChanges(search, { state: "IL" })),
    "/?name=smith&state=IL",
  );
  assert.equal(
    searchHref(withChanges(search, { page: "5" })),
    "/?name=smith&page=5",
  );
  assert.equal(searchHref(withChanges(search, { name: "" })), "/");
});

test("a radius or a point makes a search by distance, without a state", () => {
  const search = at("zip=62701&radius=10&name=smith&state=IL&page=2");
  assert.equal(
    listPath(search),
    "/explore/nearby?zip=62701&radius=10&name=smith&page=2",
  );
  assert.equal(
    mapPath(search),
    "/explore/map/nearby?zip=62701&radius=10&name=smith",
  );
  assert.equal(isComplete(search), true);
  assert.equal(isComplete(at("radius=10")), false);
  assert.equal(
    searchHref(at("lat=39.8&lng=-89.65")),
    "/?lat=39.8&lng=-89.65&radius=25",
  );
  // With and without the default distance.
  const typed = readingOf({
    operation: "nearby",
    filters: { zip: "60601", name: "smith" },
  });
  assert.ok(typed !== null && typed.kind !== "lookup");
  assert.equal(searchHref(typed), searchHref(at(searchHref(typed).slice(2))));
});

test("filters that both kinds have are kept when the kind changes", () => {
  const search = at("name=smith&state=IL&specialty=dental&status=active");
  const nearby = toKind("nearby", search);
  assert.equal(
    searchHref(nearby),
    "/?radius=25&name=smith&specialty=dental&status=active",
  );
  assert.equal(
    searchHref(toKind("search", nearby, { zip: "62701" })),
    "/?name=smith&zip=62701&specialty=dental&status=active",
  );
});

test("an NPI is distinguished from other texts, also in groups of digits", () => {
  for (const text of [
    "1234567893",
    " 1234 567-893 ",
    "123.456.7893",
    '="1234567893"',
    "\u200B1234567893",
  ])
    assert.equal(typedNpi(text), "1234567893");
  for (const text of ["smith", "911", "", "1234567893 clinic", "1234567890"])
    assert.equal(typedNpi(text), null);
});

test("what is typed replaces what was asked of the same, and adds to the rest", () => {
  for (const [before, typed, after] of [
    [
      "name=smith&city=springfield",
      "name=jones",
      "name=jones&city=springfield",
    ],
    ["name=john+smith&middle_initial=Q", "name=jones", "name=jones"],
    [
      "name=smith",
      "first_name=ann&last_name=lee",
      "first_name=ann&last_name=lee",
    ],
    [
      "name=smith&page=3&status=active",
      "city=springfield",
      "name=smith&city=springfield&status=active",
    ],
    [
      "taxonomy=207Q00000X&state=IL",
      "specialty=nurse&specialty_scope=common",
      "state=IL&specialty=nurse&specialty_scope=common",
    ],
    // A place within a place.
    ["city=springfield", "state=IL", "city=springfield&state=IL"],
    ["state=IL", "city=springfield", "city=springfield&state=IL"],
    ["city=springfield&state=IL", "city=austin", "city=austin"],
    ["city=springfield&state=IL", "zip=60601", "zip=60601"],
    // By distance.
    [
      "name=smith&city=springfield",
      "zip=60601&radius=25",
      "zip=60601&radius=25&name=smith",
    ],
    [
      "zip=60601&radius=10&name=smith",
      "zip=94110",
      "zip=94110&radius=10&name=smith",
    ],
    ["lat=39.8&lng=-89.65&radius=10", "zip=94110", "zip=94110&radius=10"],
    ["zip=60601&radius=10&name=smith", "city=austin", "name=smith&city=austin"],
    ["zip=60601&radius=10", "name=smith", "zip=60601&radius=10&name=smith"],
    ["zip=60601&radius=10", "zip=94110&radius=50", "zip=94110&radius=50"],
    [
      "zip=60601&radius=10",
      "lat=39.8&lng=-89.65",
      "lat=39.8&lng=-89.65&radius=10",
    ],
    // Near a place that is missing.
    ["name=smith", "radius=5", "radius=5&name=smith"],
    ["zip=60601&radius=10", "radius=5", "zip=60601&radius=5"],
  ] as const)
    assert.equal(
      searchHref(narrowedSearch(at(before), at(typed))),
      `/?${after}`,
      `${before} + ${typed}`,
    );
});

test("a distance in the form makes a search by distance, and no distance one by name", () => {
  for (const [before, changes, after] of [
    [
      "name=smith&zip=60601",
      { radius: "10" },
      "zip=60601&radius=10&name=smith",
    ],
    ["zip=60601&radius=10&name=smith", { radius: "" }, "name=smith&zip=60601"],
    ["lat=39.8&lng=-89.65&radius=10", { zip: "60601" }, "zip=60601&radius=10"],
    [
      "lat=39.8&lng=-89.65&radius=10",
      { radius: "", city: "austin" },
      "city=austin",
    ],
  ] as const)
    assert.equal(searchHref(formSearch(at(before), changes)), `/?${after}`);
  const center = { city: "austin", state: "TX" };
  const inAustin = at("city=austin&state=TX");
  assert.deepEqual(cityCenter(inAustin, { radius: "10" }), center);
  assert.deepEqual(cityCenter(at("zip=60601&radius=5"), center), center);
  assert.equal(cityCenter(at("zip=60601&radius=5"), { radius: "10" }), null);
  assert.equal(cityCenter(inAustin, { status: "active" }), null);
});

test("a search is put in words, filter by filter", () => {
  const nearby = at(
    "zip=60601&radius=1&specialty=nurse&specialty_scope=common",
  );
  assert.deepEqual(filterTexts(nearby), [
    {
      names: ["place", "zip", "lat", "lng", "radius"],
      label: "Near",
      value: "60601, 1 mile",
    },
    {
      names: ["specialty", "specialty_scope"],
      label: "Specialty",
      value: "nurse",
    },
  ]);
  assert.equal(searchText(nearby), "near 60601, 1 mile, nurse");
  assert.equal(
    searchText(at(`zip=60601&radius=5&place=%E2%80%AE${"c".repeat(5_000)}`)),
    `near ${"c".repeat(60)}… (60601), 5 miles`,
  );
  assert.equal(searchText(at("radius=5")), "within 5 miles");
  assert.equal(
    searchText(at("lat=1&lng=2")),
    "near a point on the map, 25 miles",
  );
  assert.deepEqual(
    filterTexts(
      at(
        "first_name=bob&name_aliases=true&name_scope=any&entity_type=organization&page=2",
      ),
    ).map(({ label, value }) => `${label}: ${value}`),
    [
      "First name: Bob or nicknames",
      "Type: organizations",
      "Also: other names",
    ],
  );
  const initial = at("name=john+smith&middle_initial=q");
  assert.deepEqual(filterTexts(initial)[1], {
    names: ["middle_initial"],
    label: "Middle initial",
    value: "Q",
  });
  assert.equal(searchText(initial), "John Smith, middle initial Q");
  for (const madeUp of ["__proto__", "constructor"])
    assert.equal(searchText(at(`entity_type=${madeUp}`)), madeUp);
});

/** Sentences, and what the explorer says that they may mean as well. */
const PLAIN = `
smith, john
physical therapist 10001 within 5 miles
cardiologist chicago
chicago cardiologist
john smith
smith
jones
dentist near chicago
cardiologist 60601
family doctor near 94110
cardiologist in texas
chicago
Chicago, IL
60601
smith houston
john smith chicago
maria garcia
garcia, maria
brown, robert
mayo clinic
mayo clinic rochester mn
hospitals in texas
urgent care near houston tx
pharmacy 78701
dentists in philly
texas
california
georgia
nyc
doctors near 60601
miami dentist
obgyn austin tx
psychologist seattle
boston
dr nguyen
physical therapist near tampa
portland
dentist md
kansas city
cardiologist
houston
st. louis mo
paris
`;
const AMBIGUOUS: readonly (readonly [string, readonly object[]])[] = [
  ["jackson", [{ city: "jackson" }]],
  ["washington", [{ city: "washington" }, { name: "washington" }]],
  ["LA", [{ state: "LA" }]],
  ["pa", [{ state: "PA" }]],
  ["new york", [{ state: "NY" }]],
  ["charlotte", [{ name: "charlotte" }]],
  ["virginia", [{ name: "virginia" }]],
  // Nicknames find many times as many.
  [
    "bill johnson",
    [{ first_name: "bill", last_name: "johnson", name_aliases: "true" }],
  ],
  // No one is found.
  [
    "jhon smith",
    [
      { name: "john smith" },
      { last_name: "smith" },
      { first_name: "j", last_name: "smith" },
    ],
  ],
  [
    "lee, kimm",
    [
      { last_name: "lee", first_name: "kim", name_aliases: "true" },
      { last_name: "lee" },
      { first_name: "k", last_name: "lee" },
    ],
  ],
];

test("a plain sentence has no alternatives, an ambiguous one those that are about as likely", async () => {
  using directory = await inventedDirectory();
  const shown = (typed: string) =>
    shownAlternatives(directory.explore.interpreter.interpret(typed)).map(
      ({ filters }) => filters,
    );
  const plain = PLAIN.trim().split("\n");
  assert.deepEqual(
    plain.flatMap((typed) => (shown(typed).length > 0 ? [typed] : [])),
    [],
  );
  for (const [typed, expected] of AMBIGUOUS)
    assert.deepEqual(shown(typed), expected, typed);
});
