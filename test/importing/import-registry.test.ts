import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";
import {
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";
import {
  FULL,
  npiOf,
  people,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

const WEEK_1 = "npidata_pfile_20261109-20261115.csv";
const WEEK_2 = "npidata_pfile_20261116-20261122.csv";

describe("importing a file", () => {
  it("makes a snapshot that verifies, with a report", async () => {
    using registry = new SmallRegistry();
    const outcome = await registry.import(FULL, people(50));
    assert.ok(outcome.status === "imported");
    assert.equal(registry.store.currentId(), outcome.id);
    assert.deepEqual(registry.faults(), []);
    const report: unknown = JSON.parse(
      readFileSync(registry.store.reportPathOf(outcome.id), "utf8"),
    );
    assert.deepEqual(report, JSON.parse(JSON.stringify(outcome.report)));
    assert.equal(outcome.report.rows, 50);
    assert.equal(outcome.report.counts?.individuals, 50);
  });

  it("records where the data comes from", async () => {
    using registry = new SmallRegistry();
    await registry.import(WEEK_1, people(3));
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), weekly updates to 2026-11-15",
    );
    await registry.import(FULL, people(3));
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2026-11-08",
    );
    await registry.import(WEEK_1, people(3));
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-15",
    );
  });

  it("treats a file without a period in its name as full and undated", async () => {
    using registry = new SmallRegistry();
    await registry.import("renamed.csv", people(3));
    assert.equal(registry.directory().source, "NPPES (CMS), full file");
  });

  it("imports a registry of one row, and an empty one", async () => {
    using registry = new SmallRegistry();
    await registry.import(WEEK_1, people(1));
    assert.deepEqual(registry.faults(), []);
    await registry.import(FULL, [], { force: true });
    assert.deepEqual(registry.faults(), []);
    assert.equal(registry.directory().found({ limit: 25, page: 1 }).total, 0);
    assert.equal(registry.directory().recordOf(npiOf(0)), null);
  });

  it("imports a text that takes nearly all of the longest row", async () => {
    using registry = new SmallRegistry();
    const address1 = "AB ".repeat(340_000).trimEnd();
    const middle = "x".repeat(9_000);
    await registry.import(FULL, [person(1, { address1, middle })]);
    const held = registry.directory().recordOf(npiOf(1));
    assert.equal(held?.practice_address?.address_1, address1);
    assert.equal(held?.name?.middle, middle);
    await registry.import(WEEK_1, [person(2)]);
    const kept = registry.directory().recordOf(npiOf(1));
    assert.equal(kept?.practice_address?.address_1, address1);
  });

  fullTest(
    "refuses more taxonomy codes than a snapshot can have, and publishes nothing",
    async () => {
      using registry = new SmallRegistry();
      const header = officialLayout();
      const rows = Array.from({ length: 65_536 }, (_, number) =>
        rawRow({ npi: npiOf(number), entityType: "1", last: "EXAMPLE" }, [
          { code: `T${String(number).padStart(8, "0")}X`, primary: "Y" },
        ]),
      );
      await assert.rejects(
        registry.importText(FULL, registryCsv(rows, header)),
        {
          name: "RegistryFileError",
          message: /65536 different taxonomy codes, .* at most 65535\./,
        },
      );
      assert.deepEqual(registry.store.ids(), []);
      assert.deepEqual(registry.store.builds.list(), []);
    },
  );

  it("uses the last row of an NPI", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [
      person(1, { last: "FIRST" }),
      person(1, { last: "LAST" }),
    ]);
    assert.equal(registry.directory().recordOf(npiOf(1))?.name?.last, "LAST");
    assert.equal(registry.directory().found({ limit: 25, page: 1 }).total, 1);
  });

  it("makes the same bytes from the same rows", async () => {
    using one = new SmallRegistry();
    using other = new SmallRegistry();
    await one.import(FULL, people(40), { now: noon });
    await other.import(FULL, people(40), { now: noon });
    assert.deepEqual(
      Buffer.from(one.snapshot().sections.buffer),
      Buffer.from(other.snapshot().sections.buffer),
    );
  });
});

