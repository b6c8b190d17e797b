import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import { rounds } from "../support/pure/full-run.ts";
import { csvRecords } from "../support/pure/reference/csv-records.ts";
import { parseTaxonomy } from "../../src/reference/taxonomy-table.ts";
import { loadZipPlaces } from "../../src/registry-generator/places.ts";
import { OFFICIAL_COLUMNS } from "../../src/registry/rows/header.ts";
import { checkNpi } from "../../src/registry/npi.ts";
import { foldCity } from "../../src/text/fold.ts";
import {
  chunksOf,
  type SyntheticContents,
  syntheticCsv,
  syntheticFiles,
} from "../../src/registry-generator/registry-files.ts";
import { RegistryGeneratorError } from "../../src/registry-generator/registry-generator-error.ts";

type Row = (column: string) => string;

/** The rows of a file by column name; asserts that each has all columns. */
function rowsOf(contents: SyntheticContents): Row[] {
  const [header = [], ...records] = csvRecords(
    syntheticCsv(contents).toString(),
  );
  assert.deepEqual(header, OFFICIAL_COLUMNS);
  const columns = new Map(header.map((name, index) => [name, index]));
  return records.map((record) => {
    assert.equal(record.length, OFFICIAL_COLUMNS.length);
    return (column) => {
      const index = columns.get(column);
      assert.ok(index !== undefined, column);
      return record[index] ?? "";
    };
  });
}

function isoOf(date: string): string {
  return date === ""
    ? ""
    : `${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}`;
}

function taxonomiesOf(row: Row): string[] {
  return Array.from({ length: 15 }, (_, slot) =>
    row(`Healthcare Provider Taxonomy Code_${slot + 1}`),
  ).filter(Boolean);
}

const LAST = "Provider Last Name (Legal Name)";
const FIRST = "Provider First Name";
const ORGANIZATION = "Provider Organization Name (Legal Business Name)";
const PRACTICE_CITY = "Provider Business Practice Location Address City Name";
const PRACTICE_STATE = "Provider Business Practice Location Address State Name";
const PRACTICE_ZIP = "Provider Business Practice Location Address Postal Code";
const PRACTICE_COUNTRY =
  "Provider Business Practice Location Address Country Code (If outside U.S.)";
const PRACTICE_PHONE =
  "Provider Business Practice Location Address Telephone Number";
const WEEK = { from: "2026-11-10", to: "2026-11-16", changes: 2000 };

function nameOf(contents: SyntheticContents): string | undefined {
  return syntheticFiles(contents)[0]?.name;
}

function sha(contents: SyntheticContents): string {
  return createHash("sha256").update(syntheticCsv(contents)).digest("hex");
}

function isPrimary(row: Row, slot: number): boolean {
  return row(`Healthcare Provider Primary Taxonomy Switch_${slot}`) === "Y";
}

/** As the demo is. */
const PROVIDERS = 25_000;
const whole = rowsOf({ providers: PROVIDERS, specialties: "named" });
/** A part of it for what needs no more. */
const demo = whole.slice(0, rounds(PROVIDERS, 10_000));
const detailed = demo.filter((row) => row("Entity Type Code") !== "");

/** A compared city, also for spellings that folding does not handle: N for NORTH, and O'FALLON for O FALLON. */
function plain(city: string): string {
  return foldCity(city).replace(/^N /, "NORTH ").replace(/^O /, "O");
}

function share(rows: readonly Row[], fits: (row: Row) => boolean): number {
  return rows.filter(fits).length / rows.length;
}

function assertSome(fits: (row: Row) => boolean, what: string): void {
  assert.ok(demo.some(fits), what);
}

function assertAbout(actual: number, expected: number, within: number): void {
  assert.ok(
    Math.abs(actual - expected) <= within,
    `${actual} is not about ${expected}`,
  );
}

