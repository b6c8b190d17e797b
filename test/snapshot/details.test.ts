import assert from "node:assert/strict";
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import {
  referenceMembers,
  type ProviderDetails,
} from "../support/pure/reference/provider-details.ts";
import { writeDetails } from "../../src/search/render/details-json.ts";
import { constant, JsonText } from "../../src/search/render/json-text.ts";
import type { DetailsView } from "../../src/snapshot/details/details-view.ts";
import { storedDetails } from "../support/pure/registry/stored-details.ts";
import type { ProviderRow } from "../../src/registry/rows/provider-row.ts";
import { cases, fullTest } from "../support/pure/full-run.ts";
import { readRegistryFile } from "../support/pure/registry/read-file.ts";
import { DetailsReader } from "../../src/snapshot/details/details-reader.ts";
import {
  FIRST_SECTION,
  SnapshotFormatError,
} from "../../src/snapshot/container/section-file.ts";
import { verifyDetails } from "../../src/snapshot/verify/verify-details.ts";
import { writeReport } from "../support/pure/registry/deactivation-report.ts";
import { unzippedRows } from "../support/pure/registry/unzipped-rows.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import {
  ENDPOINT_COLUMNS,
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
  ReferenceDetails,
  type FileWithDetails,
} from "../support/pure/reference/reference-details.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";

const SHARED = new URL("../../../shared/data/registry/", import.meta.url);
const WEEKS = ["010124_010724", "010824_011424", "011524_012124"];

const FULL = "20050523-20261108";
const WEEK = "20261109-20261115";

function reader(registry: SmallRegistry): DetailsReader {
  return new DetailsReader(registry.detailsPath());
}

/** The details of every NPI of the current snapshot, each looked up by itself. */
function allDetails(registry: SmallRegistry): Map<string, ProviderDetails> {
  const snapshot = registry.snapshot();
  using details = reader(registry);
  const all = new Map<string, ProviderDetails>();
  for (const npi of snapshot.npi.toSorted()) {
    const found = details.get(npi, snapshot.rank(npi));
    if (found !== null) shownAsByOracle(found);
    all.set(String(npi), found === null ? NOTHING : storedDetails(found));
  }
  return all;
}

const nameOfTaxonomy = (code: string) => `Name of ${code}`;

/** Members made by the table of fields have the names, the order, and the values of the oracle's. */
function shownAsByOracle(view: DetailsView): void {
  const written = new JsonText();
  writeDetails(view, DETAIL_PARTS, written, (code) =>
    constant(JSON.stringify(nameOfTaxonomy(code))),
  );
  const members = JSON.stringify(
    referenceMembers(storedDetails(view), DETAIL_PARTS, nameOfTaxonomy),
  );
  assert.equal(`{${written.text().slice(1)}}`, members);
}

function expected(reference: ReferenceDetails): Map<string, ProviderDetails> {
  const held = [...reference.held].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(held.map(([npi, { details }]) => [npi, details]));
}

/** What a CSV, or a zip without the other files, has. */
const WITHOUT_FILES = [
  "taxonomies",
  "identity",
  "mailing_address",
  "identifiers",
];

const NOTHING = (() => {
  const reference = new ReferenceDetails();
  const row = { NPI: "x" };
  reference.apply({ kind: "full", rows: [row], otherNames: [], locations: [] });
  const nothing = reference.held.get("x")?.details;
  assert.ok(nothing !== undefined);
  return nothing;
})();

function name(number: number, text: string, type = "3"): RawRow {
  const [npi = "", column = "", code = ""] = OTHER_NAME_COLUMNS;
  return { [npi]: npiOf(number), [column]: text, [code]: type };
}

function place(number: number, ...values: string[]): RawRow {
  return Object.fromEntries(
    LOCATION_COLUMNS.map((column, index) => [
      column,
      index === 0 ? npiOf(number) : (values[index - 1] ?? ""),
    ]),
  );
}