describe("a week", () => {
  it("is merged into the data, in any number", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    await registry.import(WEEK_1, [person(3, { last: "CHANGED" }), person(99)]);
    await registry.import(WEEK_2, [person(4, { last: "TOO" })]);
    const directory = registry.directory();
    assert.equal(directory.found({ limit: 25, page: 1 }).total, 21);
    assert.equal(directory.recordOf(npiOf(3))?.name?.last, "CHANGED");
    assert.equal(directory.recordOf(npiOf(4))?.name?.last, "TOO");
    assert.deepEqual(registry.faults(), []);
  });

  it("is merged under the name that the registry used until 2017, after a full file of then", async () => {
    using registry = new SmallRegistry();
    await registry.import("npidata_20050523-20140413.csv", people(3));
    await registry.import("npidata_20140414-20140420.csv", people(3));
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2014-04-13, weekly updates to 2014-04-20",
    );
  });

  it("leaves no trace of names that it changed", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [person(1, { last: "UNMARRIED" }), person(2)]);
    await registry.import(WEEK_1, [person(1, { last: "MARRIED" })]);
    assert.equal(
      registry.directory().found({ last_name: "unmarried", limit: 25, page: 1 })
        .total,
      0,
    );
  });

  it("that was skipped is reported by a later one, and merged where it is newer", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [person(1), person(2)]);
    const later = await registry.import(WEEK_2, [
      person(1, { last: "NEWER", lastUpdated: "11/20/2026" }),
    ]);
    assert.ok(later.status === "imported");
    assert.deepEqual(later.report.missingDays, [
      { from: "2026-11-09", to: "2026-11-15" },
    ]);
    const leftOut = await registry.import(WEEK_1, [
      person(1, { last: "OLDER", lastUpdated: "11/10/2026" }),
      person(2, { last: "MISSED", lastUpdated: "11/11/2026" }),
    ]);
    assert.ok(leftOut.status === "imported");
    assert.equal(leftOut.report.outweighed, 1);
    assert.deepEqual(leftOut.report.missingDays, []);
    assert.equal(registry.directory().recordOf(npiOf(1))?.name?.last, "NEWER");
    assert.equal(registry.directory().recordOf(npiOf(2))?.name?.last, "MISSED");
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-22",
    );
  });

  it("that was skipped deactivates as of a day before the last update, with the details that a newer deactivation keeps", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [
      person(1, { lastUpdated: "11/05/2026" }),
      person(2),
    ]);
    await registry.import(WEEK_2, [withheld(2, "11/18/2026")]);
    await registry.import(WEEK_1, [
      withheld(1, "10/01/2026"),
      person(2, { last: "LAST KNOWN", lastUpdated: "11/10/2026" }),
    ]);
    const directory = registry.directory();
    assert.equal(directory.recordOf(npiOf(1))?.deactivation_date, "2026-10-01");
    const { deactivation_date, name, status } =
      directory.recordOf(npiOf(2)) ?? {};
    assert.deepEqual(
      [status, deactivation_date, name?.last],
      ["deactivated", "2026-11-18", "LAST KNOWN"],
    );
    // As if the weeks were imported in order, the deactivation ends with the provider's next row.
    await registry.import("npidata_pfile_20261123-20261129.csv", [
      person(2, { lastUpdated: "11/24/2026" }),
    ]);
    assert.equal(registry.directory().recordOf(npiOf(2))?.status, "active");
  });

  it("is refused if the data already covers it, and merged with force where no file that ends later has the NPI", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [person(1), person(2)]);
    await registry.import(WEEK_1, [person(2)]);
    await registry.import(WEEK_2, [
      person(1, { last: "NEWER", lastUpdated: "11/20/2026" }),
    ]);
    const older = [
      person(1, { last: "OLDER", lastUpdated: "11/10/2026" }),
      person(2, { last: "MISSED", lastUpdated: "11/11/2026" }),
    ];
    const refused = await registry.import(WEEK_1, older);
    assert.equal(refused.status, "refused");
    assert.match(
      "message" in refused ? refused.message : "",
      /goes through 2026-11-22\..*--force to merge it: of an NPI, the row of the file whose period ends last counts\./,
    );
    const forced = await registry.import(WEEK_1, older, { force: true });
    assert.ok(forced.status === "imported");
    assert.equal(forced.report.outweighed, 1);
    assert.equal(registry.directory().recordOf(npiOf(1))?.name?.last, "NEWER");
    assert.equal(registry.directory().recordOf(npiOf(2))?.name?.last, "MISSED");
  });

  it("merged with force never outweighs a later file, whatever the dates in the rows", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, [person(1), person(2)]);
    await registry.import(WEEK_2, [
      person(1, { last: "LATER FILE", lastUpdated: "01/02/2020" }),
    ]);
    await registry.import(WEEK_1, []);
    const forced = await registry.import(
      WEEK_1,
      [
        person(1, { last: "LATER DATE", lastUpdated: "11/30/2026" }),
        person(2, { last: "OLD DATE", lastUpdated: "01/02/2019" }),
      ],
      { force: true },
    );
    assert.equal(forced.status, "imported");
    const lastNames = [1, 2].map(
      (number) => registry.directory().recordOf(npiOf(number))?.name?.last,
    );
    assert.deepEqual(lastNames, ["LATER FILE", "OLD DATE"]);
  });

  it("is an older one, too, when the full file covers it", async () => {
    using registry = new SmallRegistry();
    await registry.import("npidata_pfile_20050523-20261215.csv", people(3));
    assert.equal((await registry.import(WEEK_1, people(3))).status, "refused");
  });
});

