import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import {
  type RowValues,
  type TaxonomySlot,
  rawRow,
} from "../support/pure/registry/raw-row.ts";
import {
  type KeptRow,
  type ReadCsv,
  readCsv,
} from "../support/pure/reference/read-csv.ts";
import {
  officialColumns,
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";

const NPI = inventedNpi(123_456_789);
const PERSON: RowValues = {
  npi: NPI,
  entityType: "1",
  last: "EXEMPLAR",
  first: "ANN",
};

function readRow(
  values: RowValues,
  slots: readonly TaxonomySlot[] = [],
): ReadCsv {
  return readCsv(registryCsv([rawRow(values, slots)], officialLayout()));
}

/** The only usable row. */
function rowOf(
  values: RowValues,
  slots: readonly TaxonomySlot[] = [],
): KeptRow {
  const { rows, bad } = readRow({ ...PERSON, ...values }, slots);
  assert.deepEqual(bad, []);
  const [row] = rows;
  assert.ok(row !== undefined && rows.length === 1);
  return row;
}

/** A file of one person whose first name is these bytes. */
function fileWithFirstName(bytes: Uint8Array): Buffer {
  const file = registryCsv(
    [rawRow({ ...PERSON, first: "@@" })],
    officialLayout(),
  );
  const [before = "", behind = ""] = file.split("@@");
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(behind)]);
}

test("an individual's row becomes numbers and texts", () => {
  const values: RowValues = {
    middle: "B",
    credential: "M.D.",
    address1: "1 EXAMPLE ST",
    address2: "STE 2",
    city: "ST. LOUIS",
    state: "MO",
    postalCode: "631011234",
    country: "US",
    enumerationDate: "05/23/2005",
    lastUpdated: "01/31/2024",
  };
  const { enumerationDate: _e, lastUpdated: _l, ...texts } = values;
  assert.deepEqual(rowOf(values, [{ code: "207Q00000X", primary: "Y" }]), {
    ...texts,
    npi: Number(NPI),
    entity: "individual",
    deactivated: false,
    enumerationDate: "2005-05-23",
    lastUpdated: "2024-01-31",
    deactivationDate: null,
    isUsAddress: true,
    knownState: "MO",
    zip: 63_101,
    organization: "",
    last: "EXEMPLAR",
    first: "ANN",
    taxonomy: "207Q00000X",
  });
});

test("an individual has no organization name, and an organization no individual's", () => {
  const names: RowValues = {
    organization: "EXEMPLARY CARE",
    middle: "B",
    credential: "MD",
  };
  const person = rowOf(names);
  assert.deepEqual(
    [person.organization, person.first, person.last],
    ["", "ANN", "EXEMPLAR"],
  );
  const organization = rowOf({ ...names, entityType: "2" });
  assert.equal(organization.entity, "organization");
  assert.equal(organization.organization, "EXEMPLARY CARE");
  for (const name of ["last", "first", "middle", "credential"] as const)
    assert.equal(organization[name], "");
});

test("an invalid NPI makes the row unusable, and is reported if it has ten digits", () => {
  for (const npi of ["", "123", "12345678931", "123456789A", "--"]) {
    assert.deepEqual(readRow({ ...PERSON, npi }).bad, [
      { line: 2, reason: "invalid_npi" },
    ]);
  }
  for (const npi of ["1234567890", inventedNpi(323_456_789), "0000000000"]) {
    assert.deepEqual(readRow({ ...PERSON, npi }).bad, [
      { line: 2, reason: "invalid_npi", npi },
    ]);
  }
  assert.equal(rowOf({ npi: ` ${NPI}\t` }).npi, Number(NPI));
  assert.equal(
    rowOf({ npi: inventedNpi(299_999_999) }).npi,
    Number(inventedNpi(299_999_999)),
  );
});

