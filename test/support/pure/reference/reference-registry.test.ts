import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Provider } from "../../../../src/contract/provider.ts";
import { inventedNpi } from "../registry/invented-npi.ts";
import { type RawRow, rawRow, type RowValues } from "../registry/raw-row.ts";
import {
  FORCE,
  fullFile,
  type ImportOptions,
  type ImportOutcome,
  ReferenceRegistry,
  type RegistryFile,
} from "./reference-registry.ts";

const [ANN, BOB] = [inventedNpi(100_000_001), inventedNpi(100_000_002)];
const KEEP: ImportOptions = { deactivatedDetails: "keep", force: false };
const WITHHOLD: ImportOptions = {
  deactivatedDetails: "withhold",
  force: false,
};

describe("one file", () => {
  it("keeps the last row of an NPI, and drops unusable rows", () => {
    const registry = new ReferenceRegistry(new Map());
    const unusable = rawRow({ npi: ANN, entityType: "7", last: "THIRD" });
    registry.import(
      full("2026-01-04", [
        person(ANN, { last: "FIRST" }),
        person(ANN, { last: "SECOND" }),
        unusable,
      ]),
      KEEP,
    );
    assert.deepEqual(lastNames(registry), ["SECOND"]);
  });
});

describe("a full file", () => {
  it("replaces everything: an NPI absent from it is gone", () => {
    const registry = imported(
      full("2026-01-04", [person(ANN), person(BOB)]),
      full("2026-02-08", [person(BOB)]),
    );
    assert.deepEqual(npis(registry), [BOB]);
  });

  it("keeps the last details of a deactivated NPI, last_updated included, over any number of files", () => {
    const row = person(ANN, {
      last: "SMITH",
      lastUpdated: "05/23/2005",
      city: "SALEM",
    });
    const registry = imported(
      full("2026-01-04", [row]),
      full("2026-02-08", [withheld(ANN, "01/20/2026")]),
      full("2026-03-08", [withheld(ANN, "01/20/2026")]),
    );
    const { status, deactivation_date, last_updated, name, practice_address } =
      held(registry, ANN);
    assert.deepEqual(
      [status, deactivation_date, last_updated],
      ["deactivated", "2026-01-20", "2005-05-23"],
    );
    assert.deepEqual([name?.last, practice_address?.city], ["SMITH", "SALEM"]);
  });

  it("has no details of an NPI that it never had, or that an earlier full file lacked", () => {
    const gone = imported(
      full("2026-01-04", [person(ANN, { last: "SMITH" })]),
      full("2026-02-08", [person(BOB)]),
      full("2026-03-08", [
        withheld(ANN, "01/20/2026"),
        withheld(BOB, "01/20/2026"),
      ]),
    );
    assert.equal(held(gone, ANN).name, null);
    assert.notEqual(held(gone, BOB).name, null);
  });

  it("takes no details from a row of the same file", () => {
    const registry = imported(
      full("2026-01-04", [
        person(ANN, { last: "SMITH" }),
        withheld(ANN, "01/01/2026"),
      ]),
    );
    assert.equal(held(registry, ANN).name, null);
  });

  it("makes an NPI active again with the details of its new row", () => {
    const registry = imported(
      full("2026-01-04", [person(ANN, { last: "SMITH", city: "SALEM" })]),
      full("2026-02-08", [withheld(ANN, "01/20/2026")]),
      full("2026-03-08", [
        person(ANN, {
          last: "JONES",
          deactivationDate: "01/20/2026",
          reactivationDate: "02/20/2026",
        }),
      ]),
    );
    const { status, deactivation_date, name, practice_address } = held(
      registry,
      ANN,
    );
    assert.deepEqual(
      [status, deactivation_date, name?.last, practice_address],
      ["active", null, "JONES", null],
    );
  });
});

