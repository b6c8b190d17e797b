import assert from "node:assert/strict";
import { test } from "node:test";
import {
  providerTitle,
  searchTitle,
  unknownNpiTitle,
  windowTitle,
} from "../../src/site/page-titles.ts";

const DOE = {
  npi: "1234567893",
  name: { first: "JANE", middle: null, last: "DOE", credential: "MD" },
  organization_name: null,
  status: "active",
  primary_taxonomy: { code: "207RC0000X", description: "Cardiology" },
  city: "CHICAGO",
  state: "IL",
} as const;

test("a provider's title has name, credential, specialty, and place, as far as they are known", () => {
  for (const [change, title] of [
    [{}, "Jane Doe, MD – Cardiology in Chicago, IL"],
    [{ city: null, state: null }, "Jane Doe, MD – Cardiology"],
    [{ primary_taxonomy: null }, "Jane Doe, MD – Provider in Chicago, IL"],
    [{ primary_taxonomy: null, city: null, state: null }, "Jane Doe, MD"],
    [{ status: "deactivated" }, "Jane Doe, MD – Deactivated"],
    [
      { name: null, organization_name: "DOE CLINIC" },
      "Doe Clinic – Cardiology in Chicago, IL",
    ],
    [{ name: null, status: "deactivated" }, "NPI 1234567893 – Deactivated"],
  ] as const)
    assert.equal(providerTitle({ ...DOE, ...change }), title);
  assert.equal(windowTitle("Sign in", "Clinic"), "Sign in – Clinic");
});

test("a window's title is one line, without characters that only format text", () => {
  const title = providerTitle({
    ...DOE,
    name: {
      ...DOE.name,
      first: "JA\u202eNE\u0007\u2066",
      last: "D\u200bOE\u001b",
    },
    city: "CHI\ufeffCAGO\u0000",
  });
  assert.match(
    windowTitle(title, "Clinic"),
    /^Jane Doe, MD – Cardiology in Chicago, IL – Clinic$/i,
  );
});

function specialtyOf(code: string): string | null {
  return code === "207RC0000X" ? "Cardiovascular Disease Physician" : null;
}

test("a search's title says who is searched for, and where", () => {
  for (const [query, title] of [
    ["", null],
    ["limit=50", null],
    ["status=active&limit=50", "Providers"],
    ["utm_source=mail", null],
    ["specialty=cardiologist&zip=60601&radius=25", "Cardiologists near 60601"],
    ["specialty=cardiology&city=Chicago&state=il", "Cardiology in Chicago, IL"],
    ["specialty=midwife", "Midwives"],
    ["specialty=ent+doctor&zip=60601&radius=25", "ENT doctors near 60601"],
    ["specialty=pt&city=dallas", "PT in Dallas"],
    ["specialty=ob-gyn", "OB-GYN"],
    ["specialty=Eye+doctor", "Eye doctors"],
    ["specialty=peds", "Peds"],
    ["specialty=x-ray", "X-ray"],
    ["specialty=Obstetrics+%26+Gynecology", "Obstetrics & Gynecology"],
    ["name=smith&state=IL&zip=60601", "“smith” in IL 60601"],
    ["first_name=jane&last_name=doe&page=2", "“jane doe”, page 2"],
    ["first_name=j&last_name=doe&middle_initial=Q", "“j Q doe”"],
    ["taxonomy=207RC0000X", "Cardiovascular Disease Physicians"],
    ["taxonomy=207RX0000X", "207RX0000X"],
    ["lat=41.9&lng=-87.6&name=smith", "“smith” nearby"],
    ["entity_type=organization&state=Ohio", "Organizations in Ohio"],
    ["zip=60601", "Providers in 60601"],
    ["organization=Mayo&specialty=radiology", "“Mayo”, Radiology"],
    ["name=%20%0A%00", null],
    ["state=IL&page=1e99", "Providers in IL"],
    ["entity_type=__proto__", "Providers"],
    ["entity_type=constructor&name=smith", "“smith”"],
  ] as const)
    assert.equal(searchTitle(new URLSearchParams(query), specialtyOf), title);
});

test("titles repeat only a part of long texts, and nothing of a false NPI", () => {
  const name = "𝒳".repeat(5_000);
  const title = searchTitle(new URLSearchParams({ name, city: name })) ?? "";
  assert.equal(Array.from(title).length, 60 + 1 + 2 + " in ".length + 60 + 1);
  assert.ok(title.isWellFormed());
  assert.equal(unknownNpiTitle("1234567890"), "NPI 1234567890 not found");
  assert.equal(unknownNpiTitle("<b>"), "NPI not found");
});
