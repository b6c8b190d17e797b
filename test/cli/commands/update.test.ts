import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { ImportLock } from "../../../src/importing/import-lock.ts";
import { writeSyntheticRegistry } from "../../../src/registry-generator/write-registry.ts";
import { fullTest } from "../../support/pure/full-run.ts";
import { reportZipBytes } from "../../support/pure/registry/deactivation-report.ts";
import { NO_MOUNT, smallDisk } from "../../support/program/broken-outputs.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { succeeded } from "../../support/program/program.ts";
import { npiOf } from "../../support/pure/registry/small-registry.ts";
import { cutAfter, refuse } from "../../update/file-server.ts";
import {
  FULL,
  Installation,
  TAXONOMY,
  TAXONOMY_TEXT,
  UpdateSource,
  WEEK_1,
  WEEK_2,
  zipOf,
} from "./update-source.ts";

const REAL_DATA = new URL("../../../../shared/data/", import.meta.url);
const CURRENT =
  "Up to date: the data goes through 2026-11-22, and the source has nothing newer.\n";
const ALL_SERVED =
  "NPPES (CMS), full file 2026-11-08, weekly updates to 2026-11-22";

suite("the command update", () => {
  test("imports everything into an empty folder and says why; the next run is up to date", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    const { code, err, out } = await here.update(source);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(
      out,
      /^Current data: no registry data\. To download and import:\n/,
    );
    for (const line of [
      `  ${TAXONOMY}: specialty names, version 26.1 (installed: none of NUCC's)`,
      `  ${FULL}: full file of November 2026, the first one`,
      `  ${WEEK_1}: weekly file, 2026-11-09 to 2026-11-15`,
      "npidata_pfile_20261116-20261122.csv: 100 rows imported",
      `Current data: ${ALL_SERVED}.\n`,
    ])
      assert.ok(out.includes(line), `${line} in ${out}`);
    assert.match(out, /copyrighted by the American Medical Association/);
    assert.equal(here.source(), ALL_SERVED);
    assert.equal(
      here.served()?.metadata.taxonomySource,
      `NUCC's taxonomy file ${TAXONOMY}`,
    );
    const again = await here.update(source);
    assert.deepEqual(again, { code: 0, out: CURRENT, err: "" });
    assert.equal(source.asked(TAXONOMY), 1);
  });

  test("downloads only what is missing", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    await here.import(FULL);
    await here.import(WEEK_1);
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(out, /^Current data: NPPES.* weekly updates to 2026-11-15\./);
    assert.deepEqual(
      [FULL, WEEK_1].map((name) => source.asked(name)),
      [0, 0],
    );
    assert.equal(here.source(), ALL_SERVED);
  });

  test("does not import again what was rolled back and says so, unless --force is given", async () => {
    await using source = await UpdateSource.start([FULL, WEEK_1]);
    using here = new Installation();
    await here.update(source);
    const good = "NPPES (CMS), full file 2026-11-08";
    await succeeded(here.run("snapshots", "rollback"));
    assert.equal(here.source(), good);

    const today = new Date().toISOString().slice(0, 10);
    const leftOut = `Skipping ${WEEK_1}: it was rolled back on ${today}. To import it again, run update --force.\n`;
    assert.deepEqual(await here.update(source), {
      code: 0,
      out: `${leftOut}Up to date: the data goes through 2026-11-08, and the source has nothing else.\n`,
      err: "",
    });
    source.link([FULL, WEEK_1, WEEK_2]);
    const later = await here.update(source);
    assert.deepEqual([later.code, later.out], [1, leftOut]);
    assert.match(
      later.err,
      /Later weekly files build on the one from 2026-11-09 to 2026-11-15, which was rolled back\./,
    );
    assert.equal(here.source(), good);

    await succeeded(here.update(source, "--force"));
    assert.equal(here.source(), ALL_SERVED);
    assert.equal((await here.update(source)).out, CURRENT);
  });

  test("does not apply specialty names that were rolled back", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    await here.import(FULL);
    await here.update(source);
    await succeeded(here.run("snapshots", "rollback"));
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(
      out,
      /^Skipping nucc_taxonomy_261\.csv: it was rolled back on /,
    );
    await succeeded(here.update(source, "--force"));
    assert.match(
      here.served()?.metadata.taxonomySource ?? "",
      /nucc_taxonomy_261/,
    );
  });

  test("treats a demo as no data", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    await here.run("demo", "--providers", "50");
    await succeeded(here.update(source));
    assert.equal(here.source(), ALL_SERVED);
  });

  test("changes nothing with --dry-run, and creates no folder", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    const { code, out } = await here.update(source, "--dry-run");
    assert.equal(code, 0);
    assert.match(
      out,
      /_Weekly\.zip: weekly file[\s\S]*\nDry run: nothing was changed\.\n$/,
    );
    assert.equal(existsSync(here.dataDir), false);
    await here.import(FULL);
    const before = readdirSync(here.dataDir);
    await here.update(source, "--dry-run");
    assert.deepEqual(readdirSync(here.dataDir), before);
    assert.deepEqual(
      [FULL, WEEK_1, WEEK_2, TAXONOMY].map((name) => source.asked(name)),
      [0, 0, 0, 0],
    );
  });

  test("names a missing week, and changes nothing", async () => {
    await using source = await UpdateSource.start([WEEK_2]);
    using here = new Installation();
    await here.import(FULL);
    const { code, err } = await here.update(source);
    assert.equal(code, 1);
    assert.match(
      err,
      /The weekly file from 2026-11-09 to 2026-11-15 is missing/,
    );
    assert.equal(here.source(), "NPPES (CMS), full file 2026-11-08");
  });

  test("does not go back in time while a new full file waits for its weeks", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    await here.importOctober();
    await here.import(WEEK_1);
    const before = here.store.ids();
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(out, /newer than the current one/);
    assert.match(out, /not served yet: older than the served data/);
    assert.equal(here.source(), ALL_SERVED);
    const made = here.store.list().filter(({ id }) => !before.includes(id));
    assert.deepEqual(
      made.map(({ metadata }) => metadata?.files.length),
      [3, 2],
      "the full file was never served without its weeks",
    );
    assert.equal(made[1]?.metadata?.madeFrom, before[0]);
    assert.deepEqual(here.store.builds.list(), []);
  });

  test("imports each report of deactivated NPIs once, even one without changes", async () => {
    const rows = [[npiOf(1), "11/02/2026"]] as const;
    const november = "NPPES_Deactivated_NPI_Report_110926.zip";
    const december = "NPPES_Deactivated_NPI_Report_121426_V2.zip";
    await using source = await UpdateSource.start([FULL, WEEK_1, november]);
    source.put(november, await reportZipBytes(rows));
    using here = new Installation();
    const first = await here.update(source);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /: deactivated NPIs as of 2026-11-09\n/);
    assert.match(
      first.out,
      /deactivated NPIs: 0 newly deactivated, .* 1 unknown/,
    );
    assert.match((await here.update(source)).out, /^Up to date/);

    source.put(december, await reportZipBytes(rows));
    source.link([FULL, WEEK_1, december]);
    const served = here.store.currentId();
    const second = await here.update(source);
    const asked = source.asked(december);
    assert.match(second.out, /lists no new deactivations up to 2026-12-14\./);
    assert.equal(here.store.currentId(), served);
    assert.match((await here.update(source)).out, /^Up to date/);

    source.taxonomy("nucc_taxonomy_262.csv", TAXONOMY_TEXT);
    await here.update(source);
    assert.notEqual(here.store.currentId(), served);
    assert.match((await here.update(source)).out, /^Up to date/);
    assert.equal(source.asked(december), asked);
  });

  test("applies a new taxonomy even without other files, and prints its notice once", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    assert.match((await here.update(source)).out, /copyright/);
    source.taxonomy(
      "nucc_taxonomy_262.csv",
      TAXONOMY_TEXT.replace("Family Medicine Physician", "Family Doctor"),
    );
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(out, /version 26\.2 \(installed: 26\.1\)/);
    assert.match(
      out,
      /names now come from NUCC's taxonomy file nucc_taxonomy_262\.csv/,
    );
    assert.doesNotMatch(out, /copyright/);
    assert.ok(here.served()?.taxonomyNames.includes("Family Doctor"));
    assert.match((await here.update(source)).out, /^Up to date/);
  });

  test("applies a new taxonomy next to a report without changes", async () => {
    const report = "NPPES_Deactivated_NPI_Report_110926.zip";
    const later = "NPPES_Deactivated_NPI_Report_121426.zip";
    const bytes = await reportZipBytes([[npiOf(1), "11/02/2026"]]);
    await using source = await UpdateSource.start([FULL, report]);
    for (const name of [report, later]) source.put(name, bytes);
    using here = new Installation();
    await here.update(source);
    source.link([FULL, later]);
    source.taxonomy("nucc_taxonomy_262.csv", TAXONOMY_TEXT);
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(out, /lists no new deactivations up to 2026-12-14\./);
    assert.match(
      out,
      /names now come from NUCC's taxonomy file nucc_taxonomy_262\.csv/,
    );
    assert.match((await here.update(source)).out, /^Up to date/);
  });

  test("continues if NUCC fails, and skips it for your own taxonomy file or --taxonomy-source none", async () => {
    await using source = await UpdateSource.start([FULL, WEEK_1]);
    using here = new Installation();
    source.server.faults.set("/csv", [refuse(403)]);
    const first = await here.update(source);
    assert.equal(first.code, 0);
    assert.match(first.err, /Specialty names are not updated: .*403/);
    using folder = temporaryFolder();
    const own = join(folder.path, "own.csv");
    writeFileSync(own, TAXONOMY_TEXT);
    const week = join(folder.path, WEEK_2);
    writeFileSync(week, zipOf(WEEK_2));
    await here.run("import", week, "--taxonomy", own);
    const { out } = await here.update(source);
    assert.match(
      out,
      /your own file own\.csv, so NUCC's page is not checked\.\nUp to date/,
    );
    using other = new Installation();
    const [option = "", page = ""] = source.args();
    const without = ["--taxonomy-source", "none"];
    const { code, err } = await other.run("update", option, page, ...without);
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(source.asked("/csv"), 1);
  });

  test("keeps the newest downloads, or none", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    await here.update(source);
    const downloads = join(here.dataDir, "downloads");
    assert.deepEqual(readdirSync(downloads), [FULL, TAXONOMY]);
    source.link([FULL, WEEK_1]);
    const { out } = await here.update(source, "--keep-downloads", "nothing");
    assert.match(out, /removed downloads: .*Weekly\.zip/);
    assert.deepEqual(readdirSync(downloads), []);
  });

  test("imports a folder's files from where they are, and leaves them there", async () => {
    using folder = temporaryFolder();
    using here = new Installation();
    for (const name of [FULL, WEEK_1] as const)
      writeFileSync(join(folder.path, name), zipOf(name));
    writeFileSync(join(folder.path, TAXONOMY), TAXONOMY_TEXT);
    const args = ["--source", folder.path, "--taxonomy-source", folder.path];
    const keep = ["--keep-downloads", "nothing"];
    await succeeded(here.run("update", ...args, ...keep));
    assert.match(here.source() ?? "", /updates to 2026-11-15$/);
    assert.deepEqual(readdirSync(folder.path), [WEEK_1, FULL, TAXONOMY]);
    assert.deepEqual(readdirSync(join(here.dataDir, "downloads")), []);
  });

  test("survives a cut connection, temporary errors, and redirects", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    const { server } = source;
    const faultOnce = refuse(429, { "retry-after": "1" });
    server.faults.set(source.path(WEEK_1), [faultOnce]);
    server.faults.set("/nppes/NPI_Files.html", [
      refuse(302, { location: "/moved/NPI_Files.html" }),
    ]);
    const page = server.files.get("/nppes/NPI_Files.html");
    assert.ok(page !== undefined);
    const text = Buffer.from(page.bytes).toString();
    server.page("/moved/NPI_Files.html", text.replaceAll("./", "/nppes/"));
    // The first request asks how long it is.
    const whole = refuse(500);
    server.faults.set(source.path(FULL), [whole]);
    server.faults.set(source.path(WEEK_2), [
      (request, response) => response.end(server.begin(request, response)),
      cutAfter(4_000, here.dataDir),
    ]);
    const { code, err } = await here.update(source);
    assert.equal(code, 0);
    assert.match(err, /\(429\); retrying in 1\.0 s\./);
    assert.match(err, /\(500\); retrying in [01]\.\d s\./);
    assert.match(err, /The connection to .* failed/);
    const ranges = server.asked.flatMap(({ path, range }) =>
      path.endsWith(WEEK_2) ? (range ?? "whole") : [],
    );
    assert.deepEqual(ranges, ["bytes=0-0", "whole", "bytes=4000-"]);
    assert.equal(here.source(), ALL_SERVED);
  });

  test("reports in one sentence what is wrong with a source, and changes nothing", async () => {
    using here = new Installation();
    await here.import(FULL);
    for (const [status, sentence] of [
      [403, /is forbidden to this machine \(403\)/],
      [404, /does not exist \(404\)/],
    ] as const) {
      await using source = await UpdateSource.start();
      for (const path of ["/nppes/NPI_Files.html", source.path(WEEK_2)]) {
        source.server.faults.set(path, [refuse(status)]);
        const { code, err } = await here.update(source);
        assert.equal(code, 1);
        assert.match(err, sentence);
        assert.equal(err.trimEnd().split("\n").length, 1);
      }
    }
    await using source = await UpdateSource.start();
    source.link([]);
    const changed = await here.update(source);
    assert.equal(changed.code, 1);
    assert.match(changed.err, /none of the registry's files.*page has changed/);
    assert.equal(here.source(), "NPPES (CMS), full file 2026-11-08");
  });

  test("refuses a truncated zip, and downloads it again the next time", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    await here.import(FULL);
    source.put(WEEK_1, zipOf(WEEK_1).subarray(0, 4_000));
    const { code, err } = await here.update(source);
    assert.equal(code, 1);
    assert.match(err, /is a damaged zip.* Run update again later/);
    source.put(WEEK_1, zipOf(WEEK_1));
    await succeeded(here.update(source));
    assert.equal(here.source(), ALL_SERVED);
  });

  test("removes a download with damaged data, and downloads it again the next time", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    const damaged = Buffer.from(zipOf(WEEK_2));
    damaged.fill(0xff, 3_000, 3_040);
    source.put(WEEK_2, damaged);
    const { code, err } = await here.update(source);
    assert.equal(code, 1);
    assert.match(
      err,
      /It was deleted\. Run update again to download a new copy\./,
    );
    assert.match(here.source() ?? "", /updates to 2026-11-15$/);
    assert.ok(!readdirSync(join(here.dataDir, "downloads")).includes(WEEK_2));
    source.put(WEEK_2, zipOf(WEEK_2));
    await succeeded(here.update(source));
    assert.equal(here.source(), ALL_SERVED);
  });

  test("sets aside a download that the import refuses", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    using folder = temporaryFolder();
    const small = join(folder.path, "small.zip");
    await writeSyntheticRegistry({
      providers: 100,
      asOf: "2026-11-08",
      out: small,
    });
    await here.importOctober();
    source.put(FULL, readFileSync(small));
    const { code, err } = await here.update(source);
    assert.equal(code, 1);
    assert.match(
      err,
      /fewer than 90 %.*\.zip\.refused, to inspect or import by hand/,
    );
    assert.match(here.source() ?? "", /full file 2026-10-11/);
    source.put(FULL, zipOf(FULL));
    await succeeded(here.update(source));
    assert.deepEqual(readdirSync(join(here.dataDir, "downloads")), [
      FULL,
      TAXONOMY,
    ]);
  });

  test("refuses a folder that another import or update is using", async () => {
    await using source = await UpdateSource.start();
    using here = new Installation();
    await here.import(FULL);
    using lock = ImportLock.take(here.dataDir);
    assert.ok(lock !== null);
    assert.deepEqual(await here.update(source), {
      code: 1,
      out: "",
      err: "provider-directory: Another import or update is running on this data folder. Wait for it to finish, then try again.\n",
    });
    assert.equal(source.server.asked.length, 0);
  });

  test(
    "checks the disk before it downloads anything",
    { skip: NO_MOUNT },
    async () => {
      await using source = await UpdateSource.start();
      using disk = smallDisk("1m");
      using here = new Installation(join(disk.path, "data"));
      mkdirSync(here.dataDir);
      const { bavail, bsize } = statfsSync(disk.path);
      writeFileSync(
        join(disk.path, "filler"),
        Buffer.alloc(bavail * bsize - 65_536),
      );
      const { code, err } = await here.update(source);
      assert.equal(code, 1);
      assert.match(err, /The disk of .* has .* free, but this update needs/);
      assert.deepEqual(readdirSync(join(here.dataDir, "downloads")), []);
    },
  );

  fullTest("imports the registry's real weeks one after another", async (t) => {
    const weeks = new URL("registry/", REAL_DATA);
    if (!existsSync(weeks))
      return t.skip("the folder of real registry files is not there");
    const names = readdirSync(weeks)
      .filter((name) => name.endsWith("_Weekly.zip"))
      .sort();
    await using source = await UpdateSource.start(names);
    using here = new Installation();
    for (const name of names)
      source.put(name, readFileSync(new URL(name, weeks)));
    source.taxonomy(
      "nucc_taxonomy_251.csv",
      readFileSync(
        new URL("taxonomy/nucc_taxonomy_251.csv", REAL_DATA),
        "utf8",
      ),
    );
    source.server.faults.set(source.path(names[1] ?? ""), [
      refuse(503),
      (request, response, server) =>
        response.end(server.begin(request, response)),
      cutAfter(1_000_000, here.dataDir),
    ]);
    // Weekly files can't start an installation, but they can update one.
    assert.match((await here.update(source)).err, /no full file/);
    const path = new URL(names[0] ?? "", weeks).pathname;
    await succeeded(here.run("import", path));
    const { code, out } = await here.update(source);
    assert.equal(code, 0);
    assert.match(out, /updates to 2024-01-21\.\n$/);
    assert.equal(here.source(), "NPPES (CMS), weekly updates to 2024-01-21");
    assert.match((await here.update(source)).out, /goes through 2024-01-21/);
  });
});
