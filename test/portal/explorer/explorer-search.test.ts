import assert from "node:assert/strict";
import { test } from "node:test";
import {
  searchHref,
  toKind,
  withChanges,
  listPath,
  isComplete,
  mapPath,
  parseSearch,
  sampleRequest,
} from "../../../src/portal/explorer/explorer-search.ts";
import { readTypedText } from "../../../src/portal/explorer/typed-text.ts";

function at(query: string) {
  return parseSearch(new URLSearchParams(query));
}

test("an address without parameters searches all providers", () => {
  const search = at("name=+&utm_source=mail");
  assert.equal(searchHref(search), "/");
  assert.equal(listPath(search), "/explore/search");
  assert.deepEqual(sampleRequest(search), {
    path: "/v1/providers/search",
    query: [],
  });
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
});

test("filters that both kinds have are kept when the kind changes", () => {
  const search = at("name=smith&state=IL&specialty=dental&status=active");
  const nearby = toKind("nearby", search);
  assert.equal(
    searchHref(nearby),
    "/?name=smith&specialty=dental&status=active&radius=25",
  );
  assert.equal(
    searchHref(toKind("search", nearby, { zip: "62701" })),
    "/?name=smith&zip=62701&specialty=dental&status=active",
  );
});

test("an NPI is distinguished from a name, also in groups of digits", () => {
  for (const text of [
    "1234567893",
    " 1234 567-893 ",
    "123.456.7893",
    '="1234567893"',
    "\u200B1234567893",
  ])
    assert.deepEqual(readTypedText(text), { kind: "npi", npi: "1234567893" });
  for (const text of ["smith", "911", "24 7 care", "", "1234567893 clinic"])
    assert.deepEqual(readTypedText(text), { kind: "name", name: text });
  for (const text of ["1234567890", "123456789", "12345678931"])
    assert.equal(readTypedText(text).kind, "no-npi");
});
