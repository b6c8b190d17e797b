import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Address } from "../../../../src/contract/details.ts";
import type { Provider } from "../../../../src/contract/provider.ts";
import { inventedNpi } from "../registry/invented-npi.ts";
import {
  rawRow,
  type RowValues,
  type TaxonomySlot,
} from "../registry/raw-row.ts";
import { readRow } from "./reference-provider.ts";

const NPI = inventedNpi(123_456_789);
const TAXONOMY = new Map([["101Y00000X", "Family Medicine Physician"]]);
const NOTHING = { code: "", primary: "" };

describe("a usable row", () => {
  it("has an NPI of ten digits with the right check digit, outer spaces aside", () => {
    assert.equal(NPI, "1234567893");
    assert.equal(read({ npi: ` ${NPI} ` }).npi, NPI);
    for (const npi of [
      "1234567890",
      "123456789",
      "12345678933",
      "123456789A",
      "",
      "--",
    ]) {
      assert.deepEqual(readRow(rawRow({ npi, entityType: "1" }), TAXONOMY), {
        kind: "unusable",
        reason: "bad NPI",
      });
    }
  });

  it("is of entity type 1 or 2, or has a deactivation in force", () => {
    const bad = { kind: "unusable", reason: "bad entity type" };
    for (const entityType of ["", "0", "3", "--", "12"]) {
      assert.deepEqual(
        readRow(rawRow({ npi: NPI, entityType }), TAXONOMY),
        bad,
      );
      assert.equal(
        read({ entityType, deactivationDate: "01/02/2020" }).status,
        "deactivated",
      );
    }
    const undone = {
      entityType: "",
      deactivationDate: "01/02/2020",
      reactivationDate: "01/02/2020",
    };
    assert.deepEqual(readRow(rawRow({ npi: NPI, ...undone }), TAXONOMY), bad);
  });
});

describe("a record", () => {
  it("has a name object for individuals, an organization name for organizations, never both", () => {
    const values = {
      first: "ANN",
      middle: "B",
      last: "SMITH",
      credential: "M.D.",
      organization: "CLINIC",
    };
    const individual = read(values);
    assert.equal(individual.entity_type, "individual");
    assert.deepEqual(individual.name, {
      first: "ANN",
      middle: "B",
      last: "SMITH",
      credential: "M.D.",
    });
    assert.equal(individual.organization_name, null);
    const organization = read({ ...values, entityType: "2" });
    assert.equal(organization.entity_type, "organization");
    assert.equal(organization.name, null);
    assert.equal(organization.organization_name, "CLINIC");
  });

  it("has values as published: outer spaces trimmed, inner spaces kept, the postal code as it is", () => {
    const values = {
      first: "  ANN  MARIE ",
      last: "de la Cruz",
      postalCode: "606013456",
      address1: "1 MAIN\tST",
      city: "st. louis",
    };
    const record = read(values);
    assert.equal(record.name?.first, "ANN  MARIE");
    assert.equal(record.name?.last, "de la Cruz");
    assert.equal(record.practice_address?.postal_code, "606013456");
    assert.equal(record.practice_address?.address_1, "1 MAIN\tST");
    assert.equal(record.practice_address?.city, "st. louis");
    assert.equal(
      read({ postalCode: "60601-3456" }).practice_address?.postal_code,
      "60601-3456",
    );
  });

  it("has null for blank and masked values", () => {
    for (const last of [
      "",
      "   ",
      "<UNAVAIL>",
      " <UNAVAIL> ",
      "-",
      "--",
      "_",
      "=====",
      "***",
      "$",
      "#",
      ".",
      "- = #",
    ]) {
      assert.equal(read({ last }).name?.last, null, JSON.stringify(last));
    }
  });

  it("treats NONE, N/A, XXX and anything with a letter or digit as values", () => {
    for (const last of [
      "NONE",
      "N/A",
      "XXX",
      "-1-",
      "0",
      "/",
      "<UNAVAILABLE>",
    ]) {
      assert.equal(read({ last }).name?.last, last);
    }
  });

  it("has ISO dates, and null for impossible ones", () => {
    assert.equal(
      read({ enumerationDate: "05/23/2005" }).enumeration_date,
      "2005-05-23",
    );
    assert.equal(
      read({ lastUpdated: " 02/29/2024 " }).last_updated,
      "2024-02-29",
    );
    for (const lastUpdated of [
      "",
      "--",
      "02/30/2024",
      "13/01/2024",
      "2024-01-02",
      "1/2/2024",
      "00/00/0000",
    ]) {
      assert.equal(
        read({ lastUpdated }).last_updated,
        null,
        JSON.stringify(lastUpdated),
      );
    }
  });
});