/** Two endpoints: one with every column, and one with only an address. */
function endpointsOf(number: number, mark: string): RawRow[] {
  const [npi = "", ...columns] = ENDPOINT_COLUMNS;
  return [
    {
      [npi]: npiOf(number),
      ...Object.fromEntries(
        columns.map((column) => [column, `${mark} ${column}`]),
      ),
      Affiliation: "Y",
      "Affiliation Address State": "Illinois",
      "Affiliation Address Country": "US",
    },
    { [npi]: npiOf(number), Endpoint: `https://example.com/${mark}` },
  ];
}

/** A mailing address and identifiers in the first slot, the last, and one between empty ones. */
function mailed(mark: string): RawRow {
  return {
    "Provider First Line Business Mailing Address": `PO BOX ${mark}`,
    "Provider Business Mailing Address City Name": "Springfield",
    "Provider Business Mailing Address State Name": "illinois",
    "Provider Business Mailing Address Postal Code": "627050100",
    "Provider Business Mailing Address Country Code (If outside U.S.)": "US",
    "Provider Business Mailing Address Fax Number": "2175550101",
    "Other Provider Identifier_1": `M${mark}`,
    "Other Provider Identifier Type Code_1": "05",
    "Other Provider Identifier State_1": "IL",
    "Other Provider Identifier_2": "====",
    "Other Provider Identifier_7": `Ñ "${mark}"`,
    "Other Provider Identifier Type Code_7": "01",
    "Other Provider Identifier Issuer_7": "INVENTED, PLAN",
    "Other Provider Identifier State_50": "of no identifier",
  };
}

/** An individual with a value in every column of details. */
function rich(number: number, mark: string): RawRow {
  return {
    ...person(number),
    "Provider Sex Code": "F",
    "Is Sole Proprietor": "X",
    "Provider Name Prefix Text": "Dr.",
    "Provider Name Suffix Text": ' "JR" ',
    "Certification Date": "07/28/2021",
    "Provider Business Practice Location Address Telephone Number":
      "3125550100",
    "Provider Business Practice Location Address Fax Number": "--",
    "Provider License Number_1": `L-${mark}`,
    "Provider License Number State Code_1": "IL",
    "Healthcare Provider Taxonomy Code_3": "1223G0001X",
    "Healthcare Provider Primary Taxonomy Switch_3": "N",
    "Provider License Number_15": "of no code",
    "Healthcare Provider Taxonomy Group_3": "193400000X",
    "Provider Other Last Name": `ÑANDÚ ${mark}`,
    "Provider Other Last Name Type Code": "1",
    "Provider Other Credential Text": "<UNAVAIL>",
    "NPI Deactivation Date": "01/02/2015",
    "NPI Reactivation Date": "01/02/2016",
    "NPI Deactivation Reason Code": "OT",
    "Replacement NPI": npiOf(900),
    ...mailed(mark),
  };
}

/** Individuals, each with a further name and location. */
function everything(mark: string, numbers: readonly number[]) {
  return {
    rows: numbers.map((number) => rich(number, mark)),
    otherNames: numbers.map((number) => name(number, mark)),
    locations: numbers.map((number) => place(number, mark)),
    endpoints: numbers.flatMap((number) => endpointsOf(number, mark)),
  };
}

/** The contents of all sections of the snapshot file except the metadata. */
function facts(registry: SmallRegistry) {
  return registry
    .snapshot()
    .sections.entries.filter(({ name: each }) => each !== "metadata")
    .map(({ bytes, crc, name: each }) => [each, bytes, crc]);
}

function organization(number: number): RawRow {
  return {
    NPI: npiOf(number),
    "Entity Type Code": "2",
    "Provider Organization Name (Legal Business Name)": "INVENTED CLINIC",
    "Is Organization Subpart": "Y",
    "Parent Organization LBN": "INVENTED HOLDING",
    "Provider Other Organization Name": "CLINIC, OTHERWISE",
    "Provider Other Organization Name Type Code": "3",
    "Authorized Official Last Name": "EXAMPLE",
    "Authorized Official First Name": "PAT",
    "Authorized Official Title or Position": `${"VERY ".repeat(40)}HIGH`,
    "Authorized Official Telephone Number": "3125550101",
  };
}