test("an invalid entity type makes the row unusable, unless the NPI is deactivated", () => {
  for (const entityType of ["", "3", "12", "-"]) {
    assert.deepEqual(readRow({ ...PERSON, entityType }).bad, [
      { line: 2, reason: "unknown_entity_type", npi: NPI },
    ]);
    const row = rowOf({ entityType, deactivationDate: "01/05/2024" });
    assert.deepEqual(
      [row.entity, row.deactivated, row.deactivationDate],
      ["withheld", true, "2024-01-05"],
    );
  }
  const undone: RowValues = {
    entityType: "",
    deactivationDate: "01/05/2024",
    reactivationDate: "01/05/2024",
  };
  assert.equal(
    readRow({ ...PERSON, ...undone }).bad[0]?.reason,
    "unknown_entity_type",
  );
});

test("a withheld row has only its NPI and its deactivation date", () => {
  const row = rowOf(
    {
      entityType: "",
      city: "ANYTOWN",
      state: "TX",
      postalCode: "76102",
      lastUpdated: "01/05/2024",
      enumerationDate: "01/05/2010",
      deactivationDate: "01/05/2024",
    },
    [{ code: "207Q00000X", primary: "Y" }],
  );
  for (const name of [
    "last",
    "first",
    "city",
    "state",
    "postalCode",
    "taxonomy",
  ] as const)
    assert.equal(row[name], "");
  assert.deepEqual(
    [row.enumerationDate, row.lastUpdated, row.knownState, row.zip],
    [null, null, null, -1],
  );
});

test("an NPI is deactivated unless it was reactivated on or after that day", () => {
  const deactivationDate = "03/15/2020";
  const cases: [string, string | null][] = [
    ["", "2020-03-15"],
    ["03/14/2020", "2020-03-15"],
    ["03/15/2020", null],
    ["04/01/2021", null],
  ];
  for (const [reactivationDate, expected] of cases) {
    const row = rowOf({ deactivationDate, reactivationDate });
    assert.deepEqual(
      [row.deactivated, row.deactivationDate],
      [expected !== null, expected],
      reactivationDate,
    );
    assert.equal(row.last, "EXEMPLAR");
  }
  assert.equal(rowOf({ reactivationDate: "03/15/2020" }).deactivated, false);
});

test("an invalid date is read as none and counted; a blank or masked one is not counted", () => {
  const { rows, reader } = readRow({
    ...PERSON,
    enumerationDate: "02/30/2020",
    lastUpdated: "2020-01-01",
    deactivationDate: "--",
  });
  assert.deepEqual(
    [rows[0]?.enumerationDate, rows[0]?.lastUpdated, rows[0]?.deactivated],
    [null, null, false],
  );
  assert.deepEqual([...reader.warnings], [["invalid_date", 2]]);
  assert.equal(
    rowOf({ lastUpdated: " 01/05/2024 " }).lastUpdated,
    "2024-01-05",
  );
});

test("the primary taxonomy is the filled slot whose switch is Y", () => {
  const cases: [TaxonomySlot[], string][] = [
    [
      [
        { code: "A1", primary: "N" },
        { code: "B2", primary: "Y" },
        { code: "C3", primary: "Y" },
      ],
      "B2",
    ],
    [
      [
        { code: "", primary: "Y" },
        { code: "B2", primary: "N" },
      ],
      "B2",
    ],
    [
      [
        { code: "--", primary: "Y" },
        { code: "B2", primary: "X" },
        { code: "C3", primary: "Y" },
      ],
      "C3",
    ],
    [
      [
        { code: "<UNAVAIL>", primary: "" },
        { code: " ", primary: "" },
      ],
      "",
    ],
    [[{ code: " 207q00000x ", primary: " Y " }], "207q00000x"],
    [[], ""],
  ];
  for (const [slots, expected] of cases)
    assert.equal(rowOf({}, slots).taxonomy, expected);
  const last = Array.from({ length: 15 }, (_, slot) => ({
    code: `T${slot}`,
    primary: slot === 14 ? "Y" : "N",
  }));
  assert.equal(rowOf({}, last).taxonomy, "T14");
});

