import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { RegistryParameters } from "../../../src/contract/npi-registry/parameters.ts";
import {
  parseRegistryRequest,
  type RegistryParsing,
} from "../../../src/http/registry-api/parse-request.ts";
import { check } from "../../support/pure/arbitrary/check.ts";

const MAX_SKIP = 1_000;
const NAMES = Object.keys(RegistryParameters.properties);

function parse(parameters: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ version: "2.1", ...parameters });
  return parseRegistryRequest(query.toString(), MAX_SKIP);
}

/** Number and field of each error. */
function errorsOf(parameters: Readonly<Record<string, string>>): string[] {
  return parse(parameters).errors.map(
    ({ field, number }) => `${number} ${field}`,
  );
}

function requestOf(parameters: Readonly<Record<string, string>>) {
  return requestOfParsing(parse(parameters));
}

function requestOfParsing({ errors, request }: RegistryParsing) {
  assert.deepEqual(errors, []);
  assert.ok(request !== null);
  // Without members that are undefined.
  const given: typeof request = JSON.parse(JSON.stringify(request));
  return given;
}

suite("parameters of the registry's API", () => {
  test("errors have the registry's numbers and texts", () => {
    for (const [parameters, number, field, description] of [
      [{ version: "" }, "17", "version", "Unsupported Version"],
      [{ version: "1.0" }, "17", "version", "Unsupported Version"],
      [{ version: "2.0", number: "1" }, "17", "version", "Unsupported Version"],
      [{}, "04", "generic", "No valid search criteria provided"],
      [
        { limit: "5", address_purpose: "MAILING" },
        "04",
        "generic",
        "No valid search criteria provided",
      ],
      [{ number: "123" }, "06", "number", "NPI must be 10 digits"],
      [
        { last_name: "s*" },
        "03",
        "last_name",
        "Wildcards require at least two leading characters",
      ],
      [
        { enumeration_type: "NPI-3", last_name: "smith" },
        "05",
        "enumeration_type",
        "Field contains special character(s) or wrong number of characters",
      ],
      [
        { state: "CA" },
        "07",
        "state",
        "Field state requires additional search criteria",
      ],
      [
        { country_code: "us" },
        "07",
        "country_code",
        "Field country_code requires additional search criteria",
      ],
      [
        { enumeration_type: "NPI-1" },
        "09",
        "enumeration_type",
        "Enumeration_type requires additional search criteria",
      ],
    ] as const)
      assert.deepEqual(parse(parameters).errors, [
        { description, field, number },
      ]);
  });

  test("a postal code has at least two letters, digits, spaces, and hyphens", () => {
    for (const postal_code of ["10", "90210-1234", "M5V 3K3", "m5v*"])
      assert.deepEqual(parse({ postal_code }).errors, [], postal_code);
    for (const postal_code of ["1", "9021.0", "9021_0", "é10", "1,0", "--"]) {
      const [error] = parse({ postal_code }).errors;
      assert.equal(error?.number, "05", postal_code);
    }
  });

  test("several errors come together, by number, then in the order of the parameters", () => {
    assert.deepEqual(errorsOf({ enumeration_type: "NPI-2", state: "OH" }), [
      "07 state",
      "09 enumeration_type",
    ]);
    assert.deepEqual(
      errorsOf({
        skip: "-1",
        city: "a*",
        number: "12",
        first_name: "<b>",
        last_name: "x*",
      }),
      ["03 last_name", "03 city", "05 first_name", "05 skip", "06 number"],
    );
  });

  test("blank parameters are absent, unknown ones are ignored, and the first of repeated ones counts", () => {
    const all = Object.fromEntries(NAMES.map((name) => [name, " "]));
    const only = { ...all, version: "2.1", number: "1234567893" };
    assert.deepEqual(requestOf(only), requestOf({ number: "1234567893" }));
    assert.deepEqual(
      requestOfParsing(
        parseRegistryRequest(
          "version=2.1&city=&city=Reno&city=%3C&callback=x&_=1&limit=7&limit=8",
          MAX_SKIP,
        ),
      ),
      {
        query: {
          place: { purpose: null, city: { text: "Reno", isPrefix: false } },
          limit: 7,
          skip: 0,
        },
      },
    );
  });

  test("every parameter has its meaning", () => {
    assert.deepEqual(
      requestOf({
        number: "1234567893",
        enumeration_type: "npi-2",
        taxonomy_description: "Clinic/Center, Dental",
        name_purpose: "ao",
        first_name: "Jo*",
        last_name: "O'Brien-Smith (Jr.)",
        organization_name: "Smile @ Home, Inc. #1",
        address_purpose: "Secondary",
        city: "Fort*",
        state: "ca",
        postal_code: "90210-12*",
        country_code: "us",
        limit: "300",
        skip: "1000",
      }),
      {
        query: {
          number: "1234567893",
          enumerationType: "organization",
          organizationName: { text: "Smile @ Home, Inc. #1", isPrefix: false },
          names: {
            purpose: "official",
            first: { text: "Jo", isPrefix: true },
            last: { text: "O'Brien-Smith (Jr.)", isPrefix: false },
            useAliases: false,
          },
          place: {
            purpose: "secondary",
            city: { text: "Fort", isPrefix: true },
            state: "CA",
            postalCode: { text: "90210-12", isPrefix: true },
            country: "US",
          },
          limit: 200,
          skip: 1000,
        },
        taxonomy: { text: "Clinic/Center, Dental", isPrefix: false },
      },
    );
  });

  test("answers are indented unless pretty is blank or says no", () => {
    for (const [pretty, expected] of [
      ["", false],
      ["false", false],
      ["Off", false],
      ["0", false],
      ["true", true],
      ["on", true],
      ["True", true],
    ] as const) {
      assert.equal(parse({ pretty }).isPretty, expected);
      assert.equal(parse({ pretty, version: "1" }).isPretty, expected);
      assert.equal(parse({ pretty, city: "Reno" }).isPretty, expected);
    }
  });

  test("aliases are on unless they are turned off or the name ends with a wildcard", () => {
    for (const [parameters, useAliases] of [
      [{ first_name: "Bob" }, true],
      [{ first_name: "Bob", use_first_name_alias: "" }, true],
      [{ first_name: "Bob", use_first_name_alias: "True" }, true],
      [{ first_name: "Bob", use_first_name_alias: "false" }, false],
      [{ first_name: "Bob*" }, false],
      [{ first_name: "Bob*", use_first_name_alias: "true" }, false],
    ] as const)
      assert.equal(requestOf(parameters).query.names?.useAliases, useAliases);
    assert.deepEqual(
      errorsOf({ first_name: "Bob", use_first_name_alias: "maybe" }),
      ["05 use_first_name_alias"],
    );
  });

  test("limit and skip are adjusted or refused as by the registry", () => {
    const city = "Reno";
    for (const [given, limit] of [
      ["", 10],
      ["0", 10],
      ["000", 10],
      ["1", 1],
      ["200", 200],
      ["201", 200],
      ["9".repeat(100), 200],
    ] as const)
      assert.equal(requestOf({ city, limit: given }).query.limit, limit);
    for (const wrong of ["-1", "1.5", "1e2", "x", "0x1"]) {
      assert.deepEqual(errorsOf({ city, limit: wrong }), ["05 limit"]);
      assert.deepEqual(errorsOf({ city, skip: wrong }), ["05 skip"]);
    }
    assert.equal(requestOf({ city, skip: "1000" }).query.skip, 1000);
    assert.deepEqual(errorsOf({ city, skip: "1001" }), ["05 skip"]);
    assert.deepEqual(errorsOf({ city, skip: "9".repeat(100) }), ["05 skip"]);
    const deep = parseRegistryRequest(
      "version=2.1&city=Reno&skip=1001",
      1_000_000,
    );
    assert.equal(deep.request?.query.skip, 1001);
  });

  test("texts of any length cost little and are refused above 100 characters", () => {
    const city = "Reno";
    for (const name of [
      "taxonomy_description",
      "first_name",
      "last_name",
      "organization_name",
      "city",
      "postal_code",
    ]) {
      const long = { city, [name]: "a".repeat(101) };
      assert.deepEqual(errorsOf(long), [`05 ${name}`]);
      assert.deepEqual(errorsOf({ city, [name]: "a".repeat(100) }), []);
      assert.deepEqual(errorsOf({ city, [name]: "a".repeat(1e6) }), [
        `05 ${name}`,
      ]);
      assert.deepEqual(errorsOf({ city, [name]: "*" }), [`03 ${name}`]);
      assert.deepEqual(errorsOf({ city, [name]: "**" }), [`03 ${name}`]);
      assert.deepEqual(errorsOf({ city, [name]: "ab**" }), []);
      assert.deepEqual(errorsOf({ city, [name]: "a*b" }), [`05 ${name}`]);
    }
  });

  test("they mean what an independent reading of the table says", async () => {
    await check(
      20_000,
      fc.record(VALUES, { requiredKeys: [] }),
      async (parameters) => {
        assert.deepEqual(errorsOf(parameters), expectedErrors(parameters));
      },
    );
  });
});

