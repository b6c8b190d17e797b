import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspectRegistryFile } from "../../src/registry/files/open-file.ts";
import {
  fetchUpdate,
  checkForUpdate,
  type UpdateRequest,
} from "../../src/update/fetch-update.ts";
import { removeOldDownloads } from "../../src/update/old-downloads.ts";
import type { Installed } from "../../src/update/plan/plan.ts";
import { UpdateError } from "../../src/update/update-error.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";
import { testRequestContext, type TestContext } from "./request-context.ts";
import { cutAfter, FileServer, refuse } from "./file-server.ts";
import { registryZip } from "./week-zip.ts";
import { fullTest } from "../support/pure/full-run.ts";

const FULL = "NPPES_Data_Dissemination_November_2026_V2.zip";
const WEEK_1 = "NPPES_Data_Dissemination_110926_111526_Weekly_V2.zip";
const WEEK_2 = "NPPES_Data_Dissemination_111626_112226_Weekly_V2.zip";
const REPORT = "NPPES_Deactivated_NPI_Report_110926_V2.zip";
const TAXONOMY = "nucc_taxonomy_261.csv";
const NOTHING: Installed = {
  files: [],
  taxonomyVersion: null,
  deactivationsDate: null,
  rolledBack: [],
};
const REAL_WEEKS = new URL("../../../shared/data/registry/", import.meta.url);

/** The zips are made once: the tests only read them. */
const ZIPS = {
  [FULL]: await registryZip({ asOf: "2026-11-08" }),
  [WEEK_1]: await registryZip({ from: "2026-11-09", to: "2026-11-15" }),
  [WEEK_2]: await registryZip({ from: "2026-11-16", to: "2026-11-22" }),
  [REPORT]: await zipBytes([
    { name: "NPPES Deactivated NPI Report 20261109.xlsx", content: "PK" },
  ]),
};

/** A server with the registry's page, NUCC's, and all that they link. */
async function startSource(): Promise<FileServer> {
  const server = await FileServer.start();
  for (const [name, bytes] of Object.entries(ZIPS))
    server.files.set(`/nppes/${name}`, { bytes, etag: `"${name}"` });
  link(server, Object.keys(ZIPS));
  server.page("/csv", `<a href="/CSV/${TAXONOMY}">26.1</a>`);
  server.page(
    `/CSV/${TAXONOMY}`,
    `Code,Display Name\r\n207Q00000X,"Family Medicine Physician"\r\n`,
  );
  return server;
}

function link(server: FileServer, names: readonly string[]): void {
  const links = names.map((name) => `<a href='./${name}'>${name}</a>`);
  server.page("/nppes/NPI_Files.html", links.join("\n"));
}

function request(
  server: FileServer,
  asking: TestContext,
  folder: string,
  options: Partial<UpdateRequest> = {},
): UpdateRequest {
  return {
    ...asking,
    source: server.url("/nppes/NPI_Files.html"),
    taxonomySource: server.url("/csv"),
    folder,
    installed: NOTHING,
    snapshotBytes: 0,
    onSkipped: (message) => assert.fail(message),
    onTaxonomyError: (message) => assert.fail(message),
    ...options,
  };
}

/** The names of what came, in the order to import it. */
async function fetched(asked: UpdateRequest): Promise<string[]> {
  const outcome = await fetchUpdate(asked);
  assert.equal(outcome.status, "fetched", JSON.stringify(outcome));
  if (outcome.status !== "fetched") return [];
  for (const { name, path } of outcome.files)
    assert.equal(basename(path), name);
  return outcome.files.map(({ name }) => name);
}

function says(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UpdateError && pattern.test(error.message);
}

function pathsAsked(server: FileServer): string[] {
  return server.asked.map(({ path }) => basename(path));
}

