import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  DETAIL_PARTS,
  type DetailPart,
} from "../../src/contract/detail-parts.ts";
import type { ImportRequest } from "../../src/importing/import-registry.ts";
import { deactivationsDate } from "../../src/snapshot/metadata.ts";
import {
  workbookBytes,
  writeReport,
  type ReportRow,
} from "../support/pure/registry/deactivation-report.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";
import {
  FULL,
  npiOf,
  people,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";
const OCTOBER = "NPPES_Deactivated_NPI_Report_101226.zip";
const NOVEMBER = "NPPES_Deactivated_NPI_Report_110926.zip";
const DECEMBER = "NPPES_Deactivated_NPI_Report_121426.zip";

/** Imports a report of 2026-11-09, or of the day in its name. */
async function importReport(
  registry: SmallRegistry,
  rows: readonly ReportRow[],
  options: Partial<ImportRequest> & { name?: string } = {},
) {
  const { name, ...request } = options;
  return registry.importPath(
    await writeReport(registry.folder, rows, name),
    request,
  );
}

/** The counts of a report's outcomes, without zeros. */
async function countsOf(
  registry: SmallRegistry,
  rows: readonly ReportRow[],
  options: Partial<ImportRequest> & { name?: string } = {},
) {
  const outcome = await importReport(registry, rows, options);
  assert.ok(outcome.status === "imported", JSON.stringify(outcome));
  assert.deepEqual(registry.faults(), []);
  return Object.fromEntries(
    Object.entries(outcome.report.deactivations ?? {}).filter(
      ([, count]) => count > 0,
    ),
  );
}

function held(registry: SmallRegistry, number: number) {
  return registry.directory().recordOf(npiOf(number));
}

function appliedTo(registry: SmallRegistry) {
  const { metadata } = registry.snapshot();
  return registry.store.appliedFiles(metadata);
}

/** A provider that is active again, with details as of its reactivation. */
function reactivated(
  number: number,
  deactivationDate: string,
  reactivationDate: string,
): RawRow {
  return person(number, {
    last: "AGAIN",
    deactivationDate,
    reactivationDate,
    lastUpdated: reactivationDate,
  });
}

describe("a report of deactivated NPIs", () => {
  it("deactivates those that are active, and keeps their last details", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    assert.deepEqual(
      await countsOf(registry, [
        [npiOf(3), "11/02/2026"],
        [npiOf(9), "11/09/2026"],
      ]),
      { deactivated: 2 },
    );
    const provider = held(registry, 3);
    assert.equal(provider?.status, "deactivated");
    assert.equal(provider.deactivation_date, "2026-11-02");
    assert.equal(provider.name?.last, "EXAMPLE");
    assert.equal(held(registry, 4)?.status, "active");
    assert.equal(registry.directory().found({ limit: 25, page: 1 }).total, 20);
  });

  it("withholds the details if the operator chose so", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(5));
    const deactivatedDetails = "withhold";
    await importReport(registry, [[npiOf(3), "11/02/2026"]], {
      deactivatedDetails,
    });
    const provider = held(registry, 3);
    assert.equal(provider?.deactivation_date, "2026-11-02");
    assert.equal(provider.name, null);
  });

  it("withholds the details that were kept before, though it lists nothing new", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(5));
    await registry.import(WEEK, [withheld(3, "11/12/2026")]);
    const rows: ReportRow[] = [[npiOf(3), "11/12/2026"]];
    await importReport(registry, rows, {
      name: DECEMBER,
      deactivatedDetails: "withhold",
    });
    assert.equal(held(registry, 3)?.name, null);
    assert.equal(held(registry, 3)?.deactivation_date, "2026-11-12");
  });

  it("adds an unknown NPI, with only its date", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(5));
    const rows: ReportRow[] = [
      [npiOf(77), "01/05/2010"],
      [npiOf(77), "01/06/2010"],
      [npiOf(4), "01/05/2010"],
    ];
    assert.deepEqual(await countsOf(registry, rows), {
      added: 1,
      deactivated: 1,
    });
    assert.equal(held(registry, 77)?.deactivation_date, "2010-01-06");
    assert.equal(held(registry, 77)?.entity_type, null);
  });

  it("changes the date of a deactivated NPI", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [...people(3), withheld(7, "01/05/2010")]);
    assert.deepEqual(await countsOf(registry, [[npiOf(7), "01/06/2010"]]), {
      redated: 1,
    });
    assert.equal(held(registry, 7)?.deactivation_date, "2010-01-06");
  });

  it("does not change NPIs that it does not list", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [...people(3), withheld(7, "01/05/2010")]);
    await importReport(registry, [[npiOf(1), "11/01/2026"]]);
    assert.equal(held(registry, 7)?.status, "deactivated");
    assert.equal(held(registry, 7)?.deactivation_date, "2010-01-05");
  });

  it("is outweighed by rows of a newer week, whatever they contain", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(9));
    await registry.import(WEEK, [
      person(3, { lastUpdated: "11/12/2026" }),
      person(4, { lastUpdated: "11/01/2026" }),
      withheld(5, "11/13/2026"),
    ]);
    assert.deepEqual(
      await countsOf(registry, [
        [npiOf(3), "11/02/2026"],
        [npiOf(4), "11/02/2026"],
        [npiOf(5), "11/02/2026"],
        [npiOf(6), "11/02/2026"],
      ]),
      { deactivated: 1, outweighed: 3 },
    );
    assert.equal(held(registry, 3)?.status, "active");
    assert.equal(held(registry, 4)?.status, "active");
    assert.equal(held(registry, 5)?.deactivation_date, "2026-11-13");
    assert.equal(held(registry, 6)?.status, "deactivated");
  });

  it("is outweighed by a later update, even if the file's name has no period", async () => {
    using registry = new SmallRegistry();
    await registry.import("renamed.csv", [
      person(1, { lastUpdated: "11/10/2026" }),
      person(2, { lastUpdated: "11/09/2026" }),
    ]);
    assert.deepEqual(
      await countsOf(registry, [
        [npiOf(1), "11/02/2026"],
        [npiOf(2), "11/02/2026"],
      ]),
      { deactivated: 1, outweighed: 1 },
    );
    assert.equal(held(registry, 1)?.status, "active");
  });

  it("is outweighed by a later full file, even one that lacks an NPI", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    const { status } = await importReport(
      registry,
      [
        [npiOf(1), "10/02/2026"],
        [npiOf(99), "10/02/2026"],
      ],
      { name: OCTOBER },
    );
    assert.equal(status, "unchanged");
    assert.equal(held(registry, 1)?.status, "active");
    assert.equal(held(registry, 99), null);
  });

  for (const details of [new Set(DETAIL_PARTS), new Set<DetailPart>()])
    it(`does not overrule a reactivation on or after the deactivation that it lists, ${details.size === 0 ? "without" : "with"} details`, async () => {
      using registry = new SmallRegistry();
      await registry.import(
        FULL,
        [
          person(1),
          reactivated(2, "10/20/2026", "11/05/2026"),
          reactivated(3, "10/20/2026", "10/20/2026"),
          reactivated(4, "10/20/2026", "11/05/2026"),
        ],
        { details },
      );
      assert.deepEqual(
        await countsOf(
          registry,
          [
            [npiOf(1), "10/20/2026"],
            [npiOf(2), "10/20/2026"],
            [npiOf(3), "10/20/2026"],
            [npiOf(4), "11/06/2026"],
          ],
          { details },
        ),
        { deactivated: 2, outweighed: 2 },
      );
      const statuses = [1, 2, 3, 4].map(
        (number) => held(registry, number)?.status,
      );
      assert.deepEqual(statuses, [
        "deactivated",
        "active",
        "active",
        "deactivated",
      ]);
      // The dates stay in the record through an update without them.
      await registry.import(WEEK, [person(9)], { details });
      const rows: ReportRow[] = [[npiOf(2), "11/04/2026"]];
      const options = { name: DECEMBER, details };
      const { status } = await importReport(registry, rows, options);
      assert.equal(status, "unchanged");
    });

  it("is outweighed by a reactivation in an older week, too, when that is merged later", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    const rows: ReportRow[] = [1, 2].map((number) => [
      npiOf(number),
      "11/10/2026",
    ]);
    await importReport(registry, rows, { name: DECEMBER });
    await registry.import(WEEK, [
      reactivated(1, "11/01/2026", "11/12/2026"),
      reactivated(2, "11/01/2026", "11/09/2026"),
    ]);
    const shown = [1, 2].map((number) => {
      const { name, status } = held(registry, number) ?? {};
      return [name?.last, status];
    });
    assert.deepEqual(shown, [
      ["AGAIN", "active"],
      ["AGAIN", "deactivated"],
    ]);
  });

  it("outweighs an earlier week, even one merged later; the week's details are kept", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    await importReport(
      registry,
      [
        [npiOf(1), "11/18/2026"],
        [npiOf(7), "11/18/2026"],
      ],
      { name: DECEMBER },
    );
    const updated = { last: "UPDATED", lastUpdated: "11/12/2026" };
    const week = await registry.import(WEEK, [
      person(1, updated),
      person(7, updated),
      person(2, updated),
    ]);
    assert.ok(week.status === "imported");
    assert.equal(week.report.outweighed, 0);
    for (const number of [1, 7]) {
      const provider = held(registry, number);
      assert.equal(provider?.status, "deactivated");
      assert.equal(provider.deactivation_date, "2026-11-18");
      assert.equal(provider.name?.last, "UPDATED");
    }
    assert.equal(held(registry, 2)?.status, "active");
    assert.deepEqual(registry.faults(), []);
  });

  it("leaves no trace on an NPI deactivated on that date: a later row of a week that is merged afterwards counts", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    await registry.import(WEEK, [withheld(1, "11/10/2026")]);
    const rows: ReportRow[] = [[npiOf(1), "11/10/2026"]];
    const { status } = await importReport(registry, rows, { name: DECEMBER });
    assert.equal(status, "unchanged");
    await registry.import("npidata_pfile_20261116-20261122.csv", [person(1)]);
    assert.equal(held(registry, 1)?.status, "active");
  });

  it("changes no date if a newer report was imported", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [...people(3), withheld(7, "11/06/2026")]);
    const newer = { name: DECEMBER };
    await importReport(registry, [[npiOf(7), "11/06/2026"]], newer);
    assert.deepEqual(
      await countsOf(registry, [
        [npiOf(7), "01/05/2010"],
        [npiOf(1), "11/07/2026"],
      ]),
      { deactivated: 1, outweighed: 1 },
    );
    assert.equal(held(registry, 7)?.deactivation_date, "2026-11-06");
  });

  it("is outweighed by a later week with an active provider", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    await importReport(registry, [[npiOf(1), "11/02/2026"]]);
    await registry.import(WEEK, [
      person(1, {
        deactivationDate: "11/02/2026",
        reactivationDate: "11/11/2026",
        lastUpdated: "11/11/2026",
      }),
    ]);
    assert.equal(held(registry, 1)?.status, "active");
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15",
    );
  });
});