test("a seed gives the same bytes on every machine", () => {
  assert.equal(
    sha({ providers: 3000, seed: 7 }),
    "c11b4a92182013a3c0048512206b363f0ffb8f519a5aca435f0f2b0d30c449da",
  );
  assert.equal(
    sha({ providers: 3000, seed: 7, week: { ...WEEK, changes: 500 } }),
    "2cc7a001ec084cd7d22ac8c4ecb33e7af5f161c2de160a0cc3a0d437b4c9e92b",
  );
  assert.notEqual(
    sha({ providers: 3000, seed: 8 }),
    sha({ providers: 3000, seed: 7 }),
  );
});

test("a smaller file is the start of a larger one, and the chunk size makes no difference", () => {
  const small = syntheticCsv({ providers: 300 });
  assert.ok(
    syntheticCsv({ providers: 900 }).subarray(0, small.length).equals(small),
  );
  const [main] = syntheticFiles({ providers: 300 });
  assert.ok(main !== undefined);
  const chunks = [...chunksOf(main, 40_000)];
  assert.ok(chunks.length > 5);
  assert.ok(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(small));
  assert.equal(chunks.at(-1)?.providers, 300);
});

test("NPIs are valid, and no two rows have the same", () => {
  const npis = demo.map((row) => row("NPI"));
  assert.equal(new Set(npis).size, demo.length);
  for (const npi of npis) assert.equal(checkNpi(npi), "ok");
});

test("kinds of rows have the registry's shares", () => {
  assertAbout(
    share(demo, (row) => row("Entity Type Code") === "1"),
    0.76,
    0.01,
  );
  assertAbout(
    share(demo, (row) => row("Entity Type Code") === "2"),
    0.204,
    0.01,
  );
  assertAbout(
    share(demo, (row) => row("Entity Type Code") === ""),
    0.036,
    0.005,
  );
});

test("a withheld row has only its NPI and its deactivation date", () => {
  for (const row of demo.filter((each) => each("Entity Type Code") === "")) {
    assert.deepEqual(
      OFFICIAL_COLUMNS.filter((column) => row(column) !== ""),
      ["NPI", "NPI Deactivation Date"],
    );
  }
});

test("some rows are reactivated, and some show their details though they are deactivated", () => {
  const dates = detailed
    .map(
      (row) =>
        [
          isoOf(row("NPI Deactivation Date")),
          isoOf(row("NPI Reactivation Date")),
        ] as const,
    )
    .filter(([deactivated]) => deactivated !== "");
  assert.ok(
    dates.some(([deactivated, reactivated]) => reactivated >= deactivated),
  );
  assert.ok(
    dates.some(
      ([deactivated, reactivated]) =>
        reactivated !== "" && reactivated < deactivated,
    ),
  );
});

test("dates are in order, and none is later than the file's own", () => {
  for (const row of detailed) {
    const enumerated = isoOf(row("Provider Enumeration Date"));
    const updated = isoOf(row("Last Update Date"));
    assert.ok(
      "2005-05-23" <= enumerated &&
        enumerated <= updated &&
        updated <= "2026-11-09",
      row("NPI"),
    );
  }
  for (const row of rowsOf({ providers: 500, asOf: "2005-06-01" })) {
    for (const column of OFFICIAL_COLUMNS.filter((name) =>
      name.endsWith(" Date"),
    )) {
      const date = isoOf(row(column));
      assert.ok(
        date === "" || ("2005-05-23" <= date && date <= "2005-06-01"),
        `${column} ${date}`,
      );
    }
  }
});

test("individuals have names and a sex, organizations a name and an official", () => {
  for (const row of detailed) {
    const isPerson = row("Entity Type Code") === "1";
    assert.equal(row(LAST) !== "" && row(FIRST) !== "", isPerson);
    assert.equal(/^[FM]$/.test(row("Provider Sex Code")), isPerson);
    assert.equal(row(ORGANIZATION) !== "", !isPerson);
    assert.equal(row("Authorized Official Last Name") !== "", !isPerson);
  }
});

