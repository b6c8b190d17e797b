import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { after, suite, test } from "node:test";
import { ImportLock } from "../../../src/importing/import-lock.ts";
import { Snapshot } from "../../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../../src/store/store.ts";
import {
  PROGRAM_FILE,
  WITHOUT_RIGHTS,
  fails,
  runProgram,
  succeed,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { writeRegistryFile } from "../../support/pure/registry/synthetic-file.ts";

const PROVIDERS = 300;
const WEEKS = [
  { from: "2026-11-10", to: "2026-11-15", changes: 10 },
  { from: "2026-11-16", to: "2026-11-22", changes: 10 },
] as const;

const TAXONOMY =
  'Code,Grouping,Classification,Specialization,Definition,Display Name\r\n"207Q00000X","a","b","","","Family Medicine Physician"\r\n';

/** A full file and two weeks; made once and copied for each test. */
const FILES = temporaryFolder();
const NAMES = [undefined, ...WEEKS].map((week) =>
  basename(
    writeRegistryFile(FILES.path, {
      providers: PROVIDERS,
      ...(week === undefined ? {} : { week }),
    }),
  ),
);
after(() => FILES[Symbol.dispose]());

/** A new folder with copies of these files and a data folder. */
function registry() {
  const folder = temporaryFolder();
  cpSync(FILES.path, folder.path, { recursive: true });
  const [full = "", week1 = "", week2 = ""] = NAMES.map((name) =>
    join(folder.path, name),
  );
  const dataDir = join(folder.path, "data");
  return {
    path: folder.path,
    full,
    week1,
    week2,
    dataDir,
    import: (...args: string[]) =>
      runProgram(["import", ...args, "--data-dir", dataDir]),
    store: () => new SnapshotStore(dataDir),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** What the current snapshot says of itself. */
function currentMetadata(store: SnapshotStore) {
  const found = store.list().find(({ isCurrent }) => isCurrent)?.metadata;
  assert.ok(found, "there is a current snapshot");
  return found;
}

suite("provider-directory import", () => {
  test("imports files in the order of their periods, however they are given", async () => {
    using files = registry();
    const { code, err, out } = await files.import(
      files.week2,
      files.full,
      files.week1,
    );
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(
      currentMetadata(files.store()).files.map(({ end, kind }) => [kind, end]),
      [
        ["full", "2026-11-09"],
        ["week", "2026-11-15"],
        ["week", "2026-11-22"],
      ],
    );
    assert.match(
      out,
      /^npidata_pfile_20050523-20261109\.csv: 300 rows imported in [0-9.]+ s\.\n {2}providers: 300 \(/,
    );
    assert.equal(out.match(/bad rows: 0\n/g)?.length, 3);
    for (const [, path = ""] of out.matchAll(/ {2}report: (.*)/g))
      assert.ok(existsSync(path), path);
  });

  test("does nothing with the same files again, says so, and exits with 0", async () => {
    using files = registry();
    await files.import(files.full, files.week1);
    const before = files.store().ids();
    const { code, err, out } = await files.import(files.full, files.week1);
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out.match(/was already imported\. Use --force/g)?.length, 2);
    assert.deepEqual(files.store().ids(), before);
  });

  test("refuses an older week, and names the files that were not imported because of it", async () => {
    using files = registry();
    const { out } = await files.import(files.full, files.week2);
    assert.match(
      out,
      /warning: no imported file covers 2026-11-10 to 2026-11-15: import those weekly files, or the next full file\n/,
    );
    const status = () => runProgram(["status", "--data-dir", files.dataDir]);
    const missing = / {11}no imported file covers 2026-11-10 to 2026-11-15\n/;
    assert.match((await status()).out, missing);
    assert.doesNotMatch((await files.import(files.week1)).out, /warning/);
    assert.doesNotMatch((await status()).out, missing);
    // The same week, published once more.
    const lines = readFileSync(files.week1, "utf8").split("\n");
    writeFileSync(files.week1, `${lines.slice(0, 5).join("\n")}\n`);
    await fails(
      files.import(files.week1),
      1,
      /^provider-directory: npidata_pfile_20261110-20261115\.csv is a weekly file that ends on 2026-11-15, .* --force [^\n]*\n$/,
    );
    await succeeded(files.import(files.week1, "--force"));
  });

  test("a refusal stops the files that would build on it", async () => {
    using files = registry();
    await files.import(files.full);
    const before = files.store().currentId();
    // A file without half of its rows, and a week behind it.
    const lines = readFileSync(files.full, "utf8").split("\n");
    writeFileSync(files.full, `${lines.slice(0, 100).join("\n")}\n`);
    await fails(
      files.import(files.full, files.week1),
      1,
      /fewer than 90 % of the current 300 providers\. .* Also not imported: .*20261110-20261115\.csv\.\n$/,
    );
    assert.equal(files.store().currentId(), before);
  });

  test("removes old snapshots, but keeps the newest and the current one", async () => {
    using files = registry();
    const { out } = await files.import(
      files.full,
      files.week1,
      files.week2,
      "--keep-snapshots",
      "2",
    );
    assert.equal(files.store().ids().length, 2);
    assert.match(out, /removed older snapshots: \d{8}T\d{9}Z\n/);
  });

  test("succeeds, with a warning, if only an old snapshot cannot be removed", async () => {
    using files = registry();
    await files.import(files.full);
    await files.import(files.week1);
    const [second = "", first = ""] = files.store().ids();
    const denied = files.store().dirOf(first);
    chmodSync(denied, 0o500);
    const words = ["import", files.week2, "--data-dir", files.dataDir];
    const [setpriv, ...options] = WITHOUT_RIGHTS;
    const { status, stderr, stdout } = spawnSync(
      setpriv,
      [...options, PROGRAM_FILE, ...words, "--keep-snapshots", "1"],
      { encoding: "utf8" },
    );
    chmodSync(denied, 0o700);
    assert.deepEqual(
      [status, stderr],
      [
        0,
        `provider-directory: warning: The new snapshot is current, but the older ${first} could not be removed: this user cannot write to ${denied}. Give this user write access, or choose another data folder with --data-dir or DATA_DIR.\n`,
      ],
    );
    assert.match(stdout, new RegExp(`removed older snapshots: ${second}\n$`));
  });

  test("counts unusable rows by reason", async () => {
    using files = registry();
    const lines = readFileSync(files.full, "utf8").split("\n");
    lines[5] = lines[5]?.replace(/^"\d{10}"/, '"1234567890"') ?? "";
    writeFileSync(files.full, lines.join("\n"));
    await fails(
      files.import(files.full),
      1,
      /1 of 300 rows .* more than 0\.1 %/,
    );
    const out = await succeeded(files.import(files.full, "--force"));
    assert.match(out, /bad rows: 1 \(1 invalid_npi\)/);
  });

  test("refuses a file that is not a registry file in one sentence, before it changes anything", async () => {
    using files = registry();
    const notes = join(files.path, "notes.csv");
    writeFileSync(notes, "hello\n");
    for (const path of [notes, join(files.path, "missing.zip"), files.path]) {
      const { code, err, out } = await files.import(path);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /^provider-directory: [^\n]+\n$/);
      assert.doesNotMatch(err, /should not happen/);
    }
  });

  test("a truncated file changes nothing", async () => {
    using files = registry();
    await files.import(files.full);
    const before = files.store().currentId();
    const zip = join(files.path, "week.zip");
    await succeed(["generate", "--providers", "300", "--out", zip]);
    truncateSync(zip, 20_000);
    await fails(files.import(zip), 1, /^provider-directory: [^\n]+\n$/);
    assert.equal(files.store().currentId(), before);
  });

  test("stopping it changes nothing and leaves nothing behind", async () => {
    using files = registry();
    await files.import(files.full);
    const before = files.store().currentId();
    const large = writeRegistryFile(files.path, { providers: 4_000 });
    const controller = new AbortController();
    // Time flies here, so that the first progress is shown at once; it is the moment to stop.
    let nowMs = Date.now();
    await fails(
      runProgram(["import", large, "--data-dir", files.dataDir], {
        context: {
          stop: controller.signal,
          now: () => (nowMs += 10_000),
          terminal: {
            isInteractive: true,
            columns: () => 80,
            write: () => controller.abort(),
          },
        },
      }),
      1,
      "provider-directory: Stopped before it finished. The served data has not changed.\n",
    );
    assert.equal(files.store().currentId(), before);
    assert.deepEqual(
      readdirSync(join(files.dataDir, "snapshots")).filter((name) =>
        name.startsWith("."),
      ),
      [],
    );
  });

  test("refuses a second import into the same folder", async () => {
    using files = registry();
    files.store();
    using lock = ImportLock.take(files.dataDir);
    assert.ok(lock !== null);
    await fails(
      files.import(files.full),
      1,
      "provider-directory: Another import or update is running on this data folder. Wait for it to finish, then try again.\n",
    );
  });
});

suite("the names of specialties", () => {
  test("come from the file given, and from its copy in later imports", async () => {
    using files = registry();
    const nucc = join(files.path, "nucc_taxonomy_999.csv");
    writeFileSync(nucc, TAXONOMY);
    await succeeded(files.import(files.full, "--taxonomy", nucc));
    assert.equal(
      currentMetadata(files.store()).taxonomySource,
      "NUCC's taxonomy file nucc_taxonomy_999.csv",
    );
    assert.equal(
      readFileSync(join(files.dataDir, "taxonomy.csv"), "utf8"),
      TAXONOMY,
    );

    await succeeded(files.import(files.week1));
    assert.equal(
      currentMetadata(files.store()).taxonomySource,
      "NUCC's taxonomy file nucc_taxonomy_999.csv",
    );
    const store = files.store();
    const names = new Snapshot(
      store.share(store.currentId() ?? ""),
    ).taxonomyNames.filter((name) => name !== null);
    assert.deepEqual(names, ["Family Medicine Physician"]);
  });

  test("come from a copy without a description, or with the description of another file", async () => {
    using files = registry();
    const nucc = join(files.path, "nucc_taxonomy_999.csv");
    writeFileSync(nucc, TAXONOMY);
    await succeeded(files.import(files.full, "--taxonomy", nucc));
    const kept = join(files.dataDir, "taxonomy.csv");
    writeFileSync(kept, `${TAXONOMY}\n`);
    await succeeded(files.import(files.week1));
    assert.equal(
      currentMetadata(files.store()).taxonomySource,
      "NUCC's taxonomy file, kept from an earlier import",
    );
  });

  test("come from the built-in table if no file was given", async () => {
    using files = registry();
    await files.import(files.full);
    assert.equal(
      currentMetadata(files.store()).taxonomySource,
      "the built-in table of common specialties",
    );
    assert.equal(existsSync(join(files.dataDir, "taxonomy.csv")), false);
  });

  test("are not read from any other file, and the copy stays", async () => {
    using files = registry();
    const nucc = join(files.path, "nucc.csv");
    writeFileSync(nucc, TAXONOMY);
    await files.import(files.full, "--taxonomy", nucc);
    await fails(
      files.import(files.week1, "--taxonomy", files.week1),
      1,
      /is not a NUCC taxonomy file: /,
    );
    assert.equal(
      readFileSync(join(files.dataDir, "taxonomy.csv"), "utf8"),
      TAXONOMY,
    );
  });

  test("a new file given with a registry file that was already imported is kept, and the output says how to apply it", async () => {
    using files = registry();
    await files.import(files.full);
    const nucc = join(files.path, "nucc.csv");
    writeFileSync(nucc, TAXONOMY);
    const out = await succeeded(files.import(files.full, "--taxonomy", nucc));
    assert.match(
      out,
      /was already imported\..*\nThe new taxonomy file is kept for the next import\. To apply it now, use --force\.\n$/,
    );
  });
});