const text = (...more: readonly string[]) =>
  fc.constantFrom(
    "",
    "  ",
    "Smith",
    " o'brien ",
    "Sm*",
    "s*",
    "*",
    "s *",
    "sm**",
    "a*b",
    "&",
    "a&b:c,d/e-f.g#h\"i;j'k(l)",
    "<i>",
    "x_y",
    "50%",
    "a@b",
    "José",
    ...more,
  );

/** Values of each parameter, right and wrong ones. */
const VALUES = {
  number: fc.constantFrom("", "1234567893", "1234567890", "123", "12345678901"),
  enumeration_type: fc.constantFrom("", "NPI-1", "NPI-2", "npi-1", "NPI-3"),
  taxonomy_description: text(),
  name_purpose: fc.constantFrom("", "AO", "Provider", "Owner"),
  first_name: text(),
  use_first_name_alias: fc.constantFrom("", "True", "FALSE", "1"),
  last_name: text(),
  organization_name: text(),
  address_purpose: fc.constantFrom("", "location", "MAILING", "HOME"),
  city: text("APO"),
  state: fc.constantFrom("", "CA", "ca", "C", "CAL", "C*", "1A"),
  postal_code: fc.constantFrom(
    "",
    "90210",
    "902101234",
    "9*",
    "90*",
    "9",
    "K1A 0B1",
    "9!",
  ),
  country_code: fc.constantFrom("", "US", "us", "CA", "USA", "U*"),
  limit: fc.constantFrom("", "0", "10", "500", "-5", "ten"),
  skip: fc.constantFrom("", "0", "1000", "1001", "-5", "ten"),
  pretty: fc.constantFrom("", "true", "false"),
};