test("ZIP, city and state of a U.S. address belong together", () => {
  const places = new Map(loadZipPlaces().map((place) => [place.zip, place]));
  const spelledOut = new Set([
    "CALIFORNIA",
    "FLORIDA",
    "ILLINOIS",
    "New York",
    "PUERTO RICO",
    "TEXAS",
  ]);
  let checked = 0;
  for (const row of detailed.filter(
    (each) => each(PRACTICE_COUNTRY) === "US",
  )) {
    const place = places.get(row(PRACTICE_ZIP).slice(0, 5));
    assert.ok(place !== undefined, row(PRACTICE_ZIP));
    assert.match(row(PRACTICE_ZIP), /^[0-9]{5}(-?[0-9]{4})?$/);
    if (!spelledOut.has(row(PRACTICE_STATE)))
      assert.equal(row(PRACTICE_STATE), place.state);
    assert.equal(plain(row(PRACTICE_CITY)), plain(place.city));
    checked++;
  }
  assert.ok(checked > 0.8 * demo.length);
  assertAbout(
    share(detailed, (row) => row(PRACTICE_STATE) === "CA"),
    0.131,
    0.01,
  );
  assertAbout(
    share(detailed, (row) => /^[0-9]{9}$/.test(row(PRACTICE_ZIP))),
    0.945,
    0.01,
  );
});

test("most providers have one taxonomy, and the first slot is mostly the primary one", () => {
  const counts = detailed.map((row) => taxonomiesOf(row).length);
  assertAbout(
    counts.reduce((sum, count) => sum + count, 0) / counts.length,
    1.3,
    0.04,
  );
  assert.ok(counts.every((count) => count >= 1) && counts.includes(15));
  assertAbout(
    share(
      detailed,
      (row) => row("Healthcare Provider Primary Taxonomy Switch_1") === "Y",
    ),
    0.92,
    0.03,
  );
  const slots = Array.from({ length: 15 }, (_, index) => index + 1);
  assert.ok(
    detailed.every(
      (row) => slots.filter((slot) => isPrimary(row, slot)).length <= 1,
    ),
  );
  assert.ok(
    detailed.some((row) => slots.every((slot) => !isPrimary(row, slot))),
  );
  assert.ok(detailed.some((row) => isPrimary(row, 2)));
});

test("with named specialties every code has a name; otherwise there are as many codes as in the registry", () => {
  const table = builtinTaxonomy();
  for (const row of detailed)
    for (const code of taxonomiesOf(row))
      assert.notEqual(table.name(code), null, code);
  const codes = new Set(rowsOf({ providers: 20_000 }).flatMap(taxonomiesOf));
  assert.ok(codes.size > 400 && codes.size <= 900, `${codes.size} codes`);
  for (const code of codes) assert.match(code, /^[0-9A-Z]{9}X$/);
});

test("rare codes come from the table that is given, before any are invented", () => {
  const extra = Array.from(
    { length: 700 },
    (_, n) => `9${String(n).padStart(3, "0")}00000X,Invented ${n}`,
  );
  const taxonomy = parseTaxonomy(
    Buffer.from(`Code,Display Name\n${extra.join("\n")}\n`),
    "table.csv",
  );
  const common = builtinTaxonomy();
  const codes = new Set(
    rowsOf({ providers: 3000, taxonomy }).flatMap(taxonomiesOf),
  );
  for (const code of codes)
    assert.ok(taxonomy.name(code) !== null || common.name(code) !== null, code);
});

test("a demo has dozens of John Smiths over the states, and other common names", () => {
  const people = whole.filter((row) => row("Entity Type Code") === "1");
  const smiths = people.filter((row) => row(LAST) === "SMITH");
  assert.ok(smiths.length > 250 && smiths.length < 500, `${smiths.length}`);
  const johns = smiths.filter((row) => row(FIRST) === "JOHN");
  assert.ok(johns.length >= 24, `${johns.length} John Smiths`);
  assert.ok(new Set(johns.map((row) => row(PRACTICE_STATE))).size >= 12);
  const lastNames = new Set(people.map((row) => row(LAST)));
  for (const name of ["GARCIA", "O'BRIEN", "NGUYEN", "JOHNSON", "PATEL"])
    assert.ok(lastNames.has(name), name);
});