describe("the same report again", () => {
  const rows: ReportRow[] = [[npiOf(1), "11/02/2026"]];

  it("changes nothing, in its zip or not", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    const name = "NPPES Deactivated NPI Report 20261109.xlsx";
    const content = await workbookBytes(rows);
    const zip = join(registry.folder, NOVEMBER);
    const workbook = join(registry.folder, name);
    writeFileSync(zip, await zipBytes([{ name, content }]));
    writeFileSync(workbook, content);
    await registry.importPath(zip);
    const current = registry.store.currentId();
    for (const outcome of [
      await registry.importPath(zip),
      await registry.importPath(workbook),
      await registry.importPath(zip, { force: true }),
    ])
      assert.equal(outcome.status, "unchanged");
    assert.equal(registry.store.currentId(), current);
  });

  it("is remembered next to the snapshot, and by the next one, if it changed nothing", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [...people(3), withheld(1, "11/02/2026")]);
    assert.equal(deactivationsDate(appliedTo(registry)), null);
    const current = registry.store.currentId();
    const outcome = await importReport(registry, rows);
    assert.deepEqual(outcome, {
      status: "unchanged",
      message:
        "report.xlsx lists no new deactivations up to 2026-11-09. Nothing to do.",
    });
    assert.equal(registry.store.currentId(), current);
    assert.equal(deactivationsDate(appliedTo(registry)), "2026-11-09");
    const again = await registry.importPath(join(registry.folder, NOVEMBER));
    assert.ok(again.status === "unchanged");
    assert.match(again.message, /was already imported/);
    assert.equal(appliedTo(registry).length, 2);

    await registry.import(WEEK, [person(2, { last: "CHANGED" })]);
    assert.deepEqual(
      registry.snapshot().metadata.files.map(({ kind }) => kind),
      ["full", "deactivations", "week"],
    );
    assert.equal(deactivationsDate(appliedTo(registry)), "2026-11-09");
    await importReport(registry, [[npiOf(2), "12/01/2026"]], {
      name: DECEMBER,
    });
    assert.equal(held(registry, 2)?.status, "deactivated");
    assert.equal(deactivationsDate(appliedTo(registry)), "2026-12-14");
  });
});

describe("a report that cannot be imported", () => {
  it("is refused without any providers", async () => {
    using registry = new SmallRegistry();
    const refused = async () => {
      const outcome = await importReport(registry, [[npiOf(1), "11/02/2026"]]);
      assert.ok(outcome.status === "refused");
      assert.match(outcome.message, /Import a full or weekly file first\.$/);
    };
    await refused();
    await registry.import(FULL, people(3), { demo: true });
    await refused();
    assert.equal(held(registry, 1)?.status, "active");
  });

  it("is refused for too many bad rows, with the report of them", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    const rows: ReportRow[] = [
      [npiOf(1), "11/02/2026"],
      [npiOf(2), "never"],
    ];
    const outcome = await importReport(registry, rows);
    assert.ok(outcome.status === "refused");
    assert.match(outcome.message, /1 of 2 rows of report\.xlsx are unusable/);
    const forced = await importReport(registry, rows, { force: true });
    assert.ok(forced.status === "imported");
    assert.deepEqual(forced.report.badRows.byReason, {
      invalid_deactivation_date: 1,
    });
    assert.equal(forced.report.badRows.examples[0]?.line, 4);
  });
});
