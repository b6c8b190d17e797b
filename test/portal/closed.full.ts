import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { IS_FULL } from "../support/pure/full-run.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  checkAxeInLightAndDark,
  NO_BROWSER,
  tooWide,
  visit,
} from "./browser.ts";

const README = readFileSync(
  new URL("../../README.md", import.meta.url),
  "utf8",
);
/** The commands of "Use it". */
const COMMANDS = [
  ...(/## Use it\n\n```sh\n([\s\S]*?)```/.exec(README)?.[1] ?? "").matchAll(
    /^bin\/provider-directory (.*)$/gm,
  ),
].map(([, words = ""]) =>
  [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  ),
);

suite("the README's commands for production, with generated files", () => {
  const owned = new AsyncDisposableStack();
  let program: ProgramProcess;
  let url = "";
  let npi = "";
  before(async () => {
    const folder = owned.use(temporaryFolder());
    const files = join(folder.path, "files");
    mkdirSync(files);
    const environment = {
      DATA_DIR: join(folder.path, "data"),
      UPDATE_SOURCE: files,
      TAXONOMY_SOURCE: "none",
      NPI_REGISTRY_API: "open",
    };
    const zip = join(files, "NPPES_Data_Dissemination_November_2026_V2.zip");
    const [update = [], create = [], serve = []] = COMMANDS;
    assert.equal(update[0], "update");
    for (const args of [
      ["generate", "--providers", "300", "--out", zip],
      update,
      create,
    ]) {
      const { code, err } = await runProgram(args, { environment });
      assert.equal(code, 0, err);
    }
    const port = serve.indexOf("8080");
    program = owned.use(new ProgramProcess(serve.with(port, "0"), environment));
    [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    await program.printed(/The explorer is closed/);
    await program.printed(/The registry's API at/);
    const { out } = await runProgram(["search", "limit=1", "--json"], {
      environment,
    });
    npi = JSON.parse(out).data[0].npi;
  });
  after(() => owned.disposeAsync());

  test("the start prints a line for each closed part, with the setting that opens it", () => {
    const lines = program.err.split("\n");
    for (const [what, settings] of [
      ["Only this machine can reach the service", ["HOST", "PUBLIC_URL"]],
      ["Sign-up is off", ["SMTP_URL", "MAIL_FROM", "PUBLIC_URL"]],
      ["The explorer is closed", ["EXPLORER=open"]],
      ["The registry's API at /api/ is open", ["NPI_REGISTRY_API=key"]],
    ] as const) {
      const said = lines.filter((line) => line.startsWith(what));
      assert.equal(said.length, 1, program.err);
      for (const setting of settings)
        assert.ok(said.join("").includes(setting), said.join(""));
    }
  });

  test("an open registry's API answers without a key, and /v1 does not", async () => {
    const answer = await fetch(`${url}/api/?version=2.1&number=${npi}`);
    assert.equal(answer.status, 200);
    const { results } = await answer.json();
    assert.equal(results[0].number, npi);
    const { status } = await fetch(`${url}/v1/providers/${npi}`);
    assert.equal(status, 401);
  });

  test(
    "each page says what is closed and whom to ask, not that a session has ended",
    {
      skip: NO_BROWSER,
    },
    async () => {
      await using reader = await visit(url);
      const { page } = reader;
      // Closed pages of a kind look alike, and axe takes longer than all else.
      const checked = new Set<string>();
      for (const [path, sentence, setting] of [
        ["/?name=smith", "The explorer is closed", "EXPLORER=open"],
        [`/npi/${npi}`, "The explorer is closed", "EXPLORER=open"],
        ["/sign-in", "Sign-up is closed", "SMTP_URL"],
        ["/sign-up", "Sign-up is closed", "SMTP_URL"],
        ["/forgot-password", "Sign-up is closed", "SMTP_URL"],
        ["/settings", "Sign-up is closed", "SMTP_URL"],
        ["/settings/usage", "Sign-up is closed", "SMTP_URL"],
        ["/settings/security", "Sign-up is closed", "SMTP_URL"],
        [
          "/reference",
          "Ask the operator of this service for an API key.",
          null,
        ],
        ["/", "The explorer is closed", "EXPLORER=open"],
      ] as const) {
        await page.goto(path);
        await page.getByText(sentence).waitFor();
        const text = await page.locator("main").innerText();
        assert.match(text, /[Aa]sk (its|the) operator/, path);
        if (setting !== null) assert.ok(text.includes(setting), path);
        assert.doesNotMatch(text, /session|switched off/, path);
        if (path !== "/reference" && (IS_FULL || !checked.has(sentence)))
          await checkAxeInLightAndDark(page);
        checked.add(sentence);
      }
      assert.deepEqual(await tooWide(page), []);
      await page.getByRole("link", { name: "settings" }).click();
      await page
        .getByRole("heading", { name: "What is closed by default" })
        .waitFor();
      assert.deepEqual(reader.faults, []);
    },
  );
});
