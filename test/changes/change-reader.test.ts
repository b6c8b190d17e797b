import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { readCursor, writeCursor } from "../../src/contract/cursor.ts";
import { openForWriting } from "../../src/changes/database.ts";
import { ChangingRegistry } from "../support/pure/registry/changing-registry.ts";
import {
  FULL,
  npiOf,
  person,
} from "../support/pure/registry/small-registry.ts";

/** The week that starts `number` weeks after 2026-11-09, and the day after its end. */
function week(number: number): { name: string; day: string } {
  const at = (days: number) =>
    new Date(Date.UTC(2026, 10, 9 + number * 7 + days))
      .toISOString()
      .slice(0, 10);
  return {
    name: `npidata_pfile_${compact(at(0))}-${compact(at(6))}.csv`,
    day: at(8),
  };
}

function compact(day: string): string {
  return day.replaceAll("-", "");
}

/** A registry with a full file of 2026-11-10 and as many `weeks`; week n adds the NPIs 10 n and 10 n + 1. */
async function registryOf(
  weeks: number,
  keepDays = 400,
): Promise<ChangingRegistry & { ids: string[] }> {
  const data = Object.assign(new ChangingRegistry(), { ids: [] as string[] });
  data.keepDays = keepDays;
  data.ids.push(await data.import(FULL, "2026-11-10", [person(1)]));
  for (let number = 1; number <= weeks; number++)
    data.ids.push(await importWeek(data, number));
  return data;
}

function importWeek(data: ChangingRegistry, number: number): Promise<string> {
  const { day, name } = week(number);
  return data.import(name, day, [person(number * 10), person(number * 10 + 1)]);
}

function daysOf(data: ChangingRegistry): string[] {
  return data.sets().map(({ appliedOn }) => appliedOn);
}

suite("the list of changes", () => {
  test("starts at the mark of the first import", async () => {
    using data = await registryOf(2);
    assert.deepEqual(daysOf(data), ["2026-11-10", week(1).day, week(2).day]);
    assert.deepEqual(
      data.sets().map(({ base }) => base),
      [null, data.ids[0], data.ids[1]],
    );
  });

  test("loses an import that is rolled back, and has it again once it is current again", async () => {
    using data = await registryOf(2);
    const [, first = "", second = ""] = data.ids;
    data.store.makeCurrent(first, Date.now());
    assert.deepEqual(daysOf(data), ["2026-11-10", week(1).day]);
    data.store.makeCurrent(second, Date.now());
    assert.equal(daysOf(data).length, 3);

    // The next import builds on the first one. The list does not include what was rolled back.
    data.store.makeCurrent(first, Date.now());
    await importWeek(data, 3);
    assert.deepEqual(daysOf(data), ["2026-11-10", week(1).day, week(3).day]);
  });

  test("has nothing new after a position from another thread that already serves a newer snapshot", async () => {
    using data = await registryOf(2);
    const [, first = "", second = ""] = data.ids;
    const from = { snapshot: second, behind: 1 } as const;
    const page = data.reader.page(first, { from, limit: 9 });
    assert.deepEqual(page && [page.changes, page.end, page.hasMore], [
      [],
      from,
      false,
    ]);
    assert.equal(
      data.reader.page(second, { from, limit: 9 })?.changes.length,
      1,
    );

    data.store.makeCurrent(first, Date.now());
    assert.equal(data.reader.page(first, { from, limit: 9 }), null);
  });

  test("does not have what a killed import wrote, which the next import removes", async () => {
    using data = await registryOf(1);
    const { onBuilt } = data.recording("2026-11-30");
    await assert.rejects(
      data.import(week(2).name, "2026-11-30", [person(20)], {
        onBuilt: (built) => {
          onBuilt?.(built);
          throw new Error("killed");
        },
      }),
      /killed/,
    );
    assert.equal(daysOf(data).length, 2);
    assert.equal(storedSets(data), 3);
    await importWeek(data, 3);
    assert.equal(storedSets(data), 3);
    assert.deepEqual(daysOf(data), ["2026-11-10", week(1).day, week(3).day]);
  });

  test("is kept for the given days; a position in a removed set is gone, and the list starts at the end of that set", async () => {
    using data = await registryOf(2, 10);
    const [, first = "", second = ""] = data.ids;
    assert.deepEqual(daysOf(data), [week(1).day, week(2).day]);
    const page = (behind: number | "all") =>
      data.reader.page(second, { from: { snapshot: first, behind }, limit: 9 });
    assert.equal(page(1)?.changes.length, 3);
    assert.equal(page("all")?.changes.length, 2);

    const third = await importWeek(data, 3);
    const later = (snapshot: string, behind: number | "all") =>
      data.reader.page(third, { from: { snapshot, behind }, limit: 9 });
    assert.deepEqual(daysOf(data), [week(2).day, week(3).day]);
    assert.equal(later(first, 1), null);
    assert.equal(later(first, "all")?.changes.length, 4);
    assert.equal(later(second, 1)?.changes.length, 3);
    assert.equal(
      later(second, 1)?.completeSince,
      `${week(1).day}T12:00:00.000Z`,
    );
  });

  test("never goes back in time, whatever the clock does", async () => {
    using data = await registryOf(1);
    await data.import(week(2).name, "2026-11-01", [person(20)]);
    assert.deepEqual(daysOf(data), ["2026-11-10", week(1).day, week(1).day]);
  });

  test("of one NPI has only its changes", async () => {
    using data = await registryOf(1);
    const [, set] = data.sets();
    assert.ok(set !== undefined);
    assert.deepEqual(
      [...data.reader.changes(set, npiOf(11))].map(({ npi }) => npi),
      [npiOf(11)],
    );
    assert.deepEqual([...data.reader.changes(set, npiOf(12))], []);
  });

  test("is empty if nothing was written, and refuses a database of another version", async () => {
    using data = new ChangingRegistry();
    const id = await data.import(FULL, "2026-11-10", [person(1)], {
      onBuilt: () => undefined,
    });
    assert.deepEqual(data.sets(), []);
    assert.deepEqual(
      data.reader.page(id, { from: null, limit: 5 })?.changes,
      [],
    );
    const database = openForWriting(data.store.dataDir);
    database.exec("PRAGMA user_version = 99");
    database.close();
    using reader = new ChangeReader(data.store.dataDir);
    assert.throws(
      () => reader.lineage(id),
      /its schema version is 99, and this program reads 1\. Run the version that wrote it, or move the file away/,
    );
  });
});

test("a cursor is read as written, and nothing else is a cursor", () => {
  for (const behind of [1, 35_000, "all"] as const) {
    const position = { snapshot: "20261116T031500000Z", behind };
    assert.deepEqual(readCursor(writeCursor(position)), position);
  }
  for (const cursor of [
    "",
    "20261116T031500000Z.1",
    word("20261116T031500000Z"),
    word("20261116T031500000Z.0"),
    word("20261116T031500000Z.1 "),
    word("20261116T031500000Z.01"),
    `${word("20261116T031500000Z.1")}=`,
  ])
    assert.equal(readCursor(cursor), null, cursor);
});

function word(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** The number of sets in the database, whether or not they lead to the current snapshot. */
function storedSets(data: ChangingRegistry): number {
  const database = openForWriting(data.store.dataDir);
  const row = database.prepare("SELECT count(*) AS n FROM change_set").get();
  database.close();
  return Number(row?.["n"]);
}
