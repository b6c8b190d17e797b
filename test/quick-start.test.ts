import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { ProgramProcess, temporaryFolder } from "./support/program/program.ts";

const TEXT = readFileSync(
  new URL("../docs/quick-start.md", import.meta.url),
  "utf8",
);
const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

test("the quick start's requests give what it says, in each language, with the demo's data", async (t) => {
  using folder = temporaryFolder();
  await using program = new ProgramProcess(["start"], {
    DATA_DIR: folder.path,
    PORT: "0",
    WORKERS: "1",
    PORTAL: "off",
  });
  await program.printed(/Press Ctrl-C to stop/);
  const [key = ""] = /pd_live_\w{36}/.exec(program.out) ?? [];
  const [, url = ""] = /Listening on (http:\S+)/.exec(program.out) ?? [];
  const env = { PATH: process.env["PATH"], BASE: url, API_KEY: key };
  const ask = async (file: string, args: string[]) =>
    (await run(file, args, { env })).stdout;

  const [, ...requests] = blocks("sh");
  assert.equal(requests.length, 8);
  if (has("curl")) {
    const [search, record, nearby, batch, exported, listed, wrong, left] =
      await Promise.all(requests.map((code) => ask("sh", ["-c", code])));
    const { data, meta } = JSON.parse(search ?? "");
    assert.ok(meta.total > 0 && data[0].state === "CA");
    assert.equal(JSON.parse(record ?? "").data.npi, "1979422809");
    assert.ok(JSON.parse(nearby ?? "").data[0].distance_miles <= 10);
    const [known, typo, malformed] = JSON.parse(batch ?? "").data;
    assert.equal(known.verdict, "active");
    assert.deepEqual(typo.suggestions, ["1979422809"]);
    assert.equal(malformed.verdict, "malformed");
    const [header, ...rows] = (exported ?? "").trimEnd().split("\r\n");
    assert.match(header ?? "", /^npi,/);
    assert.ok(rows.length > 0 && rows.every((row) => /^\d{10},/.test(row)));
    const [first] = JSON.parse(listed ?? "").data;
    assert.match(first.description, /Nurse/);
    assert.ok(first.active_providers.primary.individuals > 0);
    const [shown = ""] = blocks("json");
    const { doc_url: _, request_id: __, ...error } = JSON.parse(shown).error;
    assert.partialDeepStrictEqual(JSON.parse(wrong ?? "").error, error);
    for (const name of blocks("").flatMap((each) => each.match(/^[\w-]+/gm)))
      assert.match(left ?? "", new RegExp(`^${name}: `, "im"), String(name));
  } else t.diagnostic("curl is not here");

  for (const code of blocks("ts"))
    assert.match(
      await ask(process.execPath, [
        "--input-type=module-typescript",
        "-e",
        code,
      ]),
      /\d{10}|\d{3}[\dA-Z]{6}X/,
      code,
    );
  if (!has("python3")) return t.diagnostic("python3 is not here");
  for (const code of blocks("python"))
    assert.match(
      await ask("python3", ["-c", code]),
      /\d{10}|\d{3}[\dA-Z]{6}X/,
      code,
    );
});

/** The code in a language. */
function blocks(language: string): string[] {
  return [...TEXT.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code);
}