suite("an update", { concurrency: false }, () => {
  test("fetches everything for an empty installation, in the order to import it", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const downloads = join(folder.path, "downloads");
    const asked = request(server, asking, downloads);
    const plan = await checkForUpdate(asked);
    assert.equal(existsSync(downloads), false, "looking brings nothing");
    const names = [TAXONOMY, FULL, WEEK_1, WEEK_2, REPORT];
    assert.ok(plan.status === "update");
    assert.deepEqual(
      plan.files.map(({ name }) => name),
      names,
    );
    assert.deepEqual(await fetched(asked), names);
    assert.deepEqual(readdirSync(downloads), names.toSorted());
    assert.ok(readFileSync(join(downloads, WEEK_1)).equals(ZIPS[WEEK_1]));
  });

  test("fetches only what is missing, and nothing twice", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const installed: Installed = {
      files: [{ kind: "full", begin: "2005-05-23", end: "2026-11-08" }],
      taxonomyVersion: 261,
      deactivationsDate: "2026-11-09",
      rolledBack: [],
    };
    const asked = request(server, asking, folder.path, { installed });
    assert.deepEqual(await fetched(asked), [WEEK_1, WEEK_2]);
    assert.deepEqual(await fetched(asked), [WEEK_1, WEEK_2]);
    assert.deepEqual(pathsAsked(server), [
      "NPI_Files.html",
      "csv",
      WEEK_1,
      WEEK_2,
      "NPI_Files.html",
      "csv",
    ]);
  });

  test("says so if nothing is missing", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    link(server, [FULL, WEEK_1]);
    const installed: Installed = {
      ...NOTHING,
      files: [
        { kind: "full", begin: "2005-05-23", end: "2026-11-08" },
        { kind: "week", begin: "2026-11-09", end: "2026-11-15" },
      ],
    };
    const taxonomySource = null;
    const asked = { installed, taxonomySource };
    assert.deepEqual(
      await fetchUpdate(request(server, asking, folder.path, asked)),
      {
        status: "current",
        notes: [],
        message:
          "Up to date: the data goes through 2026-11-15, and the source has nothing newer.",
      },
    );
  });

  test("reads from inside the full file which weeks follow it", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const bytes = await registryZip({ asOf: "2026-11-15" });
    server.files.set(`/nppes/${FULL}`, { bytes });
    const asked = request(server, asking, folder.path, {
      taxonomySource: null,
    });
    assert.deepEqual(await fetched(asked), [FULL, WEEK_2, REPORT]);
    assert.ok(!pathsAsked(server).includes(WEEK_1));
    // The next time this is known before.
    const plan = await checkForUpdate(asked);
    assert.ok(plan.status === "update");
    assert.deepEqual(
      plan.files.map(({ name }) => name),
      [FULL, WEEK_2, REPORT],
    );
  });

  test("fetches a mirror's files with the names that the registry used until 2017", async () => {
    await using server = await FileServer.start();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const zips = {
      "NPPES_Data_Dissemination_Apr_2014.zip": "npidata_20050523-20140413.csv",
      "NPPES_Data_Dissemination_041414_042014_Weekly.zip":
        "npidata_20140414-20140420.csv",
    };
    for (const [name, csv] of Object.entries(zips))
      server.files.set(`/nppes/${name}`, {
        bytes: await zipBytes([
          { name: csv, content: "x" },
          { name: csv.replace(".csv", "FileHeader.csv"), content: "x" },
        ]),
      });
    link(server, Object.keys(zips));
    const asked = request(server, asking, folder.path, {
      taxonomySource: null,
    });
    assert.deepEqual(await fetched(asked), Object.keys(zips));
    const plan = await checkForUpdate({
      ...asked,
      installed: {
        ...NOTHING,
        files: [{ kind: "full", begin: "2005-05-23", end: "2014-04-13" }],
      },
    });
    assert.ok(plan.status === "update");
    assert.deepEqual(
      plan.files.map(({ kind }) => kind),
      ["week"],
    );
  });

  test("resumes after a cut connection, and after a failed one", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext({ retries: 1 });
    server.faults.set(`/nppes/${FULL}`, [cutAfter(9_000, folder.path)]);
    server.faults.set(`/nppes/${WEEK_2}`, [
      cutAfter(5_000, folder.path),
      refuse(500),
    ]);
    const asked = request(server, asking, folder.path);
    await assert.rejects(fetchUpdate(asked), says(/returned an error \(500\)/));
    assert.deepEqual(await fetched(asked), [
      TAXONOMY,
      FULL,
      WEEK_1,
      WEEK_2,
      REPORT,
    ]);
    const ranges = server.asked.filter(({ range }) => range !== undefined);
    assert.deepEqual(
      ranges.map(({ path }) => basename(path)),
      [FULL, WEEK_2, WEEK_2],
    );
    assert.ok(readFileSync(join(folder.path, FULL)).equals(ZIPS[FULL]));
    assert.ok(readFileSync(join(folder.path, WEEK_2)).equals(ZIPS[WEEK_2]));
  });

  test("refuses a truncated zip, another period, and a page instead of a zip", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const asked = request(server, asking, folder.path);
    const period = { from: "2026-11-09", to: "2026-11-15" };
    const late = await registryZip({ ...period, from: "2026-11-10" });
    const short = await registryZip({ ...period, to: "2026-11-14" });
    for (const [name, bytes, sentence] of [
      [FULL, ZIPS[FULL].subarray(0, 9_000), /is a damaged zip/],
      [FULL, ZIPS[WEEK_1], /it contains npidata_pfile_20261109/],
      [WEEK_1, late, /it contains npidata_pfile_20261110/],
      [WEEK_1, short, /it contains npidata_pfile_20261109-20261114/],
      [WEEK_1, ZIPS[WEEK_2], /it contains npidata_pfile_20261116/],
      [WEEK_1, Buffer.from("<html>Sorry"), /looks like a web page/],
      [REPORT, ZIPS[WEEK_1], /it contains npidata_pfile_20261109/],
      [REPORT, Buffer.from("PK\u0003\u0004"), /is a damaged zip/],
    ] as const) {
      const path = `/nppes/${name}`;
      server.files.set(path, { bytes });
      await assert.rejects(fetchUpdate(asked), says(sentence));
      await assert.rejects(
        fetchUpdate(asked),
        says(new RegExp(`/${name} is not the file that its name says`)),
      );
      assert.ok(
        !readdirSync(folder.path).some((file) => file.startsWith(name)),
      );
      server.files.set(path, { bytes: ZIPS[name] });
    }
    assert.equal((await fetched(asked)).length, 5);
  });

  test("replaces a damaged earlier download", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    for (const name of [FULL, WEEK_1])
      writeFileSync(join(folder.path, name), "PK\u0003\u0004 and no more");
    await fetched(request(server, asking, folder.path));
    for (const name of [FULL, WEEK_1] as const)
      assert.ok(readFileSync(join(folder.path, name)).equals(ZIPS[name]));
  });

  test("names a missing week", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    link(server, [WEEK_2]);
    const files = [{ kind: "full", begin: null, end: "2026-11-08" }] as const;
    const installed = { ...NOTHING, files };
    const asked = request(server, asking, folder.path, { installed });
    const outcome = await fetchUpdate(asked);
    assert.ok(outcome.status === "blocked");
    assert.match(
      outcome.message,
      /The weekly file from 2026-11-09 to 2026-11-15/,
    );
  });

  test("does not wait for NUCC", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    link(server, [FULL]);
    const faults: string[] = [];
    const onTaxonomyError = (message: string) => void faults.push(message);
    const asked = request(server, asking, folder.path, { onTaxonomyError });
    server.faults.set("/csv", [refuse(403)]);
    assert.deepEqual(await fetched(asked), [FULL]);
    server.page(`/CSV/${TAXONOMY}`, "<html>Sorry");
    assert.deepEqual(await fetched(asked), [FULL]);
    assert.equal(faults.length, 2);
    assert.match(faults[0] ?? "", /is forbidden to this machine \(403\)/);
    assert.match(faults[1] ?? "", /is not a NUCC taxonomy file/);
  });

  test("uses a folder's files where they are", async () => {
    await using server = await startSource();
    using folder = temporaryFolder();
    using asking = testRequestContext();
    const mirror = join(folder.path, "mirror");
    mkdirSync(mirror);
    for (const [name, bytes] of Object.entries(ZIPS))
      writeFileSync(join(mirror, name), bytes);
    const downloads = join(folder.path, "downloads");
    const source = pathToFileURL(mirror);
    const outcome = await fetchUpdate(
      request(server, asking, downloads, { source, taxonomySource: null }),
    );
    assert.ok(outcome.status === "fetched");
    assert.deepEqual(
      outcome.files.map(({ path }) => path),
      [FULL, WEEK_1, WEEK_2, REPORT].map((name) => join(mirror, name)),
    );
    assert.deepEqual(readdirSync(downloads), []);
  });

  fullTest(
    "fetches the registry's real weeks for an installation that has the first",
    async (t) => {
      if (!existsSync(REAL_WEEKS))
        return t.skip("the folder of real registry files is not there");
      await using server = await startSource();
      using folder = temporaryFolder();
      using asking = testRequestContext();
      const zips = readdirSync(REAL_WEEKS)
        .filter((name) => name.endsWith("_Weekly.zip"))
        .sort();
      link(server, zips);
      for (const name of zips)
        server.files.set(`/nppes/${name}`, {
          bytes: readFileSync(new URL(name, REAL_WEEKS)),
          etag: `"${name}"`,
        });
      const files = [
        { kind: "week", begin: "2024-01-01", end: "2024-01-07" },
      ] as const;
      server.faults.set(`/nppes/${zips[1]}`, [
        cutAfter(1_000_000, folder.path),
      ]);
      const names = await fetched(
        request(server, asking, folder.path, {
          installed: { ...NOTHING, files },
          taxonomySource: null,
        }),
      );
      assert.deepEqual(names, zips.slice(1));
      for (const name of names) {
        const { period } = await inspectRegistryFile(join(folder.path, name));
        assert.equal(period.kind, "week");
        assert.ok(
          readFileSync(join(folder.path, name)).equals(
            readFileSync(new URL(name, REAL_WEEKS)),
          ),
        );
      }
    },
  );
});

