import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressOf,
  asKind,
  changed,
  explorePath,
  isComplete,
  mapPath,
  questionAt,
  requestOf,
} from "../../../src/portal/explorer/question.ts";
import { readTypedText } from "../../../src/portal/explorer/typed-text.ts";

function at(query: string) {
  return questionAt(new URLSearchParams(query));
}

test("an address that says nothing asks for everybody", () => {
  const question = at("name=+&utm_source=mail");
  assert.equal(addressOf(question), "/");
  assert.equal(explorePath(question), "/explore/search");
  assert.deepEqual(requestOf(question), {
    path: "/v1/providers/search",
    query: [],
  });
});

test("parameters are the API's, in one order, so that equal questions have one address", () => {
  const question = at("state=IL&page=2&name=O%27Brien");
  assert.equal(addressOf(question), "/?name=O%27Brien&state=IL&page=2");
  assert.equal(addressOf(at("zip=62701")), "/?zip=62701");
});

test("a change begins at the first page, unless it is one of the page", () => {
  const question = at("name=smith&page=4");
  assert.equal(
    addressOf(changed(question, { state: "IL" })),
    "/?name=smith&state=IL",
  );
  assert.equal(
    addressOf(changed(question, { page: "5" })),
    "/?name=smith&page=5",
  );
  assert.equal(addressOf(changed(question, { name: "" })), "/");
});

test("a radius or a point makes it a question by distance, which has no name", () => {
  const question = at("zip=62701&radius=10&name=smith&specialty=dental&page=2");
  assert.equal(
    explorePath(question),
    "/explore/nearby?zip=62701&radius=10&specialty=dental&page=2",
  );
  assert.equal(
    mapPath(question),
    "/explore/map?zip=62701&radius=10&specialty=dental",
  );
  assert.equal(isComplete(question), true);
  assert.equal(isComplete(at("radius=10")), false);
  assert.equal(
    addressOf(at("lat=39.8&lng=-89.65")),
    "/?lat=39.8&lng=-89.65&radius=25",
  );
});

test("filters that both kinds have stay when the kind changes", () => {
  const question = at("name=smith&state=IL&specialty=dental&status=active");
  const nearby = asKind("nearby", question);
  assert.equal(addressOf(nearby), "/?specialty=dental&status=active&radius=25");
  assert.equal(
    addressOf(asKind("search", nearby, { zip: "62701" })),
    "/?zip=62701&specialty=dental&status=active",
  );
});

test("an NPI is told from a name, also in groups of digits", () => {
  for (const text of ["1234567893", " 1234 567-893 ", "123.456.7893"])
    assert.deepEqual(readTypedText(text), { kind: "npi", npi: "1234567893" });
  for (const text of ["smith", "911", "24 7 care", "", "1234567893 clinic"])
    assert.deepEqual(readTypedText(text), { kind: "name", name: text });
  for (const text of ["1234567890", "123456789", "12345678931"])
    assert.equal(readTypedText(text).kind, "no-npi");
});
