import assert from "node:assert/strict";
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import {
  ProgramProcess,
  argv,
  fails,
  runProgram,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { DiskSections } from "../../../src/snapshot/container/disk-sections.ts";
import { SnapshotStore } from "../../../src/store/store.ts";

/** Large enough for each way to evaluate a search. */
const PROVIDERS = "12000";

suite("provider-directory search", () => {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    runProgram(["search", ...args, "--data-dir", folder.path]);
  before(async () => {
    const args = ["--providers", PROVIDERS, "--data-dir", folder.path];
    await succeeded(runProgram(["demo", ...args]));
  });
  after(() => folder[Symbol.dispose]());

  test("--json prints the API's answer; errors are the API's, too", async () => {
    const created = await runProgram([
      ..."keys create --email ada@clinic.example --data-dir".split(" "),
      folder.path,
    ]);
    const [key = ""] = /pd_live_\w{36}/.exec(created.out) ?? [];
    await using program = new ProgramProcess([
      ..."serve --port 0 --workers 1 --portal off --data-dir".split(" "),
      folder.path,
    ]);
    const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    const ask = async (path: string, parameters: readonly string[]) => {
      const pairs = parameters.map((pair) => pair.split("="));
      const answer = await fetch(
        `${url}/v1/providers/${path}?${new URLSearchParams(pairs).toString()}`,
        { headers: { authorization: `Bearer ${key}` } },
      );
      return answer.text();
    };
    for (const parameters of [
      ["state=CA", "last_name=S", "limit=5"],
      ["name=an ar", "page=2"],
      ["name=o'b", "name_scope=any"],
      ["last_updated_since=2024-01-01", "limit=1"],
      ["last_name=no such name"],
    ]) {
      const { code, err, out } = await run(...parameters, "--json");
      assert.deepEqual([code, err], [0, ""]);
      assert.equal(out, `${await ask("search", parameters)}\n`);
    }
    const around = ["zip=60601", "radius=200", "location_scope=any"];
    const nearby = await run(...around, "--nearby", "--json");
    assert.equal(nearby.out, `${await ask("nearby", around)}\n`);

    const wrong = ["state=XX", "limit=0", "radius=1"];
    const refused = await run(...wrong);
    const { error } = JSON.parse(await ask("search", wrong));
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.deepEqual(
      refused.err.trimEnd().split("\n"),
      error.details.map(
        ({ message }: { message: string }) => `provider-directory: ${message}`,
      ),
    );
  });

  test("prints one line per provider, and how many match", async () => {
    const { out } = await run("state=CA", "limit=2");
    assert.match(
      out,
      /^NPI +NAME +SPECIALTY +CITY +STATE +STATUS\n(?:\d{10} .+ CA +\w+\n){2}2 of 1,\d{3} matching providers\.\n$/,
    );
    const nearby = await run("--nearby", "zip=60601", "radius=100", "limit=3");
    assert.match(
      nearby.out,
      /^NPI .+ MILES\n(?:\d{10} .+ \d+(?:\.\d+)?\n){3}Page 1, with 3 matching providers\. To see more, add page=2\.\n$/,
    );
    const none = await run("last_name=no such name");
    assert.equal(none.out, "0 of 0 matching providers.\n");
    const far = await run("--nearby", "zip=60601", "page=1000");
    assert.equal(far.out, "Page 1000, with 0 matching providers.\n");
    const alaska = ["--nearby", "lat=72", "lng=-170", "radius=1"];
    assert.equal((await run(...alaska)).out, "0 matching providers.\n");
  });

  test("reports an argument that is not NAME=VALUE, and a folder without data", async () => {
    await fails(run("CA"), 2, /"CA" is not a parameter with a value\./);
    using empty = temporaryFolder();
    await fails(
      runProgram(["search", "--data-dir", empty.path]),
      1,
      /has no current snapshot/,
    );
    assert.deepEqual(readdirSync(empty.path), []);
  });

  test("a damaged section ends it with a sentence, not with wrong results or a stack trace", async () => {
    using copy = copyOf(folder.path);
    const [id = ""] = new SnapshotStore(copy.path).ids();
    const path = new SnapshotStore(copy.path).pathOf(id);
    using sections = new DiskSections(path);
    for (const name of ["city.offsets", "place.city", "record.bytes"]) {
      const { bytes = 0, offset = 0 } =
        sections.entries.find((entry) => entry.name === name) ?? {};
      const file = openSync(path, "r+");
      const intact = Buffer.alloc(bytes);
      readSync(file, intact, 0, bytes, offset);
      writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, offset);
      for (const args of [["name=smith"], ["--nearby", "zip=60601"]]) {
        await fails(
          runProgram(argv`search ${args} --data-dir ${copy.path}`),
          1,
          `provider-directory: Section "${name}" of the current snapshot does not match its checksum; roll back or import again.\n`,
        );
      }
      // What can't be parsed needs no data.
      const wrong = ["search", "limit=0", "--data-dir", copy.path];
      await fails(runProgram(wrong), 2, /^provider-directory: limit must be /);
      writeSync(file, intact, 0, bytes, offset);
      closeSync(file);
    }
  });

  test("searches records while the details are damaged, and says so when it needs them", async () => {
    using copy = copyOf(folder.path);
    const store = new SnapshotStore(copy.path);
    const [id = ""] = store.ids();
    writeFileSync(store.detailsPathOf(id), "damaged");
    const search = (...args: string[]) =>
      runProgram(["search", ...args, "--data-dir", copy.path]);
    assert.deepEqual(await search("state=CA"), await run("state=CA"));
    const around = ["--nearby", "zip=60601", "radius=500", "limit=100"];
    await fails(
      search(...around, "location_scope=any"),
      1,
      /The file with secondary locations cannot be read\./,
    );
  });

  test("names a current snapshot that is missing, and says what to do", async () => {
    using copy = copyOf(folder.path);
    const current = join(copy.path, "snapshots", "current");
    for (const [id, said] of [
      [
        "20200101T000000000Z",
        /current snapshot 20200101T000000000Z is missing/,
      ],
      ["", /has snapshots, but none is marked as current/],
    ] as const) {
      writeFileSync(current, id);
      for (const command of ["search", "snapshots inspect"]) {
        const { code, err } = await runProgram([
          ...command.split(" "),
          "--data-dir",
          copy.path,
        ]);
        assert.equal(code, 1);
        assert.match(err, said);
        assert.match(err, /Run snapshots rollback/);
      }
    }
  });

  for (const [evaluator, ...parameters] of [
    ["ranges", "state=CA"],
    ["taxonomies", "specialty=family"],
    ["prefix", "last_name=s"],
    ["word", "name=a"],
    ["list", "name=smith", "state=CA"],
    ["sets", "name=an ar"],
  ] as const)
    test(`--explain names the evaluator of ${parameters.join(" ")}: ${evaluator}`, async () => {
      const out = await succeeded(run(...parameters, "--explain", "--json"));
      const explained = JSON.parse(out);
      assert.equal(explained.evaluation.evaluator, evaluator);
      assert.equal(
        "estimated_us_of_sets" in explained.evaluation,
        evaluator === "list" || evaluator === "sets",
      );
      const answer = await run(...parameters, "--json");
      const { count, total } = JSON.parse(answer.out).meta;
      assert.equal(explained.sizes.matches, total);
      assert.equal(explained.sizes.page, count);
      assert.equal(explained.sizes.documents, Number(PROVIDERS));
      assert.deepEqual(
        explained.steps.map(({ step }: { step: string }) => step),
        [
          "parse",
          "fold",
          "plan (fold and resolve included)",
          "evaluate",
          "page",
          "render",
        ],
      );
    });

  test("--explain shows what each filter was resolved to", async () => {
    const { out } = await run(
      ...argv`name=smith last_name=sm name_scope=any specialty=nurse taxonomy_scope=any last_updated_since=2020-01-01 entity_type=individual state=CA --explain`,
    );
    assert.match(out, /document ranges:\n +ranges: 1\n +documents: 1,\d+\n/);
    assert.match(out, /kinds: individual, active; individual, deactivated\n/);
    assert.match(out, /- filter: name of the record or other name\n/);
    assert.match(out, /filter: "SMITH" in any name\n/);
    assert.match(out, /last names +2 +\w{4} +\d+ +\d+\n/);
    assert.match(out, /filter: prefix of the last name\n +dictionary range:\n/);
    assert.match(out, /- filter: taxonomy in any slot\n/);
    assert.match(out, /- filter: updated on or after 2020-01-01\n/);
    assert.match(
      out,
      /^ +step +first us +best us\n +parse +[\d.,]+ +[\d.,]+$/m,
    );
  });

  test("--explain of nearby shows whether candidates are sorted or ZIP codes scanned", async () => {
    const around = ["--nearby", "zip=60601", "--explain"];
    const rings = await run(...around);
    assert.match(rings.out, /evaluator: rings\n/);
    const few = await run(...around, "specialty=family");
    assert.match(few.out, /evaluator: candidates\n(?:.+\n)+ +candidates: \d/);
  });
});

/** A copy of a data folder, to damage. */
function copyOf(path: string): ReturnType<typeof temporaryFolder> {
  const copy = temporaryFolder();
  cpSync(path, copy.path, { recursive: true });
  return copy;
}