test("deletes old downloads except the newest full file and its weeks, or all of them", () => {
  using folder = temporaryFolder();
  const old = [
    "NPPES_Data_Dissemination_October_2026_V2.zip",
    "NPPES_Data_Dissemination_101226_101826_Weekly_V2.zip",
    "NPPES_Data_Dissemination_December_2026.zip.part",
    "NPPES_Data_Dissemination_December_2026.zip.part.json",
    "NPPES_Deactivated_NPI_Report_101226.zip",
    `${WEEK_1}.refused`,
    "nucc_taxonomy_251.csv",
  ];
  const newest = [FULL, WEEK_1, WEEK_2, REPORT, TAXONOMY];
  for (const name of [...old, ...newest, "notes.txt", "other.zip"])
    writeFileSync(join(folder.path, name), "");
  const removed = removeOldDownloads(folder.path, "newest");
  assert.deepEqual(removed.toSorted(), old.toSorted());
  assert.deepEqual(
    removeOldDownloads(folder.path, "nothing").toSorted(),
    newest.toSorted(),
  );
  assert.deepEqual(readdirSync(folder.path).sort(), ["notes.txt", "other.zip"]);
});

test("deletes the weeks of earlier months if only weeks are downloaded", () => {
  using folder = temporaryFolder();
  const old = [
    "NPPES_Data_Dissemination_101926_102526_Weekly_V2.zip",
    "NPPES_Data_Dissemination_102626_103126_Weekly_V2.zip",
  ];
  for (const name of [...old, WEEK_1, WEEK_2])
    writeFileSync(join(folder.path, name), "");
  assert.deepEqual(
    removeOldDownloads(folder.path, "newest").toSorted(),
    old.toSorted(),
  );
});
