import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import manifest from "../package.json" with { type: "json" };
import {
  releases,
  unpackRelease,
  whileServed,
} from "./fixtures/make-release.ts";
import { runProgram } from "./support/program/program.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";
import {
  officialLayout,
  registryCsv,
} from "./support/pure/registry/registry-csv.ts";
import { npiOf, person } from "./support/pure/registry/small-registry.ts";

const WEEK = "npidata_pfile_20261214-20261220.csv";
/** After the last import of the releases' data. */
const NOW = Date.UTC(2026, 11, 22);

/** The parts of details that each release stored. */
const RELEASED_PARTS: Readonly<Record<string, readonly string[]>> = {
  "1.0.0": ["taxonomies", "other_names", "locations", "identity"],
  "1.1.0": [
    "taxonomies",
    "other_names",
    "locations",
    "identity",
    "mailing_address",
    "identifiers",
    "endpoints",
  ],
};

suite("the data folder of an earlier release", () => {
  test("exists for the first release of this major version", () => {
    const [major] = manifest.version.split(".");
    assert.ok(releases().includes(`${major}.0.0`), String(releases()));
  });

  for (const version of releases())
    test(`${version}: takes a week and is served; its user signs in, and its key works`, async () => {
      using folder = temporaryFolder();
      const dataDir = join(folder.path, "data");
      const { email, key, password } = unpackRelease(version, dataDir);
      const run = (...args: string[]) =>
        runProgram([...args, "--data-dir", dataDir], {
          context: { now: () => NOW },
        });
      const week = join(folder.path, WEEK);
      const rows = [person(9), person(4, { last: "UPGRADED" })];
      writeFileSync(week, registryCsv(rows, officialLayout()));

      const before = await run("snapshots", "verify");
      assert.deepEqual([before.code, before.err], [0, ""]);
      const imported = await run("import", week);
      assert.equal(imported.code, 0, imported.err);
      const verified = await run("snapshots", "verify", "--all");
      assert.equal(verified.code, 0, verified.out + verified.err);
      const changes = await run("changes", "--npi", npiOf(4));
      assert.match(changes.out, /CHANGED.*UPGRADED/);

      await whileServed(dataDir, async ({ ask }) => {
        const get = async (path: string) => {
          const answer = await ask(path, { authorization: `Bearer ${key}` });
          const text = await answer.text();
          assert.equal(answer.status, 200, text);
          return JSON.parse(text);
        };
        const record = await get(
          `/v1/providers/${npiOf(1)}?include=taxonomies,other_names`,
        );
        assert.equal(record.data.status, "deactivated");
        assert.equal(record.data.taxonomies.length, 2);
        // Rows of the week have parts that the release did not store: those stay out until the next full file.
        const { data: stored } = await get("/v1/status");
        const all = await get(`/v1/providers/${npiOf(9)}?include=all`);
        assert.deepEqual(stored.details, RELEASED_PARTS[version]);
        assert.deepEqual(
          Object.keys(all.data).slice(-stored.details.length),
          stored.details,
        );
        const search = await get("/v1/providers/search?last_name=upgraded");
        assert.deepEqual(
          search.data.map(({ npi }: { npi: string }) => npi),
          [npiOf(4)],
        );
        const scoped = await get(
          "/v1/providers/search?name=sunrise&name_scope=any",
        );
        assert.equal(scoped.meta.total, 1);
        const listed = await get("/v1/changes?since=2026-11-01");
        assert.ok(listed.data.length > 0);

        const body = JSON.stringify({ email, password });
        const signedIn = await ask("/auth/sign-in/email", { body });
        assert.equal(signedIn.status, 200, await signedIn.text());
        const cookie = signedIn.headers
          .getSetCookie()
          .map((line) => line.split(";")[0])
          .join("; ");
        const account = await (await ask("/account", { cookie })).text();
        assert.equal(JSON.parse(account).data.email, email, account);
        const keys = JSON.parse(
          await (await ask("/account/keys", { cookie })).text(),
        );
        assert.deepEqual(
          keys.data.map(({ name }: { name: string }) => name),
          ["kept"],
        );
      });
    });
});
