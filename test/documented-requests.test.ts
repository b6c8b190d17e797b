import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { ProgramProcess, temporaryFolder } from "./support/program/program.ts";

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const NO_CURL = has("curl") ? false : "curl is not here";
const NO_PYTHON = has("python3") ? false : "python3 is not here";
/** What the quick start's programs print: an NPI or a taxonomy's code. */
const FOUND = /\d{10}|\d{3}[\dA-Z]{6}X/;

suite("the requests in the documents, sent to the demo", () => {
  const README = read("README.md");
  const QUICK_START = read("docs/quick-start.md");
  const folder = temporaryFolder();
  const demo = new ProgramProcess(["start"], {
    DATA_DIR: folder.path,
    PORT: "0",
    WORKERS: "1",
    PORTAL: "off",
  });
  let url = "";
  let env: Record<string, string> = {};

  before(async () => {
    await demo.printed(/Press Ctrl-C to stop/);
    [, url = ""] = /Listening on (http:\S+)/.exec(demo.out) ?? [];
    const [key = ""] = /pd_live_\w{36}/.exec(demo.out) ?? [];
    const { PATH = "" } = process.env;
    env = { PATH, BASE: url, URL: url, API_KEY: key, KEY: key };
  });
  after(async () => {
    await demo[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (file: string, args: string[]) =>
    (await run(file, args, { env, cwd: folder.path })).stdout;
  const shell = (code: string) => ask("sh", ["-ec", code]);

  test("the README's find something, and get the answer that it shows", async () => {
    const paths = [...README.matchAll(/curl .*?:8080(\/v1\/[^\s"]+)/g)].map(
      ([, path = ""]) => path,
    );
    assert.equal(paths.length, 4);
    const answers = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${url}${path}`, {
          headers: { authorization: `Bearer ${env["KEY"]}` },
        });
        return { path, status: response.status, text: await response.text() };
      }),
    );
    for (const { path, status, text } of answers) {
      assert.equal(status, 200, path);
      assert.ok(!text.startsWith('{"data":[]'), path);
    }
    const [shown = ""] = blocks(README, "json");
    assert.deepEqual(JSON.parse(answers.at(-1)?.text ?? ""), JSON.parse(shown));
  });

  test(
    "the quick start's with curl give what it says",
    { skip: NO_CURL },
    async () => {
      const [, ...requests] = blocks(QUICK_START, "sh");
      assert.equal(requests.length, 8);
      const [search, record, nearby, batch, exported, listed, wrong, left] =
        await Promise.all(requests.map(shell));
      const { data, meta } = JSON.parse(search ?? "");
      assert.ok(meta.total > 0 && data[0].state === "CA");
      assert.equal(JSON.parse(record ?? "").data.npi, "1976056766");
      assert.ok(JSON.parse(nearby ?? "").data[0].distance_miles <= 10);
      const [known, typo, malformed] = JSON.parse(batch ?? "").data;
      assert.equal(known.verdict, "active");
      assert.deepEqual(typo.suggestions, ["1976056766"]);
      assert.equal(malformed.verdict, "malformed");
      const [header, ...rows] = (exported ?? "").trimEnd().split("\r\n");
      assert.match(header ?? "", /^npi,/);
      assert.ok(rows.length > 0 && rows.every((row) => /^\d{10},/.test(row)));
      const [first] = JSON.parse(listed ?? "").data;
      assert.match(first.description, /Nurse/);
      assert.ok(first.active_providers.primary.individuals > 0);
      const [shown = ""] = blocks(QUICK_START, "json");
      const { doc_url: _, request_id: __, ...error } = JSON.parse(shown).error;
      assert.partialDeepStrictEqual(JSON.parse(wrong ?? "").error, error);
      const names = blocks(QUICK_START, "").flatMap((each) =>
        each.match(/^[\w-]+/gm),
      );
      for (const name of names)
        assert.match(left ?? "", new RegExp(`^${name}: `, "im"), String(name));
    },
  );

  test("the quick start's find something in TypeScript, which is JavaScript", async () => {
    for (const code of blocks(QUICK_START, "ts"))
      assert.match(
        await ask(process.execPath, ["--input-type=module", "-e", code]),
        FOUND,
        code,
      );
  });

  test(
    "the quick start's find something in Python",
    { skip: NO_PYTHON },
    async () => {
      for (const code of blocks(QUICK_START, "python"))
        assert.match(await ask("python3", ["-c", code]), FOUND, code);
    },
  );

  test(
    "those of the HTTP API are answered, but for an invented snapshot",
    { skip: NO_CURL },
    async () => {
      const [variables = "", ...requests] = blocks(
        read("docs/http-api.md"),
        "sh",
      );
      assert.match(variables, /^BASE=.*\nKEY=/);
      assert.ok(requests.length > 15);
      for (const code of requests) {
        const status = await shell(
          `curl() { command curl -s -o answer -w '%{http_code}' "$@"; }\n${code.replace(" -OJ", "")}`,
        );
        const expected = code.includes("&snapshot=") ? "412" : "200";
        assert.equal(status, expected, code);
      }
    },
  );

  test(
    "that of the registry's own API finds the record",
    { skip: NO_CURL },
    async () => {
      const [request = ""] = blocks(read("docs/npi-registry-api.md"), "sh");
      const here = request.replace(
        /https:\/\/(\S+@)[\w.]+/,
        (_, key) => `http://${key}${new URL(url).host}`,
      );
      assert.equal(JSON.parse(await shell(here)).result_count, 1);
    },
  );

  test(
    "those of accounts sign a user up and in, and create a key",
    { skip: NO_CURL },
    async () => {
      const code = blocks(read("docs/accounts.md"), "sh").find((each) =>
        each.includes("/auth/sign-up/"),
      );
      const [signUp = "", rest = ""] = (code ?? "")
        .replace(/^URL=.*\n/, "")
        .split(/^# open the link in the email .*\n/m);
      const [, headers = ""] = /^(H=.*)$/m.exec(signUp) ?? [];
      await shell(signUp);
      await demo.printed(/[?&]token=[^&\s]+/);
      const [, token = ""] = /[?&]token=([^&\s]+)/.exec(demo.out) ?? [];
      const confirmed = rest.replace('"token":"..."', `"token":"${token}"`);
      assert.match(
        await shell(`${headers}\n${confirmed}`),
        /"email":"ada@clinic\.example","plan":"free".*"secret":"pd_live_\w{36}"/s,
      );
    },
  );
});

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
}

/** The code in a language, without the indentation of lists. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code);
}