describe("the same file again", () => {
  it("changes nothing and says so, even after newer files", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    await registry.import(WEEK_1, people(1));
    await registry.import(WEEK_2, people(2));
    const before = registry.store.currentId();
    for (const [name, rows] of [
      [WEEK_2, people(2)],
      [WEEK_1, people(1)],
      [FULL, people(3)],
    ] as const) {
      const again = await registry.import(name, rows);
      assert.equal(again.status, "unchanged");
      assert.match(
        "message" in again ? again.message : "",
        /was already imported/,
      );
    }
    const { status } = await registry.import(WEEK_1, people(2));
    assert.equal(status, "refused", "another file of a period held");
    assert.equal(registry.store.currentId(), before);
    assert.equal(registry.store.ids().length, 3);
  });
});

describe("a full file", () => {
  it("replaces everything: an NPI that it lacks is gone", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    await registry.import("npidata_pfile_20050523-20261213.csv", people(19));
    assert.equal(registry.directory().recordOf(npiOf(19)), null);
  });

  it("stops with fewer than 90 % of the current rows, unless forced", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    const next = "npidata_pfile_20050523-20261213.csv";
    const refused = await registry.import(next, people(17));
    assert.match(
      "message" in refused ? refused.message : "",
      /17 rows, fewer than 90 % of the current 20 providers/,
    );
    assert.equal(registry.directory().found({ limit: 1, page: 1 }).total, 20);
    assert.equal(
      (await registry.import(next, people(17), { force: true })).status,
      "imported",
    );
    assert.equal(registry.directory().found({ limit: 1, page: 1 }).total, 17);
  });

  it("is refused when an older one would replace a newer one, unless forced", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3));
    const older = "npidata_pfile_20050523-20261011.csv";
    assert.equal((await registry.import(older, people(3))).status, "refused");
    assert.equal(
      (await registry.import(older, people(3), { force: true })).status,
      "imported",
    );
  });

  it("is never mixed with demo providers", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(50), { demo: true });
    assert.match(registry.directory().source, /^Demo data/);
    await registry.import(WEEK_1, [person(99)]);
    assert.equal(registry.directory().found({ limit: 1, page: 1 }).total, 1);
    assert.equal(
      registry.directory().source,
      "NPPES (CMS), weekly updates to 2026-11-15",
    );
  });
});

describe("a file without a row", () => {
  it("is refused, as first data and as a replacement, unless forced", async () => {
    using registry = new SmallRegistry();
    for (const name of [FULL, WEEK_1]) {
      const refused = await registry.import(name, []);
      assert.match(
        "message" in refused ? refused.message : "",
        /has no usable rows/,
      );
    }
    assert.equal(registry.store.currentId(), null);
  });
});