describe("the details of the registry's files", () => {
  test("are kept as published, for every kind of file", async () => {
    using registry = new SmallRegistry();
    const file: FileWithDetails = {
      kind: "full",
      rows: [
        organization(1),
        rich(2, "a"),
        person(3),
        withheld(4, "03/04/2020"),
        // The last row of an NPI wins.
        rich(5, "before"),
        rich(5, "after"),
      ],
      otherNames: [
        name(1, "FIRST, FURTHER"),
        name(2, "OF A PERSON"),
        name(1, "SECOND", "4"),
        name(77, "OF NOBODY"),
      ],
      locations: [
        place(3, "1 AWAY ST", "", "Gary", "IN", "46402", "US", "1", "2", "3"),
        ...Array.from({ length: 300 }, (_, index) =>
          place(1, `${index} EVERYWHERE AVE`, "", "X", "IL"),
        ),
      ],
      endpoints: [...endpointsOf(2, "b"), ...endpointsOf(1, "a")],
    };
    const outcome = await importZip(registry, FULL, file);
    assert.deepEqual(outcome.report.details, {
      held: DETAIL_PARTS,
      otherNames: { rows: 4, badRows: 0, maskedNumbers: 0 },
      locations: { rows: 301, badRows: 0, maskedNumbers: 0 },
      endpoints: { rows: 4, badRows: 0, maskedNumbers: 0 },
    });
    const reference = new ReferenceDetails();
    reference.apply(file);
    assert.deepEqual(allDetails(registry), expected(reference));
    using details = reader(registry);
    const seen: string[] = [];
    details.forEach((npi) => seen.push(String(npi)));
    assert.deepEqual(seen, [1, 2, 3, 4, 5].map(npiOf));
    assert.deepEqual(registry.faults(), []);
  });

  test("are written as a plain reading has them: of an invented registry", async () => {
    using registry = new SmallRegistry();
    const out = join(
      registry.folder,
      "NPPES_Data_Dissemination_November_2026.zip",
    );
    const options = { providers: 500, seed: 5, otherFiles: true, out };
    await writeSyntheticRegistry(options);
    assert.equal((await registry.importPath(out)).status, "imported");
    const all = [...allDetails(registry).values()];
    assert.equal(all.length, 500);
    for (const part of ["endpoints", "identifiers", "otherNames"] as const)
      assert.ok(
        all.some((details) => details[part].length > 0),
        part,
      );
  });

  test("are written as a plain reading has them: texts that are hard to write", async () => {
    using registry = new SmallRegistry();
    const hard = '\\ "\u0001\u007F\u2028é🏥';
    const row = Object.fromEntries(
      Object.entries(rich(1, hard)).map(([column, text]) => [
        column,
        /Name|Identifier_|Telephone|State/.test(column) ? text + hard : text,
      ]),
    );
    // Ten units of UTF-16 end in the middle of the last character.
    const groups = ["123456789🏥 GROUP", "193200000X MULTI", "193200000", "É"];
    for (const [index, group] of groups.entries()) {
      const slot = index + 4;
      row[`Healthcare Provider Taxonomy Code_${slot}`] = `${hard}${slot}`;
      row[`Healthcare Provider Taxonomy Group_${slot}`] = group;
    }
    row["NPI Deactivation Reason Code"] = "DTX";
    row["Is Sole Proprietor"] = "YY";
    await importZip(registry, FULL, {
      rows: [row, withheld(2, "03/04/2020")],
      otherNames: null,
      locations: [place(1, hard, "", hard, hard, hard, "CA")],
    });
    const { identity, taxonomies } = allDetails(registry).get(npiOf(1))!;
    assert.equal(identity.deactivationReason, "DTX");
    const stored = taxonomies.map(({ group }) => group);
    assert.deepEqual(stored.slice(-groups.length), groups);
  });

  test("are the same when read in a thread", async () => {
    using registry = new SmallRegistry();
    const rows = [organization(1), rich(2, "a"), withheld(3, "03/04/2020")];
    const path = join(registry.folder, "rows.csv");
    writeFileSync(path, registryCsv(rows, officialLayout()));
    const blobs = async (minThreadBytes: number): Promise<string[]> => {
      const read: string[] = [];
      const handlers = {
        details: new Set(DETAIL_PARTS),
        onRow({ bytes, detailsEnd, detailsStart, npi }: ProviderRow) {
          const blob = bytes.slice(detailsStart, detailsEnd);
          read.push(`${npi} ${Buffer.from(blob).toString("hex")}`);
        },
      };
      await readRegistryFile(path, handlers, undefined, minThreadBytes);
      return read;
    };
    const here = await blobs(Number.POSITIVE_INFINITY);
    assert.equal(here.length, 3);
    assert.deepEqual(await blobs(0), here);
  });

  test("are the same without quotes, with columns in another order, and with CRLF", async () => {
    const rows = [organization(1), rich(2, "a"), person(3)];
    const official = officialLayout();
    const layouts = [
      official,
      { ...official, quotes: "when needed" as const },
      {
        ...official,
        columns: official.columns.toReversed(),
        newline: "\r\n" as const,
      },
    ];
    const read: Map<string, ProviderDetails>[] = [];
    for (const layout of layouts) {
      using registry = new SmallRegistry();
      const path = join(registry.folder, `npidata_pfile_${FULL}.csv`);
      writeFileSync(path, registryCsv(rows, layout));
      assert.equal((await registry.importPath(path)).status, "imported");
      read.push(allDetails(registry));
    }
    assert.equal(read[0]?.get(npiOf(2))?.identifiers.length, 3);
    for (const other of read.slice(1)) assert.deepEqual(other, read[0]);
  });

  test("of an older version's data lack the new parts until a full file: a week does not add them", async () => {
    using registry = new SmallRegistry();
    const older = DETAIL_PARTS.slice(0, 4);
    const held = () => registry.snapshot().metadata.details;
    await importZip(registry, FULL, everything("FULL", [1, 2]), {
      details: new Set(older),
    });
    await importZip(registry, WEEK, everything("WEEK", [2, 3]));
    assert.deepEqual(held(), older);
    for (const { endpoints, identifiers, mailingAddress } of allDetails(
      registry,
    ).values())
      assert.deepEqual(
        [endpoints, identifiers, mailingAddress],
        [[], [], null],
      );
    const full = everything("LATER", [1, 3]);
    const rows = [...full.rows, withheld(2, "12/01/2026")];
    await importZip(registry, "20050523-20261213", { ...full, rows });
    assert.deepEqual(held(), DETAIL_PARTS);
    const after = allDetails(registry);
    assert.equal(after.get(npiOf(1))?.endpoints.length, 2);
    // Of a withheld one, what is stored is kept.
    assert.equal(after.get(npiOf(2))?.otherNames.length, 2);
    assert.equal(after.get(npiOf(2))?.mailingAddress, null);
  });

  test("follow the weeks: a row replaces its details, NPIs without a row and withheld rows keep theirs", async () => {
    using registry = new SmallRegistry();
    const reference = new ReferenceDetails();
    const apply = async (period: string, file: FileWithDetails) => {
      await importZip(registry, period, file);
      reference.apply(file);
      assert.deepEqual(allDetails(registry), expected(reference));
      assert.deepEqual(registry.faults(), []);
    };
    await apply(FULL, {
      kind: "full",
      rows: [1, 2, 3, 4, 5].map((number) => rich(number, "full")),
      otherNames: [1, 2, 3, 4, 5].map((number) => name(number, "FULL")),
      locations: [1, 2, 3, 4, 5].map((number) => place(number, "FULL ST")),
      endpoints: [1, 2, 3, 4, 5].flatMap((number) =>
        endpointsOf(number, "FULL"),
      ),
    });
    await apply(WEEK, {
      kind: "week",
      rows: [rich(2, "week"), withheld(3, "11/01/2026"), person(6)],
      otherNames: [name(2, "WEEK"), name(2, "AGAIN")],
      locations: null,
      endpoints: null,
    });
    await apply("20261116-20261122", {
      kind: "week",
      rows: [rich(2, "later"), person(4), rich(3, "active again")],
      otherNames: null,
      locations: [place(3, "NEW ST")],
      endpoints: endpointsOf(2, "LATER"),
    });
    // A full file carries over the details that it withholds.
    await apply("20050523-20261213", {
      kind: "full",
      rows: [rich(1, "newer"), withheld(2, "12/01/2026"), person(3)].concat(
        person(4),
        person(5),
        person(6),
      ),
      otherNames: [name(3, "NEWER")],
      locations: [],
      endpoints: endpointsOf(4, "NEWER"),
    });
  });

  test("change when a week has only further names of a provider, and the rest is kept", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL, {
      rows: [rich(1, "a")],
      otherNames: [name(1, "OLD")],
      locations: [place(1, "KEPT ST")],
    });
    await importZip(registry, WEEK, {
      rows: [person(2)],
      otherNames: [name(1, "NEW"), name(50, "NOBODY")],
      locations: [],
    });
    const details = allDetails(registry).get(npiOf(1))!;
    const { locations, otherNames, taxonomies } = details;
    assert.deepEqual(
      otherNames.map(({ organization: text }) => text),
      [null, "NEW"],
    );
    assert.deepEqual(
      locations.map(({ address_1: line }) => line),
      ["KEPT ST"],
    );
    assert.equal(taxonomies.length, 2);
  });

  test("of an older week are imported with its rows, but not from only its supplementary files", async () => {
    using registry = new SmallRegistry();
    const later = { rows: [person(9)], otherNames: [], locations: [] };
    await importZip(registry, FULL, everything("FULL", [1, 2]));
    await importZip(registry, "20261116-20261122", later);
    await importZip(registry, WEEK, {
      rows: [rich(1, "WEEK")],
      otherNames: [name(1, "WEEK"), name(2, "WEEK")],
      locations: null,
    });
    const shown = [1, 2].map((number) => {
      const { locations, otherNames } = allDetails(registry).get(
        npiOf(number),
      )!;
      return [otherNames.at(-1)?.organization, locations[0]?.address_1];
    });
    assert.deepEqual(shown, [
      ["WEEK", "FULL"],
      ["FULL", "FULL"],
    ]);
  });

  test("of deactivated NPIs are withheld if the operator chose so; the deactivation is shown", async () => {
    using registry = new SmallRegistry();
    const none = { otherNames: [], locations: [] };
    await importZip(registry, FULL, {
      rows: [rich(1, "a"), rich(2, "a"), rich(3, "a")],
      otherNames: [name(1, "NAME"), name(2, "NAME")],
      locations: [],
    });
    const kept = { rows: [withheld(1, "11/01/2026")], ...none };
    await importZip(registry, WEEK, kept);
    const before = allDetails(registry).get(npiOf(1))!;
    assert.equal(before.otherNames.length, 2);
    assert.equal(before.identity.deactivationDate, "2026-11-01");
    assert.equal(before.identity.deactivationReason, null);
    await importZip(
      registry,
      "20261116-20261122",
      { rows: [withheld(2, "11/20/2026")], ...none },
      { deactivatedDetails: "withhold" },
    );
    for (const [number, date] of [
      [1, "2026-11-01"],
      [2, "2026-11-20"],
    ] as const) {
      const { identity, ...rest } = allDetails(registry).get(npiOf(number))!;
      assert.deepEqual(rest, {
        taxonomies: [],
        otherNames: [],
        locations: [],
        mailingAddress: null,
        identifiers: [],
        endpoints: [],
      });
      assert.equal(identity.deactivationDate, date);
      assert.equal(identity.phone, null);
    }
    assert.equal(allDetails(registry).get(npiOf(3))!.taxonomies.length, 2);
  });

  for (const mode of ["withhold", "keep"] as const)
    test(`of a deactivated NPI stay as they are when a week has it only in its supplementary files (${mode})`, async () => {
      using registry = new SmallRegistry();
      const options = { deactivatedDetails: mode };
      const away = [
        "9 AWAY ST",
        "",
        "CHICAGO",
        "IL",
        "606010001",
        "US",
      ] as const;
      await importZip(
        registry,
        FULL,
        {
          rows: [rich(1, "a"), withheld(2, "01/05/2010"), rich(3, "a")],
          otherNames: [name(1, "BEFORE")],
          locations: [],
        },
        options,
      );
      await importZip(
        registry,
        WEEK,
        { rows: [withheld(1, "11/11/2026")], otherNames: [], locations: [] },
        options,
      );
      const before = allDetails(registry);
      const numbers = [1, 2, 3];
      await importZip(
        registry,
        "20261116-20261122",
        {
          rows: [],
          otherNames: numbers.map((number) => name(number, "AGAIN VISIBLE")),
          locations: numbers.map((number) => place(number, ...away)),
        },
        options,
      );
      const after = allDetails(registry);
      for (const number of [1, 2])
        assert.deepEqual(after.get(npiOf(number)), before.get(npiOf(number)));
      const page = { limit: 25, page: 1 };
      const directory = registry.directory();
      const named = directory.found({
        ...page,
        name: "again visible",
        name_scope: "any",
      });
      const near = directory.near({
        ...page,
        center: { lat: 41.88, lng: -87.62 },
        radius: 5,
        location_scope: "any",
      });
      assert.equal(named.total, 1, "the active one");
      assert.deepEqual(
        near.map(({ npi }) => npi),
        (mode === "withhold" ? [3] : [1, 3]).map(npiOf),
      );
    });

  test("of an NPI in the report of deactivated NPIs are kept, with its date", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL, {
      rows: [rich(1, "a"), rich(2, "a")],
      otherNames: [name(1, "NAME")],
      locations: [place(1, "1 AWAY ST")],
    });
    const before = allDetails(registry).get(npiOf(1))!;
    const path = await writeReport(registry.folder, [
      [npiOf(1), "11/07/2026"],
      [npiOf(3), "11/08/2026"],
    ]);
    assert.equal((await registry.importPath(path)).status, "imported");
    const after = allDetails(registry);
    assert.deepEqual(after.get(npiOf(1)), {
      ...before,
      identity: {
        ...before.identity,
        deactivationDate: "2026-11-07",
        deactivationReason: null,
        reactivationDate: null,
        replacementNpi: null,
      },
    });
    const { identity, taxonomies } = after.get(npiOf(3))!;
    assert.equal(identity.deactivationDate, "2026-11-08");
    assert.deepEqual(taxonomies, []);
  });

  test("are not kept if a CSV lacks them, or if they are not selected", async () => {
    using registry = new SmallRegistry();
    await registry.import(`npidata_pfile_${FULL}.csv`, [rich(1, "a")]);
    const held = () => registry.snapshot().metadata.details;
    assert.deepEqual(held(), WITHOUT_FILES);
    // A week has this part for one provider and not for the rest.
    const week = { rows: [rich(2, "b")], otherNames: [], locations: [] };
    await importZip(registry, WEEK, week);
    assert.deepEqual(held(), WITHOUT_FILES);
    await importZip(registry, "20261116-20261122", week, {
      details: new Set(["taxonomies", "locations"] as const),
    });
    assert.deepEqual(held(), ["taxonomies"]);
    await importZip(registry, "20261123-20261129", week, {
      details: new Set(),
    });
    assert.equal(held(), undefined);
    assert.equal(existsSync(registry.detailsPath()), false);
  });

  test("change only the metadata of the snapshot file, and add other files", async () => {
    using lean = new SmallRegistry();
    using rare = new SmallRegistry();
    const rows = [organization(1), rich(2, "a"), person(3)];
    await lean.import(`npidata_pfile_${FULL}.csv`, rows, {
      details: new Set(),
    });
    await rare.import(`npidata_pfile_${FULL}.csv`, rows);
    assert.deepEqual(facts(rare), facts(lean));
  });

  test("stop the import if a supplementary file is broken, and leave nothing behind", async () => {
    using registry = new SmallRegistry();
    const path = join(registry.folder, "broken.zip");
    const rows = registryCsv([person(1)], officialLayout());
    writeFileSync(
      path,
      await zipBytes([
        { name: `npidata_pfile_${FULL}.csv`, content: rows },
        { name: `pl_pfile_${FULL}.csv`, content: '"NPI","Something"\n' },
      ]),
    );
    await assert.rejects(registry.importPath(path), {
      name: "RegistryFileError",
      message:
        /pl_pfile_20050523-20261108\.csv in .*broken\.zip is not a practice-locations file: its first line lacks .*\. Download the zip again\./,
    });
    assert.deepEqual(
      readdirSync(join(registry.store.dataDir, "snapshots")),
      [],
    );
  });

  test("skip unusable rows", async () => {
    using registry = new SmallRegistry();
    const outcome = await importZip(registry, FULL, {
      rows: [person(1)],
      otherNames: [
        { ...name(1, "GOOD") },
        { ...name(1, "BAD"), NPI: "1234567890" },
      ],
      locations: [],
    });
    assert.deepEqual(outcome.report.details.otherNames, {
      rows: 1,
      badRows: 1,
      maskedNumbers: 0,
    });
    assert.equal(allDetails(registry).get(npiOf(1))!.otherNames.length, 1);
  });

  test("format the states of U.S. locations like the record", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL, {
      rows: [person(1)],
      otherNames: null,
      locations: [
        ["Illinois", "us"],
        ["il", ""],
        ["Illinois", "CA"],
        ["ON", "CA"],
        ["ae", "DE"],
        ["", ""],
      ].map(([state = "", country = ""]) =>
        place(1, "1 INVENTED WAY", "", "TOWN", state, "60601", country),
      ),
    });
    assert.deepEqual(
      allDetails(registry)
        .get(npiOf(1))!
        .locations.map(({ state }) => state),
      ["IL", "IL", "Illinois", "ON", "AE", null],
    );
  });

  test("are reported by verify and on reading if they are damaged on disk", async () => {
    using registry = new SmallRegistry();
    await registry.import(`npidata_pfile_${FULL}.csv`, [rich(1, "MARKED")]);
    const { id } = registry.snapshot().metadata;
    damage(`${registry.detailsPath()}-${id}`, "MARKED");
    const told = [
      `The details entry file providers.details-${id} does not match its checksum.`,
    ];
    const verified = (): string[] =>
      verifyDetails(registry.snapshot(), registry.detailsPath());
    assert.deepEqual(verified(), told);
    {
      using details = reader(registry);
      const npi = Number(npiOf(1));
      assert.throws(() => details.get(npi, registry.snapshot().rank(npi)), {
        name: "SnapshotFormatError",
        message: /does not match its checksum; roll back or import again\.$/,
      });
    }
    // A week indexes the details that stay, so it fails. One that replaces them does not need them, and they are still reported.
    const week = `npidata_pfile_${WEEK}.csv`;
    for (const row of [withheld(1, "11/01/2026"), rich(2, "b")])
      await assert.rejects(
        registry.import(week, [row]),
        /does not match its checksum; roll back or import again\.$/,
      );
    await registry.import(week, [rich(1, "b")]);
    assert.deepEqual(verified(), told);
  });

  test("are reported by verify and refused by an import if a file is missing", async () => {
    using registry = new SmallRegistry();
    await registry.import(`npidata_pfile_${FULL}.csv`, [rich(1, "a")]);
    const { id } = registry.snapshot().metadata;
    rmSync(`${registry.detailsPath()}-${id}`);
    assert.deepEqual(
      verifyDetails(registry.snapshot(), registry.detailsPath()),
      [
        `The details file is damaged: providers.details-${id} is missing; roll back or import again.`,
      ],
    );
    await assert.rejects(
      registry.import(`npidata_pfile_${WEEK}.csv`, [rich(1, "b")]),
      /The details file of the current snapshot \S+ is damaged \(The details file is damaged: providers\.details-\S+ is missing\)/,
    );
  });

  test("of an update are in a separate file; those of the base share the base's bytes on disk", async () => {
    using registry = new SmallRegistry();
    const full = await registry.import(`npidata_pfile_${FULL}.csv`, [
      rich(1, "a"),
      rich(2, "b"),
    ]);
    const first = registry.snapshot().metadata.id;
    const firstFile = `${registry.detailsPath()}-${first}`;
    assert.equal(full.status, "imported");
    await registry.import(`npidata_pfile_${WEEK}.csv`, [rich(2, "c")]);
    const second = registry.snapshot().metadata.id;
    const linked = join(
      dirname(registry.detailsPath()),
      `providers.details-${first}`,
    );
    assert.equal(statSync(linked).ino, statSync(firstFile).ino);
    using details = reader(registry);
    assert.deepEqual(
      details.metadata.files.map((file) => file.name),
      [`providers.details-${first}`, `providers.details-${second}`],
    );
  });
});

