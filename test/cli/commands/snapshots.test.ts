import assert from "node:assert/strict";
import {
  openSync,
  closeSync,
  cpSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { DiskSections } from "../../../src/snapshot/container/disk-sections.ts";
import { SnapshotStore } from "../../../src/store/store.ts";
import {
  argv,
  fails,
  runProgram,
  succeed,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import {
  people,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { writeRegistryFile } from "../../support/pure/registry/synthetic-file.ts";

/** Two demos, the second one current; made once and copied for each test. */
const TWO_DEMOS = temporaryFolder();
before(async () => {
  for (const providers of ["200", "300"]) {
    await succeeded(
      runProgram(
        argv`demo --providers ${providers} --data-dir ${TWO_DEMOS.path}`,
      ),
    );
  }
});
after(() => TWO_DEMOS[Symbol.dispose]());

/** A copy of the data folder with two demos. */
function twoDemos() {
  const folder = temporaryFolder();
  cpSync(TWO_DEMOS.path, folder.path, { recursive: true });
  const store = new SnapshotStore(folder.path);
  const [newer = "", older = ""] = store.ids();
  return {
    folder: folder.path,
    store,
    newer,
    older,
    run: (...args: string[]) =>
      runProgram(["snapshots", ...args, "--data-dir", folder.path]),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function runIn(dataDir: string, command: string) {
  return runProgram(["snapshots", command, "--data-dir", dataDir]);
}

/** Changes one byte in the middle of a snapshot's file. */
function damage(store: SnapshotStore, id: string): void {
  const path = store.pathOf(id);
  const middle = Math.floor(readFileSync(path).length / 2);
  const fd = openSync(path, "r+");
  writeSync(
    fd,
    new Uint8Array([~(readFileSync(path)[middle] ?? 0) & 0xff]),
    0,
    1,
    middle,
  );
  closeSync(fd);
}

suite("provider-directory snapshots", () => {
  test("inspect shows the current snapshot's metadata, and each section with its size and purpose", async () => {
    using data = twoDemos();
    const { code, err, out } = await data.run("inspect");
    assert.deepEqual([code, err], [0, ""]);
    assert.match(
      out,
      new RegExp(`^Snapshot: +${data.newer} \\(current\\)$`, "m"),
    );
    assert.match(out, /^Providers: +300: \d+ individuals, \d+ organizations/m);
    assert.match(
      out,
      /^Details: +taxonomies, other_names, locations, identity, mailing_address, identifiers, endpoints$/m,
    );
    assert.match(
      out,
      /^npi +1,200 +\d+\.\d% +300 x 4 +The NPI of each document\.$/m,
    );
    assert.match(out, /^providers\.extended: .+ in \d+ sections$/m);
    assert.match(out, /^index +1,200 .+ 300 x 4 +Where the details/m);
    assert.match(out, /^entries +[\d,]+ +100\.0%/m);
    assert.doesNotMatch(out, /does not know/);
  });

  test("inspect takes the ID of another snapshot, and prints JSON whose sections are those of the file", async () => {
    using data = twoDemos();
    const out = await succeeded(data.run("inspect", data.older, "--json"));
    const { counts, current, files, id } = JSON.parse(out);
    assert.deepEqual([id, current, counts.providers], [data.older, false, 200]);
    using file = new DiskSections(data.store.pathOf(data.older));
    const [snapshot] = files;
    assert.deepEqual(
      snapshot.sections.map(({ name }: { name: string }) => name),
      file.entries.map(({ name }) => name),
    );
  });

  test("inspect refuses an unknown ID as a usage error, and reports a damaged header", async () => {
    using data = twoDemos();
    await fails(
      data.run("inspect", "20200101T000000000Z"),
      2,
      /There is no snapshot "20200101T000000000Z"\./,
    );
    writeFileSync(data.store.pathOf(data.newer), "no snapshot");
    await fails(
      data.run("inspect"),
      1,
      /too short to be a snapshot; import again/,
    );
  });

  test("list prints the newest first, with rows, size and source, and marks the current one", async () => {
    using data = twoDemos();
    const { code, out } = await data.run("list");
    const [heading, ...rows] = out.trimEnd().split("\n");
    assert.equal(code, 0);
    assert.match(
      heading ?? "",
      /^ +SNAPSHOT +PROVIDERS +SIZE +DETAILS +SOURCE$/,
    );
    assert.match(
      rows[0] ?? "",
      new RegExp(
        `^\\* +${data.newer} +300 +[0-9.]+ MB +[0-9.]+ [kM]B +Demo data`,
      ),
    );
    assert.match(
      rows[1] ?? "",
      new RegExp(`^ +${data.older} +200 +[0-9.]+ MB +[0-9.]+ [kM]B +Demo data`),
    );
    const listed: unknown = JSON.parse((await data.run("list", "--json")).out);
    assert.ok(Array.isArray(listed));
    assert.deepEqual(
      listed.map(({ current, id, providers }) => [id, current, providers]),
      [
        [data.newer, true, 300],
        [data.older, false, 200],
      ],
    );
  });

  test("rollback makes the previous snapshot current, and fails if there is none", async () => {
    using data = twoDemos();
    const out = await succeeded(data.run("rollback"));
    assert.equal(
      out,
      `Rolled back to ${data.older} (200 providers) from ${data.newer}.\n`,
    );
    assert.equal(data.store.currentId(), data.older);
    await fails(data.run("rollback"), 1, /There is no snapshot before /);
    assert.equal(data.store.currentId(), data.older);
  });

  test("verify finds a single changed byte, in the current snapshot or with --all", async () => {
    using data = twoDemos();
    assert.deepEqual(await data.run("verify"), {
      code: 0,
      out: `${data.newer}: OK, 300 providers.\n`,
      err: "",
    });
    damage(data.store, data.older);
    await succeeded(data.run("verify"));
    const all = await data.run("verify", "--all");
    assert.equal(all.code, 1);
    assert.match(
      all.out,
      new RegExp(
        `${data.older}: Section "[^"]+" does not match its checksum\\.`,
      ),
    );
    assert.match(
      all.err,
      /1 snapshot is damaged\. Run snapshots rollback, or import again\./,
    );
  });

  test("rollback from a damaged snapshot lets its files be imported again", async () => {
    using registry = new SmallRegistry();
    const { store } = registry;
    await registry.import("npidata_pfile_20260101-20260107.csv", people(1));
    await registry.import("npidata_pfile_20260108-20260114.csv", people(2));
    const [bad = ""] = store.ids();
    const rollBack = () =>
      runProgram(["snapshots", "rollback", "--data-dir", store.dataDir]);
    damage(store, bad);
    const out = await succeeded(rollBack());
    assert.match(out, /which is damaged\. The next update imports its files/);
    assert.deepEqual(store.rollbacks(), []);
    damage(store, bad);
    store.makeCurrent(bad, Date.now());
    await succeeded(rollBack());
    assert.equal(store.rollbacks().length, 1);
  });

  test("rollback does not go back to a damaged snapshot", async () => {
    using data = twoDemos();
    damage(data.store, data.older);
    await fails(
      data.run("rollback"),
      1,
      new RegExp(
        `The previous snapshot ${data.older} is damaged \\(Section .*\\)\\. Import the files again instead\\.`,
      ),
    );
    assert.equal(data.store.currentId(), data.newer);
  });

  test("an empty folder has no snapshots, and a missing folder is not created", async () => {
    using folder = temporaryFolder();
    assert.match((await runIn(folder.path, "list")).out, /No snapshots yet\./);
    assert.match(
      (await runIn(folder.path, "verify")).err,
      /has no current snapshot/,
    );
    assert.match(
      (await runIn(folder.path, "rollback")).err,
      /has no current snapshot/,
    );
    for (const command of ["list", "verify", "rollback"]) {
      await fails(
        runIn(join(folder.path, "typo"), command),
        1,
        /There is no data folder /,
      );
    }
    assert.equal(readdirSync(folder.path).includes("typo"), false);
  });
});

suite("provider-directory demo and generate", () => {
  test("demo says that the data is invented, and leaves only its snapshot and the starting point of its changes", async () => {
    using folder = temporaryFolder();
    const { code, err, out } = await runProgram(
      argv`demo --providers 250 --data-dir ${folder.path}`,
    );
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^250 invented providers imported in [0-9.]+ s\.\n$/);
    assert.deepEqual(readdirSync(folder.path).sort(), [
      "changes.sqlite",
      "import.lock",
      "snapshots",
    ]);
    assert.equal(
      new SnapshotStore(folder.path).list()[0]?.metadata?.demo,
      true,
    );
  });

  test("demo replaces a larger demo, and the registry's data only with --force", async () => {
    using data = twoDemos();
    assert.equal(
      (await runProgram(argv`demo --providers 20 --data-dir ${data.folder}`))
        .code,
      0,
    );
    const file = writeRegistryFile(data.folder, { providers: 100 });
    await succeed(["import", file, "--data-dir", data.folder]);
    const real = data.store.currentId();
    const { code, err } = await runProgram(
      argv`demo --providers 20 --data-dir ${data.folder}`,
    );
    assert.equal(code, 1);
    assert.match(err, /contains registry data\. .* --force /);
    assert.equal(data.store.currentId(), real);
    await succeeded(
      runProgram(argv`demo --providers 20 --data-dir ${data.folder} --force`),
    );
    assert.notEqual(data.store.currentId(), real);
  });

  test("demo and start replace no registry data if no snapshot is current, and rollback picks the newest", async () => {
    using data = twoDemos();
    const file = writeRegistryFile(data.folder, { providers: 100 });
    const inFolder = ["--data-dir", data.folder];
    await succeed(["import", file, ...inFolder]);
    const real = data.store.currentId();
    writeFileSync(join(data.folder, "snapshots", "current"), "");
    await fails(
      runProgram(["demo", "--providers", "20", ...inFolder]),
      1,
      /contains registry data/,
    );
    await fails(
      runProgram(["start"], {
        environment: { DATA_DIR: data.folder, PORT: "0" },
      }),
      1,
      /none is marked as current/,
    );
    await succeeded(data.run("rollback"));
    assert.equal(data.store.currentId(), real);
  });

  test("generate writes the same file for the same seed, and another file for another seed", async () => {
    using folder = temporaryFolder();
    const write = async (name: string, ...args: string[]) => {
      const out = join(folder.path, name);
      const said = await succeeded(
        runProgram(argv`generate --providers 50 --out ${out} ${args}`),
      );
      assert.match(said, /: 50 rows, [0-9.]+ kB, written in [0-9.]+ s\.\n$/);
      return readFileSync(out);
    };
    const first = await write("a.csv", "--seed", "7");
    assert.deepEqual(await write("b.csv", "--seed", "7"), first);
    assert.notDeepEqual(await write("c.csv", "--seed", "8"), first);
    assert.equal((await write("d.zip")).toString("latin1", 0, 2), "PK");
  });

  test("generate replaces an existing file only with --force", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "own.csv");
    writeFileSync(out, "precious");
    const args = ["generate", "--providers", "5", "--out", out];
    await fails(
      runProgram(args),
      1,
      /own\.csv already exists\. .*--force to replace it\.\n$/,
    );
    assert.equal(readFileSync(out, "utf8"), "precious");
    await succeeded(runProgram([...args, "--force"]));
    assert.notEqual(readFileSync(out, "utf8"), "precious");
  });

  test("generate refuses other extensions and missing folders in one sentence", async () => {
    using folder = temporaryFolder();
    for (const [out, expected, sentence, ...more] of [
      ["a.txt", 2, /must end in \.csv or \.zip/],
      ["a.csv", 2, /must end in \.zip/, "--with-other-files"],
      ["none/a.csv", 1, /does not exist/],
    ] as const) {
      const { code, err } = await runProgram(
        argv`generate --providers 5 --out ${join(folder.path, out)} ${more}`,
      );
      assert.equal(code, expected);
      assert.match(err, sentence);
    }
  });
});