test("after the demo's rows, names are as common as the census says", () => {
  const { length } = whole.filter((row) => row(LAST) === "SMITH");
  const [, ...after] = rowsOf({ providers: 60_000 }).slice(25_000);
  const smiths = after.filter((row) => row(LAST) === "SMITH").length;
  const people = after.filter((row) => row("Entity Type Code") === "1").length;
  assertAbout(smiths / people, 0.0083, 0.002);
  assert.ok(smiths < length);
});

test("a demo has each specialty that users look for in every large city", () => {
  const cities = "CHICAGO HOUSTON PHOENIX SEATTLE BOSTON ATLANTA DENVER".split(
    " ",
  );
  // Cardiology, dermatology, family medicine, gynecology, psychiatry, dentistry.
  for (const code of [
    "207RC0000X",
    "207N00000X",
    "207Q00000X",
    "207V00000X",
    "2084P0800X",
    "1223G0001X",
  ]) {
    const having = whole.filter(
      (row) => row("Entity Type Code") === "1" && taxonomiesOf(row)[0] === code,
    );
    assertAbout(having.length / whole.length, 0.019, 0.008);
    for (const city of cities) {
      const here = having.filter((row) => row(PRACTICE_CITY) === city);
      assert.ok(here.length >= 2, `${here.length} with ${code} in ${city}`);
    }
  }
});

test("a demo has what users look for in each of the ten largest cities", () => {
  const cities = [
    ["NEW YORK", "NY"],
    ["LOS ANGELES", "CA"],
    ["CHICAGO", "IL"],
    ["HOUSTON", "TX"],
    ["PHOENIX", "AZ"],
    ["PHILADELPHIA", "PA"],
    ["SAN ANTONIO", "TX"],
    ["SAN DIEGO", "CA"],
    ["DALLAS", "TX"],
    ["JACKSONVILLE", "FL"],
  ] as const;
  // Family medicine, nurse practitioner, dentist, pharmacy, physical therapist, psychologist, social worker.
  const sought = [
    /^207Q00000X/,
    /^363L00000X/,
    /^122300000X/,
    /^3336/,
    /^225100000X/,
    /^103T/,
    /^104/,
  ];
  for (const [city, state] of cities) {
    const here = whole.filter(
      (row) => row(PRACTICE_CITY) === city && row(PRACTICE_STATE) === state,
    );
    for (const code of sought) {
      const { length } = here.filter((row) =>
        taxonomiesOf(row).some((each) => code.test(each)),
      );
      assert.ok(length >= 3, `${length} with ${code} in ${city}`);
    }
  }
});

test("a demo has a few providers in O'Fallon, in both spellings", () => {
  for (const city of ["O FALLON", "O'FALLON"]) {
    const { length } = whole.filter((row) => row(PRACTICE_CITY) === city);
    assert.ok(length >= 2 && length < 100, `${length} in ${city}`);
  }
});

test("organizations have names that sound real, with ampersands, apostrophes, and legal forms", () => {
  const names = whole.map((row) => row(ORGANIZATION)).filter(Boolean);
  for (const form of [
    /^LAKESIDE .* PLLC$/,
    /^ST MARYS .*(HOSPITAL|MEDICAL CENTER)/,
    / & /,
    /[A-Z]'S? /,
    / LLC$/,
    /, INC\.$/,
    / PC$/,
    /CHILDREN'S/,
    /^MAYO .*CLINIC/,
  ])
    assert.ok(
      names.some((name) => form.test(name)),
      String(form),
    );
});

test("a city is spelled in all its ways", () => {
  const cities = new Set(
    rowsOf({ providers: 60_000 }).map((row) => row(PRACTICE_CITY)),
  );
  for (const city of [
    "ST. LOUIS",
    "SAINT LOUIS",
    "ST LOUIS",
    "FT WORTH",
    "FORT WORTH",
    "O'FALLON",
  ])
    assert.ok(cities.has(city), city);
});

