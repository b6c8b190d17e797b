import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite, test } from "node:test";
import {
  parseTaxonomy,
  readTaxonomyFile,
} from "../../src/reference/taxonomy-table.ts";
import {
  recordedAnswers,
  recordedProviders,
  rowsOfRecorded,
} from "../support/pure/registry-api/recorded-answers.ts";
import { ENDPOINT_COLUMNS } from "../support/pure/reference/reference-details.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import {
  FAMILY,
  FULL_PERIOD,
  WIDENED,
} from "../support/pure/registry/widened-registry.ts";

const NUCC = new URL(
  "../../../shared/data/taxonomy/nucc_taxonomy_251.csv",
  import.meta.url,
);
const DOCS = new URL("../../docs/npi-registry-api.md", import.meta.url);

const GROUPED = parseTaxonomy(
  Buffer.from(
    [
      "Code,Grouping,Classification,Specialization,Display Name",
      "207Q00000X,Physicians,Family Medicine,,Family Physician",
      "363L00000X,Nursing Providers,Nurse Practitioner,,Nurse Practitioner",
      "363LF0000X,Nursing Providers,Nurse Practitioner,Family,Family Nurse",
    ].join("\n"),
  ),
  "a test",
);
/** A row of the endpoints file, but for the NPI. */
const ENDPOINT: Readonly<Record<string, string>> = {
  "Endpoint Type": "DIRECT",
  "Endpoint Type Description": "Direct Messaging Address",
  Endpoint: "pat@direct.example",
  Affiliation: "Y",
  "Endpoint Description": "MAIL",
  "Affiliation Legal Business Name": "INVENTED CLINIC",
  "Use Code": "DIRECT",
  "Use Description": "Direct",
  "Other Use Description": "CARE",
  "Content Type": "OTHER",
  "Content Description": "Other",
  "Other Content Description": "LETTERS",
  "Affiliation Address Line One": "2 INVENTED WAY",
  "Affiliation Address City": "CHICAGO",
  "Affiliation Address State": "IL",
  "Affiliation Address Country": "US",
  "Affiliation Address Postal Code": "60601-0001",
};

type Shown = Record<string, unknown>;

/**
 * Changes an answer of 2019 to what the registry's API and this service show today, and says so in the documentation.
 */
interface Difference {
  readonly says: string;
  readonly change: (provider: Shown) => void;
}

/** A value that must be an object. */
function shownOf(value: unknown): Shown {
  assert.ok(isShown(value));
  return value;
}

function isShown(value: unknown): value is Shown {
  return value !== null && typeof value === "object";
}

function each(list: unknown, change: (member: Shown) => void): void {
  if (Array.isArray(list)) for (const member of list) change(shownOf(member));
}

function rename(member: Shown, from: string, to: string): void {
  if (!(from in member)) return;
  member[to] = member[from];
  delete member[from];
}

function withoutBlanks(member: Shown): void {
  for (const [name, value] of Object.entries(member))
    if (value === "") delete member[name];
}

function basic(provider: Shown): Shown {
  return shownOf(provider["basic"]);
}

