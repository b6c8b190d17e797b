import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { writeReport } from "../../support/pure/registry/deactivation-report.ts";
import { fails, runProgram, succeeded } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import {
  FULL,
  npiOf,
  person,
  withheld,
} from "../../support/pure/registry/small-registry.ts";
import type { RawRow } from "../../support/pure/registry/raw-row.ts";
import {
  officialLayout,
  registryCsv,
} from "../../support/pure/registry/registry-csv.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";
const NOW = "2026-11-17T08:00:00Z";

/** A data folder to which files of rows can be imported at a time. */
function dataFolder() {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  return {
    dataDir,
    run: (args: readonly string[], time = NOW) =>
      runProgram([...args, "--data-dir", dataDir], at(time)),
    async import(name: string, rows: readonly RawRow[], time = NOW) {
      const path = join(folder.path, name);
      writeFileSync(path, registryCsv(rows, officialLayout()));
      const out = await succeeded(
        runProgram(["import", path, "--data-dir", dataDir], at(time)),
      );
      return out;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The program at a time. */
function at(time: string) {
  return { context: { now: () => Date.parse(time) } };
}

/** A full file of 2026-11-10, and a week that adds, changes and deactivates. */
async function twoImports() {
  const data = dataFolder();
  await data.import(FULL, [person(1), person(2)], "2026-11-10T08:00:00Z");
  const out = await data.import(WEEK, [
    person(1, { last: "OTHER", address2: "STE 7" }),
    withheld(2, "11/11/2026"),
    person(3),
  ]);
  return Object.assign(data, { out });
}

suite("provider-directory changes", () => {
  test("import prints how many changes of each kind there were", async () => {
    using data = await twoImports();
    assert.match(data.out, /^ {2}changes: 1 added, 1 changed, 1 deactivated$/m);
  });

  test("prints each import with its counts, and each change with its old and new value", async () => {
    using data = await twoImports();
    assert.deepEqual(await data.run(["changes"]), {
      code: 0,
      out: [
        "2026-11-10  npidata_pfile_20050523-20261108.csv, data through 2026-11-08: the list starts with this import",
        "2026-11-17  npidata_pfile_20261109-20261115.csv, data through 2026-11-15: 1 added, 1 changed, 1 deactivated",
        `  ${npiOf(1)} changed: name.last EXAMPLE → OTHER; practice_address.address_2 (none) → STE 7`,
        `  ${npiOf(2)} deactivated: status active → deactivated; deactivation_date (none) → 2026-11-11`,
        `  ${npiOf(3)} added`,
        "",
      ].join("\n"),
      err: "",
    });
  });

  test("--json prints one object per line, --npi selects a provider, --since a first day", async () => {
    using data = await twoImports();
    const { out } = await data.run([
      "changes",
      "--json",
      "--npi",
      `="${npiOf(1)}"`,
    ]);
    const [line = "", ...others] = out.trimEnd().split("\n");
    assert.deepEqual(others, []);
    const { snapshot, ...change } = JSON.parse(line);
    assert.match(snapshot, /^20261117T08/);
    assert.deepEqual(change, {
      npi: npiOf(1),
      kind: "changed",
      date: "2026-11-17",
      data_date: "2026-11-15",
      file: WEEK,
      fields: {
        "name.last": { old: "EXAMPLE", new: "OTHER" },
        "practice_address.address_2": { old: null, new: "STE 7" },
      },
    });
    const later = await data.run(["changes", "--since", "2026-11-18"]);
    assert.match(later.out, /^No changes on or after 2026-11-18\./);
    const since = await data.run(["changes", "--since", "2026-11-11"]);
    assert.equal(since.out.split("\n").length, 5);
  });

  test("--npi prints only the imports that changed the provider, or that none did", async () => {
    using data = await twoImports();
    const { out } = await data.run(["changes", "--npi", npiOf(3)]);
    assert.equal(
      out,
      `2026-11-17  ${WEEK}, data through 2026-11-15\n  ${npiOf(3)} added\n`,
    );
    for (const [args, sentence] of [
      [["--npi", npiOf(9)], `No changes to ${npiOf(9)}.`],
      [
        ["--npi", npiOf(3), "--since", "2026-11-18"],
        `No changes to ${npiOf(3)} on or after 2026-11-18.`,
      ],
    ] as const) {
      const none = await data.run(["changes", ...args]);
      assert.equal(
        none.out,
        `${sentence} The list covers everything since the data of 2026-11-10T08:00:00.000Z.\n`,
      );
    }
  });

  test("prints twenty changes of an import, and how to see all", async () => {
    using data = dataFolder();
    await data.import(FULL, [person(1)]);
    const many = Array.from({ length: 23 }, (_, index) => person(10 + index));
    await data.import(WEEK, many);
    const { out } = await data.run(["changes"]);
    assert.equal(out.match(/ added$/gm)?.length, 21);
    assert.match(out, /^ {2}and 3 more; use --json to print all$/m);
    const json = await data.run(["changes", "--json"]);
    assert.equal(json.out.trimEnd().split("\n").length, 23);
  });

  test("--with-details also shows changes of details", async () => {
    using data = dataFolder();
    const column = "Provider First Line Business Mailing Address";
    await data.import(FULL, [person(1)], "2026-11-10T08:00:00Z");
    await data.import(WEEK, [{ ...person(1), [column]: "PO BOX 2" }]);
    const plain = await data.run(["changes"]);
    assert.doesNotMatch(plain.out, /PO BOX/);
    const { out } = await data.run(["changes", "--with-details"]);
    assert.match(
      out,
      new RegExp(
        `^ {2}${npiOf(1)} changed: mailing_address.address_1 \\(none\\) → PO BOX 2$`,
        "m",
      ),
    );
    const args = ["changes", "--with-details", "--json", "--npi", npiOf(1)];
    const json = JSON.parse((await data.run(args)).out);
    assert.deepEqual(json.details, [
      { field: "mailing_address.address_1", old: null, new: "PO BOX 2" },
    ]);
    assert.deepEqual(json.fields, {});
  });

  test("--with-details prints twenty changes, those of only details included", async () => {
    using data = dataFolder();
    const column = "Provider First Line Business Mailing Address";
    const numbers = Array.from({ length: 23 }, (_, number) => number);
    await data.import(
      FULL,
      numbers.map((number) => person(number)),
      "2026-11-10T08:00:00Z",
    );
    const moved = (number: number) => ({ ...person(number), [column]: "PO 2" });
    await data.import(WEEK, numbers.map(moved));
    const { out } = await data.run(["changes", "--with-details"]);
    assert.equal(out.match(/ → PO 2$/gm)?.length, 20);
    assert.match(out, /^ {2}and more; use --json to print all$/m);
    assert.doesNotMatch((await data.run(["changes"])).out, /PO 2| more;/);
  });

  test("does not list changes that were rolled back", async () => {
    using data = await twoImports();
    await succeeded(data.run(["snapshots", "rollback"]));
    assert.doesNotMatch((await data.run(["changes"])).out, /20261115/);
  });

  test("keeps changes for the days of --keep-changes", async () => {
    using data = await twoImports();
    const path = join(data.dataDir, "npidata_pfile_20261116-20261122.csv");
    writeFileSync(path, registryCsv([person(4)], officialLayout()));
    await succeeded(
      data.run(["import", path, "--keep-changes", "5"], "2026-11-24T08:00:00Z"),
    );
    assert.match((await data.run(["changes"])).out, /^2026-11-24 /);
  });

  test("reports missing data, and invalid days and NPIs", async () => {
    using data = dataFolder();
    await fails(data.run(["changes"]), 1, /There is no data folder /);
    for (const args of [
      ["--since", "2026-02-30"],
      ["--npi", "1234567890"],
    ])
      assert.equal((await data.run(["changes", ...args])).code, 2);
  });
});

suite("provider-directory status", () => {
  test("shows the snapshot, files, counts, changes and disk use, and no warning while the data is recent", async () => {
    using data = await twoImports();
    const { code, err, out } = await data.run(["status"]);
    assert.deepEqual([code, err], [0, ""]);
    const lines = out.trimEnd().split("\n");
    const expected = [
      /^Snapshot: {2}20261117T08\d+Z, created 2026-11-17 08:00 UTC$/,
      /^Source: {4}NPPES \(CMS\), full file 2026-11-08, weekly updates to 2026-11-15$/,
      /^Data: {6}through 2026-11-15, 2 days old$/,
      /^Providers: 3 \(3 individuals, 0 organizations, 0 withheld by the registry\), 1 of them deactivated$/,
      /^Details: {3}taxonomies, identity, mailing_address, identifiers$/,
      /^Taxonomy: {2}the built-in table/,
      /^Files: {5}npidata_pfile_20050523-20261108.csv \(full file, 2005-05-23 to 2026-11-08\)$/,
      /^ {11}npidata_pfile_20261109-20261115.csv \(weekly file, 2026-11-09 to 2026-11-15\)$/,
      /^Update: {4}no schedule$/,
      /^Changes: {3}last on 2026-11-17: 1 added, 1 changed, 1 deactivated$/,
      /^ {11}3 listed from 1 import; complete since 2026-11-10 08:00 UTC$/,
      /^Disk: {6}\S+ [kM]B in 2 snapshots, 0 bytes in downloads, \S+ kB in databases; \S+ [MGT]B free$/,
    ];
    assert.equal(lines.length, expected.length, out);
    for (const [index, pattern] of expected.entries())
      assert.match(lines[index] ?? "", pattern);
  });

  test("distinguishes a report of deactivated NPIs from a weekly file", async () => {
    using data = await twoImports();
    using folder = temporaryFolder();
    const report = await writeReport(folder.path, [[npiOf(1), "11/08/2026"]]);
    await data.run(["import", report]);
    assert.match(
      (await data.run(["status"])).out,
      /^ {11}report\.xlsx \(deactivated NPIs as of 2026-11-09\)$/m,
    );
  });

  test("shows everything else if the changes cannot be read, and why", async () => {
    using data = dataFolder();
    await data.import(FULL, [person(1)]);
    writeFileSync(
      join(data.dataDir, "changes.sqlite"),
      "no database".repeat(9),
    );
    const out = await succeeded(data.run(["status"]));
    assert.match(out, /^Source: {4}NPPES/m);
    assert.match(
      out,
      /^Changes: {3}The changes database .* is damaged\. Restore it from a backup, or move it away/m,
    );
    assert.match(out, /^Disk: .* in 1 snapshot, /m);
    const json = JSON.parse((await data.run(["status", "--json"])).out);
    assert.equal(json.changes, null);
    assert.match(json.changes_fault, /is damaged/);
  });

  test("warns of data older than ten days, with exit code 0", async () => {
    using data = await twoImports();
    const young = await data.run(["status"], "2026-11-25T23:59:00Z");
    assert.equal(young.err, "");
    const { code, err } = await data.run(["status"], "2026-11-26T00:00:00Z");
    assert.equal(code, 0);
    assert.equal(
      err,
      "provider-directory: warning: The data goes through 2026-11-15 and is 11 days old. The registry publishes an update every week.\n",
    );
  });

  test("shows the next update and how the last one ended", async () => {
    using data = await twoImports();
    const write = (status: object) =>
      writeFileSync(
        join(data.dataDir, "update-status.json"),
        JSON.stringify(status),
      );
    const status = {
      schedule: "0 6 * * *",
      zone: "America/New_York",
      nextAt: "2026-11-18T11:00:00.000Z",
      lastStartedAt: "2026-11-17T11:00:00.000Z",
      lastFinishedAt: "2026-11-17T11:01:00.000Z",
      lastOutcome: "failed",
      lastMessage: "The page is not there.",
    };
    write(status);
    const { out } = await data.run(["status"]);
    assert.match(
      out,
      /^Update: {4}next 2026-11-18 11:00 UTC \(0 6 \* \* \*, America\/New_York\)$/m,
    );
    assert.match(
      out,
      /^ {11}last finished 2026-11-17 11:01 UTC, failed: The page is not there\.$/m,
    );
    assert.match(
      (await data.run(["status"], "2026-11-18T11:02:00Z")).out,
      /^Update: {4}was due 2026-11-18 11:00 UTC, but no service ran it \(0 6/m,
    );
    write({ ...status, lastFinishedAt: null });
    assert.match(
      (await data.run(["status"])).out,
      /^ {11}last started 2026-11-17 11:00 UTC, not finished$/m,
    );
  });

  test("--json prints the same", async () => {
    using data = await twoImports();
    const { out } = await data.run(["status", "--json"]);
    const { changes, disk, snapshot, ...rest } = JSON.parse(out);
    assert.deepEqual(rest, {
      snapshots: 2,
      warning: null,
      update: null,
      changes_fault: null,
    });
    assert.deepEqual(
      [snapshot.data_date, snapshot.data_age_days, snapshot.counts.providers],
      ["2026-11-15", 2, 3],
    );
    assert.deepEqual(
      [changes.sets, changes.changes, changes.last.date, changes.last.added],
      [1, 3, "2026-11-17", 1],
    );
    assert.ok(disk.snapshots > 0 && disk.free > 0);
  });

  test("demo data has no age; without data it says what to do", async () => {
    using data = dataFolder();
    assert.equal((await data.run(["status"])).code, 1);
    await data.run(["demo", "--providers", "100"]);
    const { err, out } = await data.run(["status"], "2030-01-01T00:00:00Z");
    assert.equal(err, "");
    assert.match(out, /^Data: {6}a demo: invented providers, without a date$/m);
    assert.match(out, /^Changes: {3}none listed yet$/m);
  });
});
