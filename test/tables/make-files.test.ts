import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { suite, test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { EXPORT_COLUMNS } from "../../src/contract/export-columns.ts";
import { filesFolder } from "../../src/tables/kept-files.ts";
import { makeFiles, NoSpaceForFiles } from "../../src/tables/make-files.ts";
import { FILE_WRITER } from "../../src/tables/write-files.ts";
import { FleetFolders } from "../fleet/fleet-folders.ts";
import { askApp, startHttpService } from "../support/app/http-service.ts";
import { readParquet } from "../support/pure/read-parquet.ts";
import { ENDPOINT_COLUMNS } from "../support/pure/reference/reference-details.ts";
import { importRecorded } from "../support/pure/registry/recorded-imports.ts";
import {
  FULL,
  npiOf,
  people,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import {
  FULL_PERIOD,
  otherName,
  WEEK_PERIOD,
  WIDENED,
} from "../support/pure/registry/widened-registry.ts";
import {
  filesToMake,
  makeCurrentFiles,
} from "../support/pure/snapshot-files.ts";

const LISTS = {
  taxonomies: "taxonomies",
  other_names: "other_names",
  practice_locations: "locations",
  identifiers: "identifiers",
  endpoints: "endpoints",
};
/** Records with texts that are hard to write, places to sort by, and an entry in each list. */
const ROWS = [
  ...WIDENED.rows,
  person(11, { last: 'O\'BRIEN "QUOTED", JR\\', first: "JOSÉ", city: "NUÑO" }),
  person(12, {
    last: "診療所 🏥",
    address2: "\u2028ʼ½",
    state: "CA",
    postalCode: "90001",
  }),
  person(13, {
    state: "AL",
    postalCode: "350040001",
    address1: "  TAB\tIN  IT ",
  }),
  person(14, { state: "", postalCode: "", city: "", country: "", first: "" }),
  {
    ...person(15, { state: "AL", postalCode: "35005" }),
    "Other Provider Identifier_1": "I-1",
    "Other Provider Identifier Type Code_1": "05",
    "Other Provider Identifier State_1": "AL",
    "Provider First Line Business Mailing Address": "PO BOX 9",
    "Certification Date": "02/03/2024",
  },
];
const ENDPOINT = Object.fromEntries(
  ENDPOINT_COLUMNS.map((name, i) => [
    name,
    i === 0 ? npiOf(1) : `INVENTED ${i}`,
  ]),
);

suite("the files of a snapshot", () => {
  for (const details of [true, false])
    test(`have the values of the records, ${details ? "with" : "without"} details, and of the changes`, async () => {
      using registry = new SmallRegistry();
      if (details) {
        const further = {
          ...WIDENED,
          kind: "full",
          endpoints: [ENDPOINT],
        } as const;
        await importRecorded(registry, FULL_PERIOD, { ...further, rows: ROWS });
        await importRecorded(registry, WEEK_PERIOD, {
          ...WIDENED,
          kind: "week",
          rows: [
            person(4, { city: "JOLIET" }),
            ...people(1),
            ...WIDENED.rows.slice(0, 3),
          ],
          otherNames: [otherName(3, "SUNSET PHARMACY")],
        });
      } else await registry.import(FULL, ROWS, { details: new Set() });
      const { dataDir } = registry.store;
      const { data, meta } = await makeCurrentFiles(dataDir);
      const folder = filesFolder(dataDir, meta.snapshot);
      assert.deepEqual(
        JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")),
        { data, meta },
      );
      for (const { bytes, name, sha256 } of data) {
        const content = readFileSync(join(folder, name));
        assert.equal(content.length, bytes);
        assert.equal(
          createHash("sha256").update(content).digest("hex"),
          sha256,
        );
      }
      await using service = await startHttpService({ changesOf: dataDir });
      service.data.directory = registry.directory();
      const include = details ? "?include=all" : "";
      const { body } = await service.get(`/v1/providers/export${include}`);
      const lines = zstdDecompressSync(
        readFileSync(join(folder, "providers.ndjson.zst")),
      ).toString();
      assert.deepEqual(lines.split("\n").sort(), body.split("\n").sort());
      const records = lines
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
      const npis = records.map((record) => textAt(record, "npi"));
      assert.deepEqual(
        npis,
        npis.toSorted((a, b) => Number(a) - Number(b)),
      );

      const read = async (name: string) => {
        const described = data.find((each) => each.name === name);
        const { rows, types } = await readParquet(join(folder, name));
        assert.equal(described?.rows, rows.length);
        assert.deepEqual(
          described.columns,
          [...types].map(([column, type]) => ({ name: column, type })),
        );
        return rows;
      };
      const byNpi = await read("providers-by-npi.parquet");
      for (const [index, row] of byNpi.entries())
        assertRow(row, providerRow(records[index]));
      const byPlace = await read("providers.parquet");
      const sorted = byPlace.toSorted(
        (a, b) => Number(a["npi"]) - Number(b["npi"]),
      );
      assert.deepEqual(sorted, byNpi);
      const inUs = byPlace
        .filter(({ country }) => country === "US")
        .map(placeOf);
      assert.deepEqual(inUs, inUs.toSorted());
      if (!details) {
        assert.equal(data.length, 3);
        return;
      }
      for (const [name, part] of Object.entries(LISTS)) {
        const expected = records.flatMap((record) =>
          [valueAt(record, part) ?? []]
            .flat()
            .map((entry) =>
              Object.assign(flat(entry, ""), { npi: valueAt(record, "npi") }),
            ),
        );
        const rows = await read(`${name}.parquet`);
        assert.ok(expected.length > 0, name);
        assert.equal(rows.length, expected.length);
        for (const [index, row] of rows.entries())
          assertRow(row, expected[index] ?? {});
      }
      const authorization = `Bearer ${service.paidKey}`;
      const answer = await askApp(service.app, {
        url: "/v1/changes?include=details&since=2026-01-01",
        headers: { authorization },
      });
      const changes: ListedChange[] = answer.json().data;
      const listed = changes.map(({ details: changed = [], ...rest }) =>
        Object.assign(rest, {
          changed_details: changed.map(({ field }) => field),
        }),
      );
      assert.deepEqual(await read("changes.parquet"), listed);
      assert.equal(listed.length, 3);
      assert.deepEqual(meta.changes_from, registry.store.ids()[1]);
    });

  test("have the same bytes each time; nodes of a fleet make their own; what is there stays, or is completed", async () => {
    using fleet = new FleetFolders();
    const node = fleet.node();
    await fleet.import(ROWS);
    const { dataDir } = fleet.importer;
    const first = await makeCurrentFiles(dataDir);
    const folder = filesFolder(dataDir, first.meta.snapshot);
    assert.match(await fleet.publish(), /publication 1 /);
    await fleet.pull(node);
    assert.ok(!existsSync(filesFolder(node.dataDir, first.meta.snapshot)));
    assert.deepEqual(await makeCurrentFiles(node.dataDir), first);
    const list = readFileSync(join(folder, "manifest.json"));
    // As another process does it.
    assert.deepEqual(await makeCurrentFiles(dataDir), first);
    rmSync(join(folder, "manifest.json"));
    await fleet.import([person(30)]);
    for (const pid of [process.ppid, 2 ** 22 + 1])
      mkdirSync(join(folder, `../.files-${pid}`));
    await makeCurrentFiles(dataDir);
    assert.deepEqual(hidden(join(folder, "..")), [`.files-${process.ppid}`]);
    fleet.importer.makeCurrent(first.meta.snapshot, Date.now());
    await makeCurrentFiles(dataDir);
    assert.deepEqual(readFileSync(join(folder, "manifest.json")), list);
  });

  test("leave nothing if they are stopped, or if the disk is too small; threads that make them give way", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(3_000));
    const { dataDir } = registry.store;
    const making = filesToMake(dataDir);
    const parent = join(filesFolder(dataDir, making.id), "..");
    const stop = new AbortController();
    const stopped = makeFiles(making, stop.signal);
    const reason = new Error("The service stops.");
    const timer = setInterval(() => {
      if (hidden(parent).length > 0) stop.abort(reason);
    }, 1);
    await assert.rejects(stopped, reason);
    clearInterval(timer);
    const never = new AbortController().signal;
    await assert.rejects(
      makeFiles({ ...making, providers: 1e14 }, never),
      (error) => {
        assert.ok(error instanceof NoSpaceForFiles);
        assert.match(
          error.message,
          /^The files need up to 40000000\.0 GB of disk, and [\d.]+ GB are free\.$/,
        );
        return true;
      },
    );
    assert.deepEqual(hidden(parent), []);
    assert.ok(!existsSync(filesFolder(dataDir, making.id)));
    if (process.platform !== "linux") return;
    await using writer = FILE_WRITER.inThread({ ...making, folder: parent });
    await writer.ask("writeChanges");
    const nices = readdirSync("/proc/self/task").map((task) => {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
    });
    assert.equal(nices.filter((nice) => nice === 10).length, 1);
    assert.ok(nices.includes(0));
  });
});

