import assert from "node:assert/strict";
import { test } from "node:test";
import {
  comparedColumns,
  npiColumn,
} from "../../../src/registry/rosters/roster-columns.ts";
import {
  rosterDifferences,
  type ComparedProvider,
} from "../../../src/registry/rosters/roster-differences.ts";

const ADDRESS = {
  address_1: null,
  address_2: null,
  city: "O'FALLON",
  state: "MA",
  postal_code: "021391234",
  country: "US",
};
const PERSON: ComparedProvider = {
  entity_type: "individual",
  name: { first: "JOSE", middle: null, last: "NUÑEZ", credential: null },
  organization_name: null,
  practice_address: ADDRESS,
  primary_taxonomy: {
    code: "207RC0000X",
    description: "Cardiovascular Disease Physician",
  },
};
const GROUP: ComparedProvider = {
  ...PERSON,
  entity_type: "organization",
  name: null,
  organization_name: "HEART & LUNG LLC",
};
const HEADER =
  "NPI,Last_Name,first name,Organization,Practice City,STATE,Zip Code,Primary Specialty,Note";

/** Names the fields that differ. */
function fieldsOf(row: string, provider: ComparedProvider): string[] {
  const columns = comparedColumns(HEADER.split(","));
  return rosterDifferences(columns, row.split(","), provider).map(
    ({ column, value }) => `${column.field} ${value}`,
  );
}

test("columns are found by their usual names", () => {
  const header = HEADER.split(",");
  assert.deepEqual(
    comparedColumns(header).map(({ field, index }) => [index, field]),
    [
      [1, "last_name"],
      [2, "first_name"],
      [3, "organization_name"],
      [4, "city"],
      [5, "state"],
      [6, "postal_code"],
      [7, "taxonomy"],
    ],
  );
  assert.equal(npiColumn(header), 0);
  assert.equal(npiColumn(["Name", "Provider NPI", "npi"]), 2);
  assert.equal(npiColumn(["Name", "N.P.I."]), 1);
  assert.equal(npiColumn(["Name", "Phone"]), -1);
});

test("texts that a search takes for the same do not differ", () => {
  for (const row of [
    "1,Nunez,José,My Clinic,O Fallon,ma,2139,cardiovascular disease physician",
    "1, NUÑEZ ,JOSE,,OFallon,Massachusetts,02139-1234,207rc0000x",
    "1,,,,,,021391234,207RC0000X - Heart",
    "1,,,,,,2139-1234,",
    "1",
  ])
    assert.deepEqual(fieldsOf(row, PERSON), [], row);
  assert.deepEqual(
    fieldsOf("1,,Ann,Heart and Lung L.L.C.,,,021391234,", GROUP),
    [],
  );
});

test("a cell that differs has the registry's value", () => {
  assert.deepEqual(
    fieldsOf("1,Nunes,Joe,,Fallon,MI,02138,Cardiology", PERSON),
    [
      "last_name NUÑEZ",
      "first_name JOSE",
      "city O'FALLON",
      "state MA",
      "postal_code 021391234",
      "taxonomy Cardiovascular Disease Physician",
    ],
  );
  assert.deepEqual(fieldsOf("1,Nunez,,Hearts,,,,207R00000X", GROUP), [
    "last_name HEART & LUNG LLC",
    "organization_name HEART & LUNG LLC",
    "taxonomy 207RC0000X",
  ]);
});

test("what the registry withholds is not compared", () => {
  const withheld: ComparedProvider = {
    entity_type: null,
    name: null,
    organization_name: null,
    practice_address: null,
    primary_taxonomy: null,
  };
  assert.deepEqual(fieldsOf("1,A,B,C,D,IL,60601,Nurse", withheld), []);
});