/** The table of the documentation, in its order. */
function differencesOf(describe: (desc: string) => string): Difference[] {
  return [
    {
      says: "`number` and the epochs are strings",
      change(provider) {
        for (const name of ["number", "created_epoch", "last_updated_epoch"])
          provider[name] = String(provider[name]);
      },
    },
    {
      says: "Epochs are milliseconds",
      change(provider) {
        const { enumeration_date: created, last_updated: updated } =
          basic(provider);
        provider["created_epoch"] = String(Date.parse(String(created)));
        provider["last_updated_epoch"] = String(Date.parse(String(updated)));
      },
    },
    {
      says: "`gender` is `sex`",
      change: (provider) => rename(basic(provider), "gender", "sex"),
    },
    {
      says: "`basic.name`, `reactivation_date` and `deactivation_date` no longer exist",
      change: (provider) => delete basic(provider)["name"],
    },
    {
      says: "`reactivation_date` and `deactivation_date` no longer exist",
      change(provider) {
        delete basic(provider)["reactivation_date"];
        delete basic(provider)["deactivation_date"];
      },
    },
    {
      says: "The telephone number of an authorized official is as published",
      change(provider) {
        const name = "authorized_official_telephone_number";
        const number = basic(provider)[name];
        if (typeof number === "string")
          basic(provider)[name] = number.replaceAll("-", "");
      },
    },
    {
      says: "A member without a value is absent",
      change(provider) {
        withoutBlanks(basic(provider));
        for (const list of ["addresses", "practiceLocations", "other_names"])
          each(provider[list], withoutBlanks);
      },
    },
    {
      says: "The `license` and `state` of a taxonomy, and the `issuer` and `state` of an identifier, are null",
      change(provider) {
        each(provider["taxonomies"], (slot) => {
          slot["license"] ||= null;
          slot["state"] ||= null;
        });
        each(provider["identifiers"], (identifier) => {
          identifier["issuer"] ||= null;
          identifier["state"] ||= null;
        });
      },
    },
    {
      says: "`endpoints` and `practiceLocations` are always there",
      change(provider) {
        provider["endpoints"] ??= [];
        provider["practiceLocations"] ??= [];
      },
    },
    {
      says: "`practiceLocations` have an `address_purpose` and no `update_date`",
      change(provider) {
        each(provider["practiceLocations"], (at) => {
          delete at["update_date"];
          at["address_purpose"] = "LOCATION";
        });
      },
    },
    {
      says: "The state of a U.S. address is two letters",
      change(provider) {
        for (const list of ["addresses", "practiceLocations"])
          each(provider[list], (at) => {
            if (
              at["state"] === "GEORGIA" &&
              ["US", "UM"].includes(String(at["country_code"]))
            )
              at["state"] = "GA";
          });
      },
    },
    {
      says: "`desc` of a taxonomy has a comma between classification and specialization",
      change(provider) {
        each(provider["taxonomies"], (slot) => {
          slot["desc"] = describe(String(slot["desc"]));
        });
      },
    },
    {
      says: "`taxonomy_group` is always there",
      change(provider) {
        each(provider["taxonomies"], (slot) => {
          const { taxonomy_group: group = "" } = slot;
          const code = typeof group === "string" ? group.slice(0, 10) : "";
          slot["taxonomy_group"] =
            {
              "193200000X": "193200000X - Multi-Specialty Group",
              "193400000X": "193400000X - Single Specialty Group",
            }[code] ?? "";
        });
      },
    },
    {
      says: "`desc` of an identifier of type 01 is `Other (non-Medicare)`",
      change(provider) {
        each(provider["identifiers"], (identifier) => {
          if (identifier["code"] === "01")
            identifier["desc"] = "Other (non-Medicare)";
        });
      },
    },
  ];
}