type Row = Readonly<Record<string, unknown>>;

interface ListedChange {
  readonly npi: string;
  readonly details?: readonly { readonly field: string }[];
}

/** The columns of a provider, as its record has them: those of CSV, then the members of two details. */
function providerRow(record: unknown): Row {
  const row: Record<string, unknown> = {};
  for (const { name, path } of EXPORT_COLUMNS)
    row[name] = valueAt(record, path);
  for (const [name, value] of Object.entries(
    flat(valueAt(record, "identity"), ""),
  ))
    row[name in row ? `identity_${name}` : name] = value;
  return { ...row, ...flat(valueAt(record, "mailing_address"), "mailing_") };
}

/** The members of a value and of those in it, with their paths as names. */
function flat(value: unknown, prefix: string): Row {
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, member]) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.entries(flat(member, `${prefix}${name}_`))
        : [[prefix + name, member]],
    ),
  );
}

/** A member of a record by its path; null if there is none. */
function valueAt(record: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value, name) => Reflect.get(Object(value), name) ?? null, record);
}

/** What rows of one country are sorted by. */
function placeOf(row: Row): string {
  const zip = textAt(row, "postal_code").slice(0, 5);
  return `${textAt(row, "state")} ${zip} ${textAt(row, "taxonomy_code")}`;
}

function textAt(record: unknown, path: string): string {
  const text = valueAt(record, path) ?? "";
  assert.ok(typeof text === "string");
  return text;
}

/** Fails unless a row has the expected values; a column of what is null in the record is null. */
function assertRow(row: Row, expected: Row): void {
  const given = Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => value !== null || name in expected,
    ),
  );
  const known = Object.entries(expected).filter(
    ([name, value]) => value !== null || name in row,
  );
  assert.deepEqual(given, Object.fromEntries(known));
}

function hidden(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(".files"));
}