fullTest(
  "the details of the real weeks equal a plain reading, for every NPI",
  async (t) => {
    if (!existsSync(SHARED))
      return t.skip("the folder of real registry files is not there");
    using registry = new SmallRegistry();
    const reference = new ReferenceDetails();
    for (const week of cases(WEEKS)) {
      const path = fileURLToPath(
        new URL(`NPPES_Data_Dissemination_${week}_Weekly.zip`, SHARED),
      );
      const outcome = await registry.importPath(path);
      assert.equal(outcome.status, "imported");
      reference.apply({
        kind: "week",
        rows: await unzippedRows(path),
        otherNames: null,
        locations: null,
      });
      const found = allDetails(registry);
      const wanted = expected(reference);
      assert.deepEqual([...found.keys()], [...wanted.keys()]);
      for (const [npi, details] of found) {
        // These zips have no supplementary files, so other names and locations are not kept.
        const held = { ...wanted.get(npi), otherNames: [], locations: [] };
        if (!isDeepStrictEqual(details, held))
          assert.deepEqual(details, held, npi);
      }
    }
  },
);

/** Changes one byte of a text in a file. */
function damage(path: string, text: string): void {
  const at = readFileSync(path).indexOf(text);
  assert.ok(at > 0 && at < statSync(path).size);
  const fd = openSync(path, "r+");
  writeSync(fd, "?", at);
  closeSync(fd);
}