/** Without members that JSON leaves out. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function membersAreSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(membersAreSorted);
  if (value === null || typeof value !== "object") return true;
  const names = Object.keys(value);
  return (
    names.every((name, at) => at === 0 || names[at - 1]! < name) &&
    Object.values(value).every(membersAreSorted)
  );
}

suite("records of the registry's API", () => {
  test("are what the registry answered, but for the documented differences", async (t) => {
    const answers = recordedAnswers();
    if (answers === null || !existsSync(NUCC))
      return t.skip("the folder of the registry's own answers is not there");
    const table = readTaxonomyFile(fileURLToPath(NUCC));
    const descriptions = new Map(
      Array.from(table.rows(), ({ classification, specialization }) => [
        `${classification} ${specialization}`,
        `${classification}, ${specialization}`,
      ]),
    );
    const providers = recordedProviders(answers);
    assert.ok(providers.length > 30);
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, rowsOfRecorded(providers), {
      taxonomy: { table, source: "NUCC" },
    });
    using directory = registry.directory();
    const differences = differencesOf((desc) => descriptions.get(desc) ?? desc);
    const docs = readFileSync(DOCS, "utf8").replace(/\s+/g, " ");
    for (const { says } of differences) assert.ok(docs.includes(says), says);
    for (const provider of providers) {
      const found = directory.lookup.find(String(provider.number));
      assert.ok(found !== null);
      const shown = directory.registry.of(found.doc);
      assert.ok(membersAreSorted(asJson(shown)));
      const expected = shownOf(asJson(provider));
      for (const { change } of differences) change(expected);
      assert.deepEqual(asJson(shown), expected);
    }
  });

  test("show endpoints, addresses of all kinds, and officials", async () => {
    using registry = new SmallRegistry();
    const [npi, clinic, base] = [npiOf(1), npiOf(2), npiOf(3)];
    await importZip(registry, FULL_PERIOD, {
      rows: [
        {
          ...person(1, { country: "FR", state: "PARIS", postalCode: "75-001" }),
          "Provider Business Practice Location Address Telephone Number":
            "+33 1 23",
          "Certification Date": "05/06/2024",
          "Is Sole Proprietor": "X",
          "Provider Sex Code": "F",
          "Provider Name Suffix Text": "--",
        },
        {
          ...person(2, { entityType: "2", organization: "INVENTED CLINIC" }),
          "Authorized Official First Name": "SAM",
          "Authorized Official Telephone Number": "3125550100",
          "Is Organization Subpart": "Y",
          "Parent Organization LBN": "INVENTED HOLDING",
        },
        {
          ...person(3, { state: "AE", city: "APO", postalCode: "09012-0001" }),
          "Other Provider Identifier_2": "X1",
          "Other Provider Identifier Type Code_2": "99",
        },
      ],
      otherNames: [],
      locations: [],
      endpoints: [
        Object.fromEntries(
          ENDPOINT_COLUMNS.map((column) => [
            column,
            column === "NPI" ? npi : (ENDPOINT[column] ?? ""),
          ]),
        ),
      ],
    });
    using directory = registry.directory();
    const shown = (of: string): Shown => {
      const record = shownOf(
        asJson(directory.registry.of(directory.lookup.find(of)?.doc ?? -1)),
      );
      assert.ok(membersAreSorted(record));
      return record;
    };
    const abroad = shown(npi);
    assert.deepEqual(abroad["addresses"], [
      {
        address_1: "1 INVENTED WAY",
        address_purpose: "LOCATION",
        address_type: "FGN",
        city: "CHICAGO",
        country_code: "FR",
        country_name: "France",
        postal_code: "75-001",
        state: "PARIS",
        telephone_number: "+33 1 23",
      },
    ]);
    assert.deepEqual(abroad["endpoints"], [
      {
        address_1: "2 INVENTED WAY",
        address_type: "DOM",
        affiliation: "Y",
        affiliationName: "INVENTED CLINIC",
        city: "CHICAGO",
        contentOtherDescription: "LETTERS",
        contentType: "OTHER",
        contentTypeDescription: "Other",
        country_code: "US",
        country_name: "United States",
        endpoint: "pat@direct.example",
        endpointDescription: "MAIL",
        endpointType: "DIRECT",
        endpointTypeDescription: "Direct Messaging Address",
        postal_code: "606010001",
        state: "IL",
        use: "DIRECT",
        useDescription: "Direct",
        useOtherDescription: "CARE",
      },
    ]);
    assert.deepEqual(abroad["basic"], {
      certification_date: "2024-05-06",
      enumeration_date: "2010-05-01",
      first_name: "PAT",
      last_name: "EXAMPLE",
      last_updated: "2024-01-02",
      sex: "F",
      sole_proprietor: "X",
      status: "A",
    });
    assert.equal(abroad["created_epoch"], "1272672000000");
    assert.deepEqual(shown(clinic)["basic"], {
      authorized_official_first_name: "SAM",
      authorized_official_telephone_number: "3125550100",
      enumeration_date: "2010-05-01",
      last_updated: "2024-01-02",
      organization_name: "INVENTED CLINIC",
      organizational_subpart: "YES",
      parent_organization_legal_business_name: "INVENTED HOLDING",
      status: "A",
    });
    const military = shown(base);
    each(military["addresses"], (address) => {
      assert.equal(address["address_type"], "MIL");
      assert.equal(address["postal_code"], "090120001");
    });
    assert.deepEqual(military["identifiers"], [
      { code: "99", desc: null, identifier: "X1", issuer: null, state: null },
    ]);
  });

  test("have empty texts for no sex, and for an endpoint's missing descriptions of use and content", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, {
      rows: [person(1)],
      otherNames: [],
      locations: [],
      endpoints: [
        {
          ...Object.fromEntries(ENDPOINT_COLUMNS.map((column) => [column, ""])),
          NPI: npiOf(1),
          "Endpoint Type": "DIRECT",
          Endpoint: "pat@direct.example",
        },
      ],
    });
    using directory = registry.directory();
    const { doc = -1 } = directory.lookup.find(npiOf(1)) ?? {};
    const shown = shownOf(asJson(directory.registry.of(doc)));
    assert.deepEqual(shown["endpoints"], [
      {
        contentTypeDescription: "",
        endpoint: "pat@direct.example",
        endpointType: "DIRECT",
        useDescription: "",
      },
    ]);
    assert.deepEqual(basic(shown), {
      enumeration_date: "2010-05-01",
      first_name: "PAT",
      last_name: "EXAMPLE",
      last_updated: "2024-01-02",
      sex: "",
      status: "A",
    });
  });

  test("lack the members of parts that are not stored", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, WIDENED, { details: new Set() });
    using directory = registry.directory();
    const { doc = -1 } = directory.lookup.find(npiOf(1)) ?? {};
    assert.deepEqual(asJson(directory.registry.of(doc)), {
      addresses: [
        {
          address_1: "1 INVENTED WAY",
          address_purpose: "LOCATION",
          address_type: "DOM",
          city: "CHICAGO",
          country_code: "US",
          country_name: "United States",
          postal_code: "606010001",
          state: "IL",
        },
      ],
      basic: {
        enumeration_date: "2010-05-01",
        first_name: "PAT",
        last_name: "EXAMPLE",
        last_updated: "2024-01-02",
        status: "A",
      },
      created_epoch: "1272672000000",
      enumeration_type: "NPI-1",
      last_updated_epoch: "1704153600000",
      number: npiOf(1),
      taxonomies: [
        { code: FAMILY, desc: "Family Medicine Physician", primary: true },
      ],
    });
  });

  test("are described, and found, by classification and specialization", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [person(1)], {
      taxonomy: { table: GROUPED, source: "a test" },
    });
    using directory = registry.directory();
    const { taxonomies } = directory.registry;
    assert.equal(taxonomies.of(FAMILY), "Family Medicine");
    assert.equal(taxonomies.of("363lf0000x"), "Nurse Practitioner, Family");
    assert.equal(taxonomies.of("999X00000X"), null);
    const codes = (text: string) =>
      taxonomies
        .codesOf(
          text.endsWith("*")
            ? { text: text.slice(0, -1), isPrefix: true }
            : { text, isPrefix: false },
        )
        .toSorted();
    for (const [text, expected] of [
      ["family medicine", [FAMILY]],
      ["FAMILY", ["363LF0000X"]],
      ["Nurse Practitioner", ["363L00000X", "363LF0000X"]],
      ["Nurse Practitioner, Family", ["363LF0000X"]],
      ["fam*", [FAMILY, "363LF0000X"]],
      ["Nurse Practitioner, Fam*", ["363LF0000X"]],
      ["Nurse", []],
      ["practitioner*", []],
      ["Family Physician", []],
      ["Nurs/Pract, Fami", ["363LF0000X"]],
      ["nurse pract*", ["363L00000X", "363LF0000X"]],
      ["Nur Practitioner", []],
      ["Nursery Practitioner", []],
      [FAMILY, []],
    ] as const)
      assert.deepEqual(codes(text), expected, text);
  });

  test("are found by the registry's own texts, which abbreviate words of NUCC's", async (t) => {
    if (!existsSync(NUCC))
      return t.skip("NUCC's table is not there (../shared)");
    using registry = new SmallRegistry();
    const table = readTaxonomyFile(fileURLToPath(NUCC));
    await registry.import(FULL, [person(1)], {
      taxonomy: { table, source: "a test" },
    });
    using directory = registry.directory();
    const { taxonomies } = directory.registry;
    const codes = (text: string) =>
      taxonomies.codesOf({ text, isPrefix: false });
    const psychiatric = "Nurse Practitioner, Psych/Mental Health";
    assert.deepEqual(codes(psychiatric), ["363LP0808X"]);
    let abbreviated = 0;
    for (const { code } of table.rows()) {
      const text = taxonomies.of(code) ?? "";
      assert.ok(codes(text).includes(code), text);
      const short = text
        .replace("Psychiatric/", "Psych/")
        .replace("Specialist/Technologist", "Spec/Tech")
        .replace("Information", "Info");
      if (short === text) continue;
      abbreviated++;
      assert.deepEqual(codes(short), codes(text), short);
    }
    assert.ok(abbreviated > 30, String(abbreviated));
  });
});