describe("withholding details", () => {
  it("shows what the registry shows of deactivated NPIs, also of those that the file does not name", () => {
    const registry = imported(
      full("2026-01-04", [
        person(ANN, { last: "SMITH" }),
        person(BOB, { last: "SMITH" }),
      ]),
      week("2026-01-11", [withheld(ANN, "01/05/2026")]),
    );
    assert.equal(held(registry, ANN).name?.last, "SMITH");
    registry.import(
      week("2026-01-18", [withheld(BOB, "01/12/2026")]),
      WITHHOLD,
    );
    assert.deepEqual(
      [held(registry, ANN).name, held(registry, BOB).name],
      [null, null],
    );
    assert.equal(held(registry, ANN).deactivation_date, "2026-01-05");
  });

  it("does not touch the details that the registry itself publishes", () => {
    const registry = new ReferenceRegistry(new Map());
    registry.import(
      full("2026-01-04", [
        person(ANN, { last: "SMITH", deactivationDate: "01/02/2026" }),
      ]),
      WITHHOLD,
    );
    assert.deepEqual(
      [held(registry, ANN).status, held(registry, ANN).name?.last],
      ["deactivated", "SMITH"],
    );
  });

  it("cannot be undone by keeping", () => {
    const registry = imported(
      full("2026-01-04", [person(ANN, { last: "SMITH" })]),
    );
    registry.import(
      week("2026-01-11", [withheld(ANN, "01/05/2026")]),
      WITHHOLD,
    );
    registry.import(week("2026-01-18", [withheld(ANN, "01/05/2026")]), KEEP);
    assert.equal(held(registry, ANN).name, null);
  });
});

describe("a weekly file", () => {
  it("is merged, and makes the first registry when there is none", () => {
    const registry = imported(
      week("2026-01-11", [person(ANN, { last: "FIRST" })]),
      week("2026-01-18", [person(BOB, { last: "SECOND" })]),
    );
    assert.deepEqual(lastNames(registry), ["FIRST", "SECOND"]);
  });

  it("wins by being newer, whatever its rows' dates say", () => {
    const registry = imported(
      week("2026-01-11", [
        person(ANN, { last: "NEW", lastUpdated: "01/09/2026" }),
      ]),
      week("2026-01-18", [
        person(ANN, { last: "OLD", lastUpdated: "01/02/2005" }),
      ]),
    );
    assert.deepEqual(lastNames(registry), ["OLD"]);
  });

  it("keeps the details of an NPI that it deactivates", () => {
    const registry = imported(
      week("2026-01-11", [person(ANN, { last: "SMITH" })]),
      week("2026-01-18", [withheld(ANN, "01/13/2026")]),
    );
    assert.deepEqual(
      [held(registry, ANN).status, held(registry, ANN).name?.last],
      ["deactivated", "SMITH"],
    );
  });

  it("is refused when older than the newest applied, also when the full file covers it, and changes nothing", () => {
    const registry = imported(
      full("2026-01-11", [person(ANN, { last: "FULL" })]),
    );
    assert.equal(
      registry.import(
        week("2026-01-04", [person(ANN, { last: "WEEK" })]),
        KEEP,
      ),
      "refused",
    );
    assert.equal(
      registry.import(
        week("2026-01-11", [person(ANN, { last: "WEEK" })]),
        KEEP,
      ),
      "refused",
    );
    for (const end of ["2026-01-18", "2026-01-25"])
      assert.equal(
        registry.import(week(end, [person(BOB, { last: "WEEK" })]), KEEP),
        "applied",
      );
    assert.equal(
      registry.import(
        week("2026-01-18", [person(ANN, { last: "WEEK" })]),
        KEEP,
      ),
      "refused",
    );
    assert.deepEqual(lastNames(registry), ["FULL", "WEEK"]);
  });

  it("is accepted if it was skipped, and wins only with the newer date", () => {
    const registry = imported(
      full("2026-01-11", [person(ANN, { lastUpdated: "01/10/2026" })]),
    );
    const apply = (end: string, lastUpdated: string): string =>
      registry.import(
        week(end, [person(ANN, { last: end, lastUpdated })]),
        KEEP,
      );
    assert.equal(apply("2026-01-25", "01/20/2026"), "applied");
    assert.equal(apply("2026-01-18", "01/15/2026"), "applied");
    assert.deepEqual(lastNames(registry), ["2026-01-25"]);
  });

  it("changes nothing when it is the same file again", () => {
    const file = week("2026-01-11", [person(ANN)]);
    const registry = imported(file);
    assert.equal(registry.import(file, KEEP), "unchanged");
    registry.import(week("2026-01-18", [person(ANN)]), KEEP);
    assert.equal(registry.import(file, KEEP), "unchanged");
    assert.deepEqual(npis(registry), [ANN]);
  });
});