describe("details whose bytes change while they are open", () => {
  test("are never wrong: whatever bit flips, they are unchanged or reported as damaged", async () => {
    using registry = new SmallRegistry();
    await registry.import(`npidata_pfile_${FULL}.csv`, threePeople());
    const before = [...allDetails(registry)];
    assert.ok(before.some(([, { taxonomies }]) => taxonomies.length > 0));
    const snapshot = registry.snapshot();
    const folder = dirname(registry.detailsPath());
    let damaged = 0;
    for (const file of readdirSync(folder).filter((each) =>
      each.startsWith("providers.details"),
    )) {
      const path = join(folder, file);
      const whole = readFileSync(path);
      using opened = reader(registry);
      for (const [npi] of before)
        opened.get(Number(npi), snapshot.rank(Number(npi)));
      for (const [at, bit] of someBits(whole.length)) {
        flip(path, whole, at, bit);
        for (const [npi, held] of before) {
          try {
            const found = opened.get(Number(npi), snapshot.rank(Number(npi)));
            assert.deepEqual(
              found === null ? NOTHING : storedDetails(found),
              held,
            );
          } catch (error) {
            if (!(error instanceof SnapshotFormatError)) throw error;
            damaged++;
          }
        }
        flip(path, whole, at, 0);
      }
    }
    assert.ok(damaged > 0);
  });
});

/** Bits of a file, each as byte position and value: some of the header, which is read once, and all after it. */
function* someBits(length: number): Generator<[number, number]> {
  for (let at = 0; at < FIRST_SECTION; at += 7) yield [at, 4];
  for (let bit = 8 * FIRST_SECTION; bit < 8 * length; bit++)
    yield [bit >>> 3, 1 << (bit & 7)];
}

/** Writes one byte of a file as it was, with one bit flipped or none. */
function flip(path: string, whole: Buffer, at: number, bit: number): void {
  const fd = openSync(path, "r+");
  writeSync(fd, Uint8Array.of(whole[at]! ^ bit), 0, 1, at);
  closeSync(fd);
}

function threePeople(): RawRow[] {
  return [0, 1, 2].map((number) => person(number));
}