test("a telephone number has an area code of its state", () => {
  const areas = { CHICAGO: "IL 312 773 872", MIAMI: "FL 305 786" };
  for (const [city, text] of Object.entries(areas)) {
    const [state, ...codes] = text.split(" ");
    const here = whole.filter(
      (row) =>
        row(PRACTICE_CITY) === city &&
        row(PRACTICE_STATE) === state &&
        row(PRACTICE_PHONE) !== "",
    );
    assert.ok(here.length > 100);
    for (const row of here)
      assert.ok(codes.includes(row(PRACTICE_PHONE).slice(0, 3)), city);
  }
  for (const row of whole.filter((each) => each(PRACTICE_STATE) === "NE"))
    assert.match(row(PRACTICE_PHONE), /^(308|402|531|$)/);
});

test("the first providers are the same with every seed, and weeks do not change them", () => {
  const known = (contents: SyntheticContents) =>
    rowsOf(contents)
      .slice(0, 5)
      .map((row) =>
        OFFICIAL_COLUMNS.filter((column) => column !== "NPI").map(row),
      );
  const first = known({ providers: 10 });
  assert.deepEqual(known({ providers: 10, seed: 5 }), first);
  assert.deepEqual(known({ providers: 5000, specialties: "named" }), first);
  const week = { ...WEEK, changes: 40 };
  const npis = rowsOf({ providers: 10 }).slice(0, 5);
  for (const row of rowsOf({ providers: 10, week }))
    for (const [at, old] of npis.entries())
      if (row("NPI") === old("NPI"))
        assert.deepEqual(
          OFFICIAL_COLUMNS.filter((column) => column !== "NPI").map(row),
          first[at],
        );
});

test("a demo has the odd things of the real file", () => {
  assertSome(
    (row) => ["AA", "AE", "AP"].includes(row(PRACTICE_STATE)),
    "military addresses",
  );
  assertSome(
    (row) => ["PR", "GU", "VI"].includes(row(PRACTICE_STATE)),
    "territories",
  );
  assertSome(
    (row) => !["US", ""].includes(row(PRACTICE_COUNTRY)),
    "foreign addresses",
  );
  assertSome((row) => /[a-z]/.test(row(PRACTICE_CITY)), "cities in lower case");
  assertSome((row) => /[a-z]/.test(row(LAST)), "names in lower case");
  assertSome((row) => row(LAST).includes("-"), "hyphens");
  assertSome((row) => /[À-ſ]/.test(row(LAST)), "accents");
  assertSome(
    (row) => row(FIRST).includes('"') || row(ORGANIZATION).includes('"'),
    "doubled quotes",
  );
  assertSome(
    (row) => row("Provider Credential Text") === "<UNAVAIL>",
    "<UNAVAIL>",
  );
  assertSome((row) => row("Provider Credential Text") === "--", "--");
  assertSome(
    (row) => row("Provider Second Line Business Mailing Address") !== "",
    "second lines",
  );
  assertSome(
    (row) => row("Other Provider Identifier_1") !== "",
    "other identifiers",
  );
  assertSome((row) => row("Provider License Number_1") !== "", "licences");
});

test("every telephone number is unassigned", () => {
  const columns = OFFICIAL_COLUMNS.filter((column) =>
    /(Telephone|Fax) Number$/.test(column),
  );
  assert.equal(columns.length, 5);
  for (const row of detailed) {
    for (const column of columns)
      assert.match(row(column), /^([2-9][0-9]{2}55501[0-9]{2})?$/);
  }
});

test("a row has about 1.2 KB", () => {
  assertAbout(syntheticCsv({ providers: 5000 }).length / 5000, 1200, 25);
});