describe("an older week by force", () => {
  it("loses to a newer period, whatever its rows are dated", () => {
    for (const [newer, older] of [
      ["01/02/2026", "01/03/2026"],
      ["01/03/2026", "01/02/2026"],
      ["", "01/02/2026"],
      ["01/02/2026", "01/02/2026"],
    ] as const)
      assert.equal(
        forced({ lastUpdated: newer }, { lastUpdated: older }),
        "HELD",
      );
  });

  it("wins over an older period", () => {
    const registry = imported(
      week("2026-01-04", [
        person(ANN, { last: "OLDEST", lastUpdated: "01/13/2026" }),
      ]),
      week("2026-01-18", [person(BOB, { last: "NEWEST" })]),
    );
    const between = { last: "BETWEEN", lastUpdated: "01/02/2026" };
    registry.import(week("2026-01-11", [person(ANN, between)]), FORCE);
    assert.deepEqual(lastNames(registry), ["BETWEEN", "NEWEST"]);
  });

  it("supplies the last details beneath a deactivation of a newer period", () => {
    const details = { last: "SMITH", lastUpdated: "01/09/2026" };
    const registry = imported(
      week("2026-01-04", [
        person(ANN, { last: "BEFORE", lastUpdated: "01/02/2026" }),
      ]),
      week("2026-01-18", [withheld(ANN, "01/13/2026")]),
    );
    registry.import(week("2026-01-11", [person(ANN, details)]), FORCE);
    const { deactivation_date, name, status } = held(registry, ANN);
    assert.deepEqual(
      [status, deactivation_date, name?.last],
      ["deactivated", "2026-01-13", "SMITH"],
    );
    registry.import(week("2025-12-28", [person(ANN)]), FORCE);
    assert.equal(held(registry, ANN).name?.last, "SMITH");
  });

  it("adds unknown NPIs", () => {
    const registry = imported(
      week("2026-01-18", [person(ANN, { last: "ANN" })]),
    );
    assert.equal(
      registry.import(
        week("2026-01-11", [person(BOB, { last: "BOB" })]),
        FORCE,
      ),
      "applied",
    );
    assert.deepEqual(lastNames(registry), ["ANN", "BOB"]);
  });
});

describe("the source", () => {
  it("names the end dates of the full file and of the newest week, or only one of them", () => {
    const registry = new ReferenceRegistry(new Map());
    assert.equal(registry.source(), "");
    registry.import(week("2026-01-11", [person(ANN)]), KEEP);
    assert.equal(
      registry.source(),
      "NPPES (CMS), weekly updates to 2026-01-11",
    );
    registry.import(full("2026-11-09", [person(ANN)]), KEEP);
    assert.equal(registry.source(), "NPPES (CMS), full file 2026-11-09");
    registry.import(week("2026-11-15", [person(ANN)]), KEEP);
    assert.equal(
      registry.source(),
      "NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15",
    );
  });

  it("keeps the newest end date when an older week is merged", () => {
    const registry = imported(week("2026-01-18", [person(ANN)]));
    registry.import(week("2026-01-11", [person(BOB)]), FORCE);
    assert.equal(
      registry.source(),
      "NPPES (CMS), weekly updates to 2026-01-18",
    );
  });
});

/** Whose row is kept after an older week is forced: the current row's or the week's, by these values. */
function forced(
  values: RowValues,
  olderWeek: RowValues,
): string | null | undefined {
  const registry = imported(
    week("2026-01-18", [person(ANN, { last: "HELD", ...values })]),
  );
  registry.import(
    week("2026-01-11", [person(ANN, { last: "OLDER WEEK", ...olderWeek })]),
    FORCE,
  );
  return held(registry, ANN).name?.last;
}

function imported(...files: RegistryFile[]): ReferenceRegistry {
  const registry = new ReferenceRegistry(new Map());
  const outcomes: ImportOutcome[] = files.map((file) =>
    registry.import(file, KEEP),
  );
  assert.deepEqual(new Set(outcomes), new Set(["applied"]));
  return registry;
}

function full(to: string, rows: RawRow[]): RegistryFile {
  return fullFile(rows, to);
}

function week(to: string, rows: RawRow[]): RegistryFile {
  const sunday = new Date(`${to}T00:00:00Z`);
  const monday = new Date(sunday.getTime() - 6 * 86_400_000);
  return { kind: "weekly", from: monday.toISOString().slice(0, 10), to, rows };
}

function person(npi: string, values: RowValues = {}): RawRow {
  return rawRow({ npi, entityType: "1", ...values });
}

function withheld(npi: string, deactivationDate: string): RawRow {
  return rawRow({ npi, deactivationDate });
}

function held(registry: ReferenceRegistry, npi: string): Provider {
  const provider = registry.providers().find((each) => each.npi === npi);
  assert.ok(provider);
  return provider;
}

function npis(registry: ReferenceRegistry): string[] {
  return registry.providers().map(({ npi }) => npi);
}

function lastNames(registry: ReferenceRegistry): (string | null | undefined)[] {
  return registry.providers().map(({ name }) => name?.last);
}