describe("deactivated providers", () => {
  it("keep the last known details, through weeks and full files", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    await registry.import(WEEK_1, [
      withheld(5, "11/12/2026"),
      withheld(77, "11/12/2026"),
    ]);
    await registry.import("npidata_pfile_20050523-20261213.csv", [
      ...people(5),
      withheld(5, "11/12/2026"),
      ...people(20).slice(6),
    ]);
    const kept = registry.directory().recordOf(npiOf(5));
    assert.equal(kept?.status, "deactivated");
    assert.equal(kept?.deactivation_date, "2026-11-12");
    assert.equal(kept?.last_updated, "2024-01-02");
    assert.equal(kept?.name?.last, "EXAMPLE");
    assert.equal(
      registry
        .directory()
        .found({ status: "deactivated", zip: "60601", limit: 25, page: 1 })
        .total,
      1,
    );
    assert.equal(registry.directory().recordOf(npiOf(77)), null);
  });

  it("are withheld if the operator chose so, even those kept before", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    await registry.import(WEEK_1, [withheld(5, "11/12/2026")]);
    await registry.import(WEEK_2, [withheld(6, "11/18/2026")], {
      deactivatedDetails: "withhold",
    });
    for (const [number, date] of [
      [5, "2026-11-12"],
      [6, "2026-11-18"],
    ] as const) {
      assert.deepEqual(registry.directory().recordOf(npiOf(number)), {
        npi: npiOf(number),
        entity_type: null,
        name: null,
        organization_name: null,
        status: "deactivated",
        enumeration_date: null,
        last_updated: null,
        deactivation_date: date,
        primary_taxonomy: null,
        practice_address: null,
      });
    }
  });

  it("are active again with their new row", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    await registry.import(WEEK_1, [withheld(5, "11/12/2026")]);
    await registry.import(WEEK_2, [
      person(5, {
        deactivationDate: "11/12/2026",
        reactivationDate: "11/17/2026",
      }),
    ]);
    const provider = registry.directory().recordOf(npiOf(5));
    assert.equal(provider?.status, "active");
    assert.equal(provider?.deactivation_date, null);
  });
});

describe("unusable rows", () => {
  it("are counted with line and reason, and stop the import above 0.1 %", async () => {
    using registry = new SmallRegistry();
    const rows = [
      ...people(1500),
      person(0, { npi: "1234567890" }),
      person(0, { npi: "12" }),
    ];
    const refused = await registry.import(FULL, rows);
    assert.match(
      "message" in refused ? refused.message : "",
      /2 of 1502 rows .* are unusable, more than 0\.1 %/,
    );
    assert.equal(registry.store.currentId(), null);
    const forced = await registry.import(FULL, rows, { force: true });
    assert.ok(forced.status === "imported");
    assert.deepEqual(forced.report.badRows, {
      total: 2,
      byReason: { invalid_npi: 2 },
      examples: [
        { line: 1502, reason: "invalid_npi", npi: "1234567890" },
        { line: 1503, reason: "invalid_npi" },
      ],
    });
  });

  it("do not stop it up to 0.1 %", async () => {
    using registry = new SmallRegistry();
    const outcome = await registry.import(FULL, [
      ...people(999),
      person(0, { npi: "1234567890" }),
    ]);
    assert.equal(outcome.status, "imported");
  });

  it("keep no more than 1,000 examples", async () => {
    using registry = new SmallRegistry();
    const bad = Array.from({ length: 1200 }, () => person(0, { npi: "0" }));
    const outcome = await registry.import(FULL, [...people(3), ...bad], {
      force: true,
    });
    assert.ok(outcome.status === "imported");
    assert.equal(outcome.report.badRows.total, 1200);
    assert.equal(outcome.report.badRows.examples.length, 1000);
  });
});

describe("an import that fails", () => {
  it("leaves the served snapshot, and no leftovers after the next one", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    const before = registry.store.currentId();
    const text = registryCsv(people(30), officialLayout()).replace(
      "Provider First Name",
      "First",
    );
    await assert.rejects(registry.importText(WEEK_1, text), RegistryFileError);
    registry.store.builds.begin(registry.store.newId(Date.now()));
    assert.equal(registry.store.currentId(), before);
    assert.equal(registry.store.ids().length, 1);
    await registry.import(WEEK_1, people(1));
    assert.deepEqual(registry.store.builds.list(), []);
  });

  it("stops on request, and changes nothing", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(20));
    const before = registry.store.currentId();
    await assert.rejects(
      registry.import(WEEK_1, people(1), { signal: AbortSignal.abort() }),
      { name: "AbortError" },
    );
    assert.equal(registry.store.currentId(), before);
  });
});

function noon(): number {
  return Date.UTC(2026, 10, 20, 12);
}