test("a week has new providers, updates, deactivations and reactivations of the full file's providers", () => {
  const full = new Map(
    rowsOf({ providers: 20_000 }).map((row) => [row("NPI"), row]),
  );
  const week = rowsOf({ providers: 20_000, week: WEEK });
  assert.equal(week.length, 2000);
  assert.equal(new Set(week.map((row) => row("NPI"))).size, 2000);
  const isInWeek = (date: string) =>
    WEEK.from <= isoOf(date) && isoOf(date) <= WEEK.to;
  const seen = {
    enumeration: 0,
    update: 0,
    moved: 0,
    deactivation: 0,
    reactivation: 0,
    repeat: 0,
  };
  for (const row of week) {
    const before = full.get(row("NPI"));
    if (before === undefined) {
      assert.ok(
        isInWeek(row("Provider Enumeration Date")) &&
          isInWeek(row("Last Update Date")),
      );
      seen.enumeration++;
    } else if (row("Entity Type Code") === "") {
      const isNew = before("Entity Type Code") !== "";
      if (isNew) assert.ok(isInWeek(row("NPI Deactivation Date")));
      else
        assert.equal(
          row("NPI Deactivation Date"),
          before("NPI Deactivation Date"),
        );
      seen[isNew ? "deactivation" : "repeat"]++;
    } else {
      assert.ok(isInWeek(row("Last Update Date")));
      const isBack = before("Entity Type Code") === "";
      if (isBack) assert.ok(isInWeek(row("NPI Reactivation Date")));
      else
        assert.equal(
          row("Provider Enumeration Date"),
          before("Provider Enumeration Date"),
        );
      seen[isBack ? "reactivation" : "update"]++;
      if (!isBack && row(PRACTICE_ZIP) !== before(PRACTICE_ZIP)) seen.moved++;
    }
  }
  for (const [kind, count] of Object.entries(seen)) assert.ok(count > 0, kind);
  assert.ok(
    seen.enumeration > 600 && seen.update > 800 && seen.moved < seen.update / 2,
    JSON.stringify(seen),
  );
});

test("consecutive weeks change different providers", () => {
  const npis = (week: typeof WEEK) =>
    rowsOf({ providers: 20_000, week }).map((row) => row("NPI"));
  const first = new Set(npis(WEEK));
  const next = npis({ from: "2026-11-17", to: "2026-11-23", changes: 2000 });
  assert.deepEqual(
    next.filter((npi) => first.has(npi)),
    [],
  );
});

test("files have the registry's names", () => {
  assert.equal(nameOf({ providers: 1 }), "npidata_pfile_20050523-20261109.csv");
  assert.equal(
    nameOf({ providers: 1, asOf: "2024-02-29" }),
    "npidata_pfile_20050523-20240229.csv",
  );
  assert.equal(
    nameOf({ providers: 1, week: WEEK }),
    "npidata_pfile_20261110-20261116.csv",
  );
});

test("impossible contents are refused", () => {
  const wrong: [contents: SyntheticContents, message: RegExp][] = [
    [
      {
        providers: 1,
        specialties: "named",
        taxonomy: parseTaxonomy(
          Buffer.from("Code,Display Name\n999X00000X,x\n"),
          "t.csv",
        ),
      },
      /has no common specialty/,
    ],
    [{ providers: 0 }, /number of providers must be a whole number from 1/],
    [{ providers: 1.5 }, /number of providers/],
    [{ providers: 1, seed: -1 }, /seed must be/],
    [{ providers: 1, asOf: "2026-02-30" }, /2026-02-30 is not a date/],
    [{ providers: 1, asOf: "11/09/2026" }, /Write it as YYYY-MM-DD/],
    [{ providers: 1, asOf: "2001-01-01" }, /started on 2005-05-23/],
    [
      { providers: 1, week: { ...WEEK, from: "2026-11-17" } },
      /before it starts/,
    ],
    [{ providers: 1, week: { ...WEEK, from: "2026-11-09" } }, /already covers/],
    [{ providers: 1, week: { ...WEEK, changes: 0 } }, /number of changes/],
  ];
  for (const [contents, message] of wrong) {
    assert.throws(
      () => syntheticFiles(contents),
      (error: unknown) =>
        error instanceof RegistryGeneratorError && message.test(error.message),
    );
  }
});