test("outer white space is trimmed and inner kept; masks and blanks are null", () => {
  const row = rowOf({
    first: "\t ANN  MARIE \r\n",
    last: " -- ",
    middle: "<UNAVAIL>",
    credential: "\0",
    address1: "***",
    city: "N/A",
  });
  assert.equal(row.first, "ANN  MARIE");
  for (const name of ["last", "middle", "credential", "address1"] as const)
    assert.equal(row[name], "");
  assert.equal(row.city, "N/A");
});

test("doubled quotes, line breaks and tabs inside quotes are part of the value", () => {
  const row = rowOf({
    first: ' ANN "NAN" ',
    address1: "1 MAIN\nSUITE 2",
    city: '"',
    state: "tx",
    address2: "A\tB",
  });
  assert.deepEqual(
    [row.first, row.address1, row.city, row.state, row.address2],
    ['ANN "NAN"', "1 MAIN\nSUITE 2", '"', "TX", "A\tB"],
  );
});

test("a quote in a bare value is kept as it is, doubled or not", () => {
  const layout = { ...officialLayout(), quotes: "when needed" } as const;
  const file = registryCsv(
    [rawRow({ ...PERSON, address1: "@@" })],
    layout,
  ).replace("@@", '5" PIPE ""LANE""');
  assert.equal(readCsv(file).rows[0]?.address1, '5" PIPE ""LANE""');
});

test("names beyond ASCII are kept as UTF-8, from UTF-8 or Latin-1, value by value", () => {
  assert.equal(
    rowOf({
      first: "ZOË",
      last: "NUÑEZ",
      city: "東京",
      middle: "\u00a0É\u00a0",
    }).middle,
    "É",
  );
  const latin1 = readCsv(
    fileWithFirstName(Uint8Array.of(0x5a, 0x4f, 0xcb, 0x20, 0x92, 0x80)),
  ).rows[0];
  assert.deepEqual([latin1?.first, latin1?.last], ["ZOË ’€", "EXEMPLAR"]);
  const longest = readCsv(fileWithFirstName(new Uint8Array(5_000).fill(0x80)))
    .rows[0];
  assert.equal(longest?.first, "€".repeat(5_000));
});

test("U.S. addresses are those of the country, of no country, of its territories and of its forces", () => {
  const cases: [RowValues, boolean][] = [
    [{ country: "US" }, true],
    [{ country: "us" }, true],
    [{ country: "" }, true],
    [{ country: "--" }, true],
    ...["UM", "PR", "GU", "VI", "AS", "MP"].map(
      (country): [RowValues, boolean] => [{ country }, true],
    ),
    [{ country: "CA" }, false],
    [{ country: "CA", state: "ON" }, false],
    [{ country: "USA" }, false],
    [{ country: "DE", state: "AE" }, true],
    [{ country: "DE", state: "ae" }, true],
    [{ country: "JP", state: "AP" }, true],
    [{ country: "PA", state: "AA" }, true],
    [{ country: "DE", state: "BERLIN" }, false],
  ];
  for (const [values, expected] of cases)
    assert.equal(rowOf(values).isUsAddress, expected, JSON.stringify(values));
});

test("a U.S. state becomes two upper-case letters; anything else stays as published", () => {
  const cases: [string, string, string | null][] = [
    ["IL", "IL", "IL"],
    ["il", "IL", "IL"],
    ["Il", "IL", "IL"],
    ["Illinois", "IL", "IL"],
    ["PUERTO  RICO", "PR", "PR"],
    ["ap", "AP", "AP"],
    ["zz", "zz", null],
    ["ILL", "ILL", null],
    ["1L", "1L", null],
    ["", "", null],
  ];
  for (const [state, shown, known] of cases) {
    const row = rowOf({
      state,
      country: "US",
      city: "ANYTOWN",
      postalCode: "60601",
    });
    assert.deepEqual(
      [row.state, row.knownState, row.city, row.zip],
      [shown, known, "ANYTOWN", 60_601],
      state,
    );
  }
});

