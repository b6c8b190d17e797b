import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { ProgramProcess, succeeded } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const HAS_CURL = spawnSync("curl", ["--version"]).status === 0;
const KEY = /pd_live_[0-9A-Za-z]{36}/;

/** The answer to a printed `curl` command, run in a shell, or sent with `fetch` if curl isn't installed. */
async function answerOf(line: string): Promise<{
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
  results: Record<string, unknown>[];
}> {
  if (HAS_CURL)
    return JSON.parse(
      execFileSync("sh", ["-c", line.replace(/^curl /, "curl -sS ")], {
        encoding: "utf8",
      }),
    );
  const [, header = "", address = ""] =
    /^curl (?:-H '([^']*)' )?'([^']*)'$/.exec(line) ?? [];
  const url = new URL(address);
  const user = Buffer.from(`${url.username}:`).toString("base64");
  url.username = url.password = "";
  return JSON.parse(
    await (
      await fetch(url, {
        headers: {
          authorization:
            header.replace(/^Authorization: /, "") || `Basic ${user}`,
        },
      })
    ).text(),
  );
}

/** The lines of `curl` that the program printed, once it has. */
async function examplesOf(program: ProgramProcess): Promise<string[]> {
  await program.printed(/Press Ctrl-C to stop/);
  return program.out
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("curl "));
}

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

suite("npm start", () => {
  test("creates a demo and a key, prints commands that work as they are, and serves the folder's data if it has some", async () => {
    using folder = temporaryFolder();
    const environment = {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "600",
    };
    {
      await using program = new ProgramProcess(["start"], environment);
      const examples = await examplesOf(program);
      assert.equal(examples.length, 4);
      const [lookup, search, nearby, registry] = await Promise.all(
        examples.map(answerOf),
      );
      assert.match(String(lookup?.meta["source"]), /^Demo data/);
      assert.match(program.out, /^Data: +600 providers \(Demo data: .*\)$/m);
      assert.ok(Number(search?.meta["total"]) > 0);
      assert.ok(Number(nearby?.meta["count"]) > 0);
      assert.equal(registry?.results[0]?.["number"], lookup?.data["npi"]);
      const { port } = new URL(
        /Listening on (http:\S+)/.exec(program.out)?.[1] ?? "",
      );
      assert.notEqual(port, "0");
      assert.equal((await fetch(`http://127.0.0.1:${port}/docs`)).status, 200);

      const [key = ""] = KEY.exec(program.out) ?? [];
      for (const file of filesIn(folder.path))
        assert.equal(readFileSync(file).includes(key), false, file);
      program.kill("SIGINT");
      await succeeded(program.ended());
    }
    await using again = new ProgramProcess(["start"], environment);
    const examples = await examplesOf(again);
    assert.equal(examples.length, 4);
    assert.doesNotMatch(again.out, KEY);
    assert.match(
      again.out,
      /To create another: {2}bin\/provider-directory keys create --email \S+ --plan paid /,
    );
    assert.match(
      JSON.stringify(await answerOf(examples[0] ?? "")),
      /invalid_api_key/,
    );
  });

  test("prints no command of the registry's own API if it is off", async () => {
    using folder = temporaryFolder();
    await using program = new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "600",
      NPI_REGISTRY_API: "off",
    });
    const examples = await examplesOf(program);
    assert.equal(examples.length, 3);
    assert.doesNotMatch(examples.join(), /version=2\.1/);
  });

  test("prints addresses and commands below the path of PUBLIC_URL", async () => {
    using folder = temporaryFolder();
    await using program = new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      PROVIDERS: "50",
      WORKERS: "1",
      PUBLIC_URL: "https://clinic.example/npi",
      FILES: "on",
      MCP: "on",
    });
    await program.printed(/Press Ctrl-C to stop/);
    assert.match(program.out, /v1\/files\nAssistants: .*\/mcp$/m);
    const [, ...addresses] = program.out.match(/https?:\/\/[^\s']+/g) ?? [];
    assert.ok(addresses.length >= 5);
    for (const address of addresses)
      assert.match(address, /^https:\/\/(?:[^@/]+@)?clinic\.example\/npi\//);
  });

  test("npm runs this command, without a shell that would keep its signals", () => {
    const { scripts } = JSON.parse(
      readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
    );
    assert.equal(scripts.start, "exec bin/provider-directory start");
  });
});
