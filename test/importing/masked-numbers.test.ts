import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { changesOf } from "../../src/changes/compare.ts";
import { describeImport } from "../../src/cli/commands/registry/import.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import {
  ENDPOINT_COLUMNS,
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
} from "../support/pure/reference/reference-details.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import { readRegistryFile } from "../support/pure/registry/read-file.ts";
import {
  officialColumns,
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { keptRow } from "../support/pure/reference/read-csv.ts";
import { startHttpService } from "../support/app/http-service.ts";

const PERIOD = "20050523-20261108";
const WEEK = "20261109-20261115";
const MASK = "***-**-****";
const SHAPE = /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/;

/** Columns with NPIs, codes of a kind and dates: a row needs them as they are. */
const FIXED = new Set(["NPI", "Entity Type Code"]);

/** A row whose every other cell is a number, or contains one. */
function leaking(
  columns: readonly string[],
  fixed: RawRow,
  text = (number: string) => number,
): RawRow {
  return {
    ...Object.fromEntries(
      columns
        .filter((column) => !FIXED.has(column))
        .map((column, at) => [
          column,
          text(`${100 + (at % 900)}-45-${6000 + at}`),
        ]),
    ),
    ...fixed,
  };
}

/** The bytes of all files of a data folder, as Latin-1. */
function allBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

async function answersOf(
  registry: SmallRegistry,
  numbers: readonly number[],
): Promise<string[]> {
  await using service = await startHttpService();
  service.data.directory = registry.directory();
  const answers = [];
  for (const number of numbers) {
    const url = `/v1/providers/${npiOf(number)}?include=all`;
    const { body, statusCode } = await service.get(url);
    assert.equal(statusCode, 200);
    answers.push(body);
  }
  return answers;
}

const entity = (number: number, code: string): RawRow => ({
  NPI: npiOf(number),
  "Entity Type Code": code,
});

const zipRows = (text?: (number: string) => string) => {
  const columns = officialColumns("V2");
  const further = (names: readonly string[]) => [
    leaking(names, { NPI: npiOf(1) }, text),
    leaking(names, { NPI: npiOf(2) }, text),
  ];
  return {
    rows: [
      leaking(columns, entity(1, "1"), text),
      leaking(columns, entity(2, "2"), text),
      person(3),
    ],
    otherNames: further(OTHER_NAME_COLUMNS),
    locations: further(LOCATION_COLUMNS),
    endpoints: further(ENDPOINT_COLUMNS),
  };
};
const CELLS =
  2 *
  (officialColumns("V2").length -
    2 +
    (OTHER_NAME_COLUMNS.length - 1) +
    (LOCATION_COLUMNS.length - 1) +
    (ENDPOINT_COLUMNS.length - 1));

/** Records of which the first provider has a last name. */
const records = (last: string) => ({
  of: () => ({
    json: JSON.stringify({ npi: npiOf(1), name: { last } }),
    isDeactivated: false,
    isWithheld: false,
    details: null,
  }),
});

const listed = (was: string, is: string) => [
  ...changesOf(records(was), records(is), Uint32Array.of(Number(npiOf(1)))),
];

describe("Social Security numbers in a registry file", () => {
  for (const [name, text] of [
    ["that are the whole value", undefined],
    ["within longer text", (number: string) => `CALL "PAT" ${number}, ZOË`],
  ] as const) {
    it(`are masked in every cell of every file, ${name}`, async () => {
      using registry = new SmallRegistry();
      const { report } = await importZip(registry, PERIOD, zipRows(text));
      assert.equal(report.maskedNumbers, CELLS);
      assert.deepEqual(report.details.endpoints, {
        rows: 2,
        badRows: 0,
        maskedNumbers: 2 * (ENDPOINT_COLUMNS.length - 1),
      });
      const stored: unknown = JSON.parse(
        readFileSync(
          registry.store.reportPathOf(registry.store.currentId() ?? ""),
          "utf8",
        ),
      );
      assert.deepEqual(stored, JSON.parse(JSON.stringify(report)));
      assert.deepEqual(registry.faults(), []);
      assert.doesNotMatch(allBytes(registry.store.dataDir), SHAPE);
      const value = text === undefined ? MASK : text(MASK);
      const [individual = "", organization = ""] = await answersOf(
        registry,
        [1, 2],
      );
      for (const body of [individual, organization]) {
        assert.doesNotMatch(body, SHAPE);
        const { data } = JSON.parse(body);
        assert.equal(data.practice_address.address_1, value);
        assert.equal(data.mailing_address.city, value);
        assert.equal(data.taxonomies[0].license_number, value);
        assert.equal(data.identifiers.length, 50);
        assert.equal(data.identifiers[49].identifier, value);
        assert.equal(data.identifiers[49].issuer, value);
        assert.equal(data.locations[0].address_1, value);
        assert.equal(data.endpoints[0].endpoint ?? value, value);
        assert.equal(data.identity.phone, value);
      }
      const { data } = JSON.parse(individual);
      assert.equal(data.name.last, value);
      assert.equal(data.name.credential, value);
      assert.equal(JSON.parse(organization).data.organization_name, value);
    });
  }

  it("are counted in the summary of the import", async () => {
    using registry = new SmallRegistry();
    const { report } = await importZip(registry, PERIOD, zipRows());
    const line = `  masked values, shaped like Social Security numbers: ${CELLS}`;
    assert.ok(describeImport(report, null, 1).includes(line));
    const { report: none } = await importZip(registry, WEEK, {
      rows: [person(4)],
      otherNames: null,
      locations: null,
    });
    assert.equal(none.maskedNumbers, 0);
    assert.ok(!describeImport(none, null, 1).join("\n").includes("masked"));
  });

  it("are masked in a week, and a later week without them replaces the mask", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, PERIOD, {
      rows: [person(1), person(2)],
      otherNames: [],
      locations: [],
      endpoints: [],
    });
    const { report } = await importZip(registry, WEEK, zipRows());
    assert.equal(report.maskedNumbers, CELLS);
    assert.doesNotMatch(allBytes(registry.store.dataDir), SHAPE);
    for (const body of await answersOf(registry, [1, 2]))
      assert.match(body, /\*{3}-\*{2}-\*{4}/);
    await importZip(registry, "20261116-20261122", {
      rows: [person(1)],
      otherNames: null,
      locations: null,
    });
    const [replaced = "", kept = ""] = await answersOf(registry, [1, 2]);
    assert.equal(JSON.parse(replaced).data.name.last, "EXAMPLE");
    assert.equal(JSON.parse(kept).data.organization_name, MASK);
  });

  it("are masked in Latin-1 files, behind quotes, and in bare cells", async () => {
    using registry = new SmallRegistry();
    const text = registryCsv(
      [
        person(1, {
          first: 'ZO\xcb "123-45-6789"',
          middle: "\xcb123-45-6789",
          address2: "1123-45-6789",
        }),
      ],
      { ...officialLayout(), quotes: "when needed" },
    );
    const path = join(registry.folder, FULL);
    writeFileSync(path, text, "latin1");
    const outcome = await registry.importPath(path);
    assert.ok(outcome.status === "imported");
    assert.equal(outcome.report.maskedNumbers, 2);
    const held = registry.directory().recordOf(npiOf(1));
    assert.equal(held?.name?.first, `ZO\xcb "${MASK}"`);
    assert.equal(held?.name?.middle, `\xcb${MASK}`);
    assert.equal(held?.practice_address?.address_2, "1123-45-6789");
  });

  it("never reach the report's bad rows, or a message about the header", async () => {
    using registry = new SmallRegistry();
    const bad = [
      person(1, { last: "123-45-6789", npi: "123-45-6789" }),
      person(2, { entityType: "123-45-6789" }),
      person(3),
    ];
    const outcome = await registry.import(FULL, bad, { force: true });
    assert.ok(outcome.status === "imported");
    assert.equal(outcome.report.badRows.total, 2);
    assert.equal(outcome.report.maskedNumbers, 3);
    assert.doesNotMatch(JSON.stringify(outcome.report), SHAPE);
    const refused = await registry.import("renamed.csv", bad.slice(0, 2));
    assert.ok(refused.status === "refused");
    assert.doesNotMatch(refused.message, SHAPE);
    assert.doesNotMatch(allBytes(registry.store.dataDir), SHAPE);
    const columns = [...officialColumns("V2"), "123-45-6789", "123-45-6789"];
    await assert.rejects(
      registry.importText(
        "twice.csv",
        registryCsv([], { ...officialLayout(), columns }),
      ),
      (error) => {
        assert.ok(error instanceof RegistryFileError);
        assert.match(error.message, /"\*{3}-\*{2}-\*{4}" twice/);
        return true;
      },
    );
  });

  it("are masked where a file is read in a thread, at every border of its chunks", async () => {
    using registry = new SmallRegistry();
    const count = 6_000;
    const rows = Array.from({ length: count }, (_, index) => ({
      ...person(index),
      NPI: inventedNpi(100_000_000 + index),
      // The numbers move through the chunks.
      "Provider First Name": `${"x".repeat(index % 97)}123-45-6789`,
    }));
    const path = join(registry.folder, FULL);
    writeFileSync(path, registryCsv(rows, officialLayout()));
    for (const minThreadBytes of [0, Number.POSITIVE_INFINITY]) {
      let kept = 0;
      const summary = await readRegistryFile(
        path,
        {
          onRow(row) {
            if (keptRow(row).first === `${"x".repeat(kept % 97)}${MASK}`)
              kept++;
          },
        },
        undefined,
        minThreadBytes,
      );
      assert.equal(summary.maskedNumbers, count);
      assert.equal(kept, count);
    }
  });

  it("that an earlier version imported are masked in lists of changes", () => {
    assert.deepEqual(listed("123-45-6789", MASK), []);
    assert.deepEqual(listed("123-45-6789", "EXAMPLE")[0]?.fields, {
      "name.last": [MASK, "EXAMPLE"],
    });
  });

  it("are masked in a cell of nearly a megabyte of them", async () => {
    using registry = new SmallRegistry();
    const count = 85_000;
    const address1 = "123-45-6789 ".repeat(count).trimEnd();
    const outcome = await registry.import(FULL, [person(1, { address1 })]);
    assert.ok(outcome.status === "imported");
    assert.equal(outcome.report.maskedNumbers, count);
    assert.equal(
      registry.directory().recordOf(npiOf(1))?.practice_address?.address_1,
      `${MASK} `.repeat(count).trimEnd(),
    );
  });
});