test("a foreign address keeps its state and has no ZIP", () => {
  const row = rowOf({ state: "illinois", country: "CA", postalCode: "60601" });
  assert.deepEqual(
    [row.state, row.knownState, row.zip],
    ["illinois", null, -1],
  );
  assert.deepEqual(
    [
      rowOf({ state: "ca", country: "MX" }).state,
      rowOf({ state: "CA", country: "MX" }).knownState,
    ],
    ["ca", null],
  );
});

test("a ZIP is the first five characters of a postal code, when they are digits", () => {
  const cases: [string, number][] = [
    ["606013456", 60_601],
    ["60601-3456", 60_601],
    ["00501", 501],
    ["6060", -1],
    ["6060A", -1],
    ["6 0601", -1],
    ["606019", 60_601],
    ["", -1],
  ];
  for (const [postalCode, zip] of cases)
    assert.equal(rowOf({ postalCode }).zip, zip, postalCode);
});

test("all layouts in use are read the same way", () => {
  const row = rawRow(
    { ...PERSON, state: "TX", city: 'A "B", C', lastUpdated: "01/05/2024" },
    [{ code: "X", primary: "Y" }],
  );
  const expected = readCsv(registryCsv([row], officialLayout())).rows;
  const arbitrary = fc.record({
    columns: fc.constantFrom(
      officialColumns("V1"),
      officialColumns("V2").toReversed(),
      ["Added", ...officialColumns("V2"), "Added too"],
    ),
    quotes: fc.constantFrom("always" as const, "when needed" as const),
    newline: fc.constantFrom("\n" as const, "\r\n" as const),
    bom: fc.boolean(),
    lastNewline: fc.boolean(),
  });
  fc.assert(
    fc.property(
      arbitrary,
      fc.integer({ min: 1, max: 3000 }),
      (layout, size) => {
        const { rows, bad } = readCsv(registryCsv([row], layout), [size]);
        assert.deepEqual({ rows, bad }, { rows: expected, bad: [] });
      },
    ),
    { numRuns: 60 },
  );
});

test("bad rows are counted by reason and reported with line and NPI, and the rest are read", () => {
  const header = registryCsv([], officialLayout());
  const good = registryCsv([rawRow(PERSON)], officialLayout()).slice(
    header.length,
  );
  const { rows, bad, reader } = readCsv(
    `${header}${good}"${NPI}","1"\n${good}"${NPI}","1\n${good}${good}"x`,
  );
  assert.equal(rows.length, 4);
  assert.equal(reader.rows, 4);
  assert.deepEqual(bad, [
    { line: 3, reason: "wrong_column_count", npi: NPI },
    { line: 5, reason: "wrong_column_count", npi: NPI },
    { line: 8, reason: "unterminated_quote" },
  ]);
  assert.deepEqual(
    [...reader.badRows],
    [
      ["wrong_column_count", 2],
      ["unterminated_quote", 1],
    ],
  );
});

test("a row that uses scratch memory does not affect the next", () => {
  const rows = [
    rawRow({
      ...PERSON,
      first: "ZOË",
      state: "texas",
      city: "LONG ".repeat(2000),
    }),
    rawRow({ ...PERSON, first: "ANN", state: "ok" }),
    rawRow({ ...PERSON, first: "" }),
  ];
  const read = readCsv(registryCsv(rows, officialLayout()), [777]).rows;
  assert.deepEqual(
    read.map(({ first, state, city }) => [first, state, city]),
    [
      ["ZOË", "TX", "LONG ".repeat(2000).trim()],
      ["ANN", "OK", ""],
      ["", "", ""],
    ],
  );
});