describe("the status", () => {
  it("is active without a deactivation, and with a reactivation on or after it", () => {
    for (const reactivationDate of ["01/02/2020", "01/03/2020"]) {
      const record = read({ deactivationDate: "01/02/2020", reactivationDate });
      assert.deepEqual(
        [record.status, record.deactivation_date],
        ["active", null],
      );
    }
    assert.equal(read({}).status, "active");
    assert.equal(read({ reactivationDate: "01/03/2020" }).status, "active");
  });

  it("is deactivated with details shown when a full row's reactivation is older than its deactivation", () => {
    const record = read({
      last: "SMITH",
      deactivationDate: "01/02/2020",
      reactivationDate: "12/31/2019",
    });
    assert.deepEqual(
      [record.status, record.deactivation_date, record.name?.last],
      ["deactivated", "2020-01-02", "SMITH"],
    );
  });

  it("is deactivated with everything else null if the registry publishes only the NPI and the date", () => {
    assert.deepEqual(read({ entityType: "", deactivationDate: "01/02/2020" }), {
      npi: NPI,
      entity_type: null,
      name: null,
      organization_name: null,
      status: "deactivated",
      enumeration_date: null,
      last_updated: null,
      deactivation_date: "2020-01-02",
      primary_taxonomy: null,
      practice_address: null,
    });
  });
});

describe("the primary taxonomy", () => {
  it("is the slot whose switch is Y", () => {
    const other = { code: "102Y00000X", primary: "N" };
    assert.equal(
      taxonomy([other, { code: "101Y00000X", primary: "Y" }])?.code,
      "101Y00000X",
    );
    const fifteenth = Array.from({ length: 15 }, (_, slot) => ({
      code: "102Y00000X",
      primary: slot === 14 ? "Y" : "N",
    }));
    fifteenth[14] = { code: "101Y00000X", primary: "Y" };
    assert.equal(taxonomy(fifteenth)?.code, "101Y00000X");
  });

  it("is the first slot filled when no filled slot has a Y", () => {
    const slots = [
      NOTHING,
      { code: "--", primary: "N" },
      { code: "102Y00000X", primary: "X" },
      { code: "101Y00000X", primary: "N" },
    ];
    assert.equal(taxonomy(slots)?.code, "102Y00000X");
    assert.equal(
      taxonomy([
        { code: "", primary: "Y" },
        { code: "101Y00000X", primary: "N" },
      ])?.code,
      "101Y00000X",
    );
  });

  it("is null when all slots are blank or masked", () => {
    assert.equal(taxonomy([]), null);
    assert.equal(
      taxonomy([
        { code: "<UNAVAIL>", primary: "Y" },
        { code: "  ", primary: "N" },
      ]),
      null,
    );
  });

  it("is described by NUCC's display name, null for a code that the table lacks, the code as published", () => {
    const described = {
      code: "101Y00000X",
      description: "Family Medicine Physician",
    };
    assert.deepEqual(
      taxonomy([{ code: "101Y00000X", primary: "Y" }]),
      described,
    );
    assert.deepEqual(taxonomy([{ code: "101y00000x", primary: "Y" }]), {
      ...described,
      code: "101y00000x",
    });
    assert.deepEqual(taxonomy([{ code: "999Y00000X", primary: "Y" }]), {
      code: "999Y00000X",
      description: null,
    });
    assert.deepEqual(taxonomy([{ code: "OTHER", primary: "Y" }]), {
      code: "OTHER",
      description: null,
    });
  });
});

describe("the practice address", () => {
  it("is null when all its members are null", () => {
    assert.equal(
      read({ address1: "--", city: " ", country: "<UNAVAIL>" })
        .practice_address,
      null,
    );
    assert.deepEqual(address({ country: "US" }), {
      address_1: null,
      address_2: null,
      city: null,
      state: null,
      postal_code: null,
      country: "US",
    });
  });

  it("shows a known state of a U.S. address as two letters, however it is written", () => {
    const written = {
      il: "IL",
      ILLINOIS: "IL",
      Illinois: "IL",
      "Puerto Rico": "PR",
      "DISTRICT OF COLUMBIA": "DC",
      GUAM: "GU",
    };
    for (const [state, shown] of Object.entries(written)) {
      for (const country of [
        "US",
        "",
        "--",
        "UM",
        "PR",
        "GU",
        "VI",
        "AS",
        "MP",
      ]) {
        assert.equal(
          address({ state, country })?.state,
          shown,
          `${state}, ${country}`,
        );
      }
    }
  });

  it("shows any other state as published, on foreign addresses every one", () => {
    assert.equal(
      address({ state: "Fort Bend", country: "US" })?.state,
      "Fort Bend",
    );
    assert.equal(address({ state: "zz", country: "" })?.state, "zz");
    for (const state of ["il", "ILLINOIS", "Ontario"])
      assert.equal(address({ state, country: "CA" })?.state, state);
  });

  it("is a U.S. one for the military states, whatever the country", () => {
    assert.equal(address({ state: "ae", country: "DE" })?.state, "AE");
    assert.equal(address({ state: "AP", country: "JP" })?.state, "AP");
    assert.equal(address({ state: "aa", country: "" })?.state, "AA");
  });
});

function read(values: RowValues, slots: TaxonomySlot[] = []): Provider {
  const reading = readRow(
    rawRow({ npi: NPI, entityType: "1", ...values }, slots),
    TAXONOMY,
  );
  assert.equal(reading.kind, "provider");
  return reading.provider;
}

function taxonomy(slots: TaxonomySlot[]): Provider["primary_taxonomy"] {
  return read({}, slots).primary_taxonomy;
}

function address(values: RowValues): Address | null {
  return read(values).practice_address;
}