/** A parameter's place among all. */
function placeOf(field: string): number {
  return NAMES.indexOf(field);
}

/** The table of the registry's documentation, read again. */
function expectedErrors(
  parameters: Readonly<Record<string, string>>,
): string[] {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value.trim() !== "") given[name] = value.trim();
  const has = (name: string) => name in given;
  const errors: [number: string, field: string][] = [];
  const isOneOf = (name: string, words: readonly string[]) => {
    if (has(name) && !words.includes(given[name]!.toLowerCase()))
      errors.push(["05", name]);
  };
  for (const name of NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    switch (name) {
      case "number":
        if (value.length !== 10) errors.push(["06", name]);
        break;
      case "enumeration_type":
        isOneOf(name, ["npi-1", "npi-2"]);
        break;
      case "name_purpose":
        isOneOf(name, ["ao", "provider"]);
        break;
      case "use_first_name_alias":
        isOneOf(name, ["true", "false"]);
        break;
      case "address_purpose":
        isOneOf(name, ["location", "mailing", "primary", "secondary"]);
        break;
      case "state":
      case "country_code":
        if (!/^[a-z][a-z]$/i.test(value)) errors.push(["05", name]);
        break;
      case "limit":
        if (["-5", "ten"].includes(value)) errors.push(["05", name]);
        break;
      case "skip":
        if (["-5", "ten", "1001"].includes(value)) errors.push(["05", name]);
        break;
      case "version":
      case "pretty":
        break;
      default: {
        const before = value.replace(/\s*\*+$/, "");
        const signs = name === "organization_name" ? /[*<>_%]/ : /[*<>_%@]/;
        if (before !== value && before.length < 2) errors.push(["03", name]);
        else if (
          signs.test(before) ||
          before === "&" ||
          (name === "postal_code" && (before.length < 2 || before === "9!"))
        )
          errors.push(["05", name]);
      }
    }
  }
  const suffices = [
    "number",
    "taxonomy_description",
    "first_name",
    "last_name",
    "organization_name",
    "city",
    "postal_code",
  ].some(has);
  if (!suffices) {
    const isUs = given["country_code"]?.toLowerCase() === "us";
    const isAbroad = has("country_code") && !isUs;
    if (has("state")) errors.push(["07", "state"]);
    if (isUs) errors.push(["07", "country_code"]);
    if (has("enumeration_type") && !isAbroad)
      errors.push(["09", "enumeration_type"]);
    if (!has("state") && !has("country_code") && !has("enumeration_type"))
      errors.push(["04", "generic"]);
  }
  return errors
    .toSorted(
      ([a, fieldA], [b, fieldB]) =>
        Number(a) - Number(b) || placeOf(fieldA) - placeOf(fieldB),
    )
    .map(([number, field]) => `${number} ${field}`);
}
