import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import {
  BATCH_EXAMPLE,
  CHANGES_EXAMPLE,
  DETAILS_EXAMPLE,
  EXPORT_EXAMPLE,
  INTERPRET_EXAMPLE,
  LOCATED_EXAMPLE,
  LOOKUP_EXAMPLE,
  NEARBY_EXAMPLE,
  SEARCH_EXAMPLE,
  TAXONOMIES_EXAMPLE,
  TAXONOMY_EXAMPLE,
  WITHHELD_EXAMPLE,
} from "../src/contract/examples.ts";
import { rowFormatOf } from "../src/contract/row-formats.ts";
import { requestSamples } from "../src/portal/api/request-samples.ts";
import {
  exampleOf,
  firstValues,
  isReadable,
  operationsOf,
} from "../src/portal/reference/openapi.ts";
import { PROGRAM_FILE, ProgramProcess } from "./support/program/program.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const NO_CURL = has("curl") ? false : "curl is not here";
const NO_PYTHON = has("python3") ? false : "python3 is not here";
/** What the quick start's programs print: an NPI or a taxonomy's code. */
const FOUND = /\d{10}|\d{3}[\dA-Z]{6}X/;
/** Members that differ between demos, or will when the generator invents other names and places. */
const VARYING: ReadonlySet<string> = new Set([
  "date",
  "next_cursor",
  "complete_since",
  "request_id",
  "instance",
  "individuals",
  "organizations",
]);
/** The day on which the demo was made. */
const IMPORT_DAY = /^\d{4}-\d\d-\d\d(?= )/gm;
/** Parameters whose example is from an earlier response. */
const FROM_RESPONSES: ReadonlySet<string> = new Set(["snapshot", "cursor"]);
/** What parameters of an operation need to find something. */
const TOGETHER_WITH: Readonly<Record<string, string>> = {
  "/api/": "version=2.1&city=chicago",
  "/v1/providers": "npi=1976056766",
  columns: "format=csv",
  "/v1/providers/nearby": "zip=60601&lat=41.88&lng=-87.63",
  "/v1/providers/interpret": "q=smith",
};

suite("the requests in the documents, sent to the demo", () => {
  const QUICK_START = read("docs/quick-start.md");
  const folder = temporaryFolder();
  const demo = new ProgramProcess(["start"], {
    DATA_DIR: folder.path,
    PORT: "0",
    WORKERS: "1",
    FILES: "on",
    LOG_LEVEL: "info",
  });
  let url = "";
  let env: Record<string, string> = {};

  before(async () => {
    await demo.printed(/Press Ctrl-C to stop/);
    await demo.printed(/the files of the snapshot are made/);
    [, url = ""] = /Listening on (http:\S+)/.exec(demo.out) ?? [];
    const [key = ""] = /pd_live_\w{36}/.exec(demo.out) ?? [];
    const { PATH = "" } = process.env;
    env = {
      PATH,
      BASE: url,
      URL: url,
      API_KEY: key,
      DATA_DIR: folder.path,
    };
  });
  after(async () => {
    await demo[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (file: string, args: string[]) =>
    (await run(file, args, { env, cwd: folder.path, maxBuffer: 1 << 26 }))
      .stdout;
  /** The outputs of a block's requests, or of its commands. */
  const shell = (code: string) =>
    ask("sh", [
      "-ec",
      code
        .replaceAll("127.0.0.1:8080", new URL(url).host)
        .replaceAll("bin/provider-directory", PROGRAM_FILE),
    ]);
  /** The responses to the requests of a block. */
  const responses = async ({ code }: Block) =>
    (
      await shell(
        `curl() { command curl -sS "$@"; printf '\\f'; }\n${code.replace(/^(?:BASE|API_KEY)=.*\n/gm, "").replace(/ -(?:OJ|o \S+)/g, "")}`,
      )
    )
      .split("\f")
      .slice(0, -1);
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${env["API_KEY"]}` };
    return (await fetch(`${url}${path}`, { headers })).text();
  };
  const readIn = (name: string) =>
    readFileSync(join(folder.path, name), "latin1");
  /** The operations that find something. */
  const operations = async () =>
    operationsOf(JSON.parse(await get("/openapi.json"))).filter(({ path }) =>
      /^\/(?:v1|api)\//.test(path),
    );

  for (const path of [
    "README.md",
    "docs/http-api.md",
    "docs/npi-registry-api.md",
    "docs/changes.md",
  ])
    test(
      `those of ${path} find something, and get the responses shown`,
      { skip: NO_CURL },
      async () => {
        const requests = blocksOf(read(path)).filter(
          ({ code, language }) => language === "sh" && /^ *curl /m.test(code),
        );
        assert.ok(requests.length > 0);
        for (const request of requests) {
          const found = await responses(request);
          assert.ok(found.length > 0, request.code);
          if (request.shown === null)
            for (const response of found) assertFinds(response, request.code);
          else
            assert.deepEqual(
              comparable(found.at(-1) ?? ""),
              comparable(request.shown),
              request.code,
            );
        }
      },
    );

  test("the reference's examples of responses are the demo's", async () => {
    const { npi } = EXPORT_EXAMPLE;
    const one = "name=john+smith&middle_initial=q&status=active&city=chicago";
    const near =
      "/v1/providers/nearby?zip=60657&radius=10&organization=st+marys+lakeside";
    for (const [path, example] of [
      [`/v1/providers/${npi}`, LOOKUP_EXAMPLE],
      ["/v1/providers?npi=1976056766,1976506766,1496412788", BATCH_EXAMPLE],
      [
        "/v1/providers/search?organization=st+marys+lakeside&state=il",
        SEARCH_EXAMPLE,
      ],
      [near, NEARBY_EXAMPLE],
      [`${near}&location_scope=any`, LOCATED_EXAMPLE],
      [
        "/v1/providers/interpret?q=dr+john+q+smith+cardiologist+in+chicago",
        INTERPRET_EXAMPLE,
      ],
      ["/v1/changes?since=2026-11-15&limit=2", CHANGES_EXAMPLE],
      ["/v1/taxonomies?q=fam+med", TAXONOMIES_EXAMPLE],
      [`/v1/providers/${npi}?include=all`, DETAILS_EXAMPLE],
      [`/v1/providers/${WITHHELD_EXAMPLE.data.npi}`, WITHHELD_EXAMPLE],
      [`/v1/taxonomies/${TAXONOMY_EXAMPLE.data.code}`, TAXONOMY_EXAMPLE],
      [`/v1/providers/export?${one}`, EXPORT_EXAMPLE],
    ] as const)
      assert.deepEqual(
        comparable(await get(path)),
        comparable(JSON.stringify(example)),
      );
    assert.equal(
      await get(`/v1/providers/export?${one}&format=csv`),
      rowFormatOf("csv").example,
    );
  });

  test(
    "those of the reference find something, in every language",
    { skip: NO_CURL || NO_PYTHON },
    async () => {
      for (const { parameters, path, types } of await operations()) {
        const values = Object.entries(firstValues(path, parameters, null));
        const request = {
          path: values.reduce(
            (all, [name, value]) => all.replace(`{${name}}`, value),
            path,
          ),
          query: values.filter(
            ([name, value]) => value !== "" && !path.includes(`{${name}}`),
          ),
          isText: !types.includes("application/json"),
        };
        if (!isReadable(types)) {
          await assertSave(request.path);
          continue;
        }
        const { curl, python, typescript } = requestSamples(request, url);
        for (const printed of [
          await shell(curl),
          await ask("python3", ["-c", python]),
          await ask(process.execPath, [
            "--input-type=module",
            "-e",
            // As JSON, whatever its depth.
            typescript.replace(
              "console.log(await response.json())",
              "console.log(JSON.stringify(await response.json()))",
            ),
          ]),
        ])
          assertFinds(printed, path);
      }
    },
  );

  /** Asserts that the samples save a Parquet file of the snapshot that is served. */
  const assertSave = async (path: string) => {
    const { meta } = JSON.parse(await get("/v1/files"));
    const { curl, python, typescript } = requestSamples(
      {
        path: path.replace(/\d{8}T\d{9}Z/, meta.snapshot),
        isText: true,
        saveAs: "saved.parquet",
      },
      url,
    );
    const node = ["--input-type=module", "-e", typescript];
    for (const save of [
      () => shell(curl),
      () => ask("python3", ["-c", python]),
      () => ask(process.execPath, node),
    ]) {
      rmSync(join(folder.path, "saved.parquet"), { force: true });
      await save();
      assert.match(readIn("saved.parquet"), /^PAR1[^]*PAR1$/);
    }
  };

  test("each parameter's example finds something", async () => {
    for (const { parameters, path } of await operations())
      for (const each of parameters) {
        const example = exampleOf(each);
        if (each.in !== "query" || FROM_RESPONSES.has(each.name)) continue;
        assert.notEqual(example, "", `${path} ${each.name}`);
        const query = new URLSearchParams(
          TOGETHER_WITH[each.name === "columns" ? "columns" : path],
        );
        query.set(each.name, example);
        const filled = path
          .replace("{npi}", "1976056766")
          .replace("{code}", "207Q00000X");
        const target = `${filled}?${String(query)}`;
        assertFinds(await get(target), target);
      }
  });

  test("those that the portal shows first find something", async () => {
    const { data } = JSON.parse(await get("/portal.json"));
    assert.equal(data.examples.length, 3);
    for (const { filters, operation } of data.examples)
      assertFinds(
        await get(
          operation === "lookup"
            ? `/v1/providers/${filters.npi}`
            : `/v1/providers/${operation}?${String(new URLSearchParams(filters))}`,
        ),
        JSON.stringify(filters),
      );
    assertFinds(await get(`/v1/providers/${data.example_npi}`), "example_npi");
  });

  test("the commands for changes print what the page shows", async () => {
    const [commands, output] = blocksOf(read("docs/changes.md")).filter(
      ({ section }) => section === "Listing changes on the command line",
    );
    assert.ok(commands !== undefined && output !== undefined);
    const printed = (await shell(commands.code)).replaceAll(IMPORT_DAY, "");
    for (const line of output.code.replaceAll(IMPORT_DAY, "").split("\n"))
      assert.ok(printed.includes(`${line}\n`), line);
    assert.match(printed, /^\{"npi":"1008874673","kind":"changed"/m);
  });

  test("the commands that search, export, and check find something", async () => {
    const found = await shell(commandsIn("Searching without the service"));
    assert.match(found, /SMITH/);
    assert.doesNotMatch(found, /^0 /m);
    const exported = commandsIn("Exporting to a file");
    const npis = await shell(
      has("jq") ? exported : exported.replace(/^.*jq.*$/m, ""),
    );
    if (has("jq")) assert.match(npis, /^\d{10}$/m);
    const [, ...rows] = readIn("cardiology.csv").trimEnd().split("\n");
    assert.ok(rows.length > 0);
    for (const name of ["registry.parquet", "illinois.parquet"])
      assert.match(readIn(name), /^PAR1/);
    // It exits with 3, as one of them is mistyped.
    await shell(`${commandsIn("Checking a list").trimEnd()} || [ $? = 3 ]`);
    assert.match(readIn("checked.csv"), /^Smith,1976056766,active,/m);
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
      const [limit = ""] = /^X-RateLimit-Limit: .*$/m.exec(QUICK_START) ?? [];
      assert.ok(left?.toLowerCase().includes(limit.toLowerCase()), limit);
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
    "those of keys and quotas sign a user up and in, and create a key",
    { skip: NO_CURL },
    async () => {
      const code = blocks(read("docs/keys-and-quotas.md"), "sh").find((each) =>
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

  test(
    "those of the files download one, and check it",
    { skip: NO_CURL || (has("jq") ? false : "jq is not here") },
    async () => {
      const [download = ""] = blocks(read("docs/sql.md"), "sh");
      assert.match(await shell(download), /^providers\.parquet: OK$/m);
    },
  );

  test(
    "those of the Python module find something",
    { skip: NO_PYTHON },
    async () => {
      const module = "provider_directory.py";
      const source = new URL(`../clients/python/${module}`, import.meta.url);
      copyFileSync(source, join(folder.path, module));
      const [code = ""] = blocks(read("docs/clients.md"), "python");
      assert.match(await ask("python3", ["-c", code]), FOUND);
      const command = blocks(read("docs/clients.md"), "sh").at(-1) ?? "";
      assert.match(await shell(command), FOUND);
    },
  );

  test("that of the errors gets the one shown", { skip: NO_CURL }, async () => {
    const [request] = blocksOf(read("docs/errors.md"));
    assert.ok(request?.shown !== null && request !== undefined);
    const [response = ""] = await responses(request);
    assert.deepEqual(comparable(response), comparable(request.shown));
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
}

/** A block of code in a document. */
interface Block {
  readonly language: string;
  readonly code: string;
  /** The last heading before it. */
  readonly section: string;
  /** The JSON that follows it in the same section: the response to its last request. */
  readonly shown: string | null;
}

function blocksOf(text: string): Block[] {
  const sections = text.split(/^#+ /m).slice(1);
  return sections.flatMap((section) => {
    const title = section.slice(0, section.indexOf("\n"));
    const found = [...section.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)];
    return found.map(([, language = "", code = ""], index) => {
      const [, next, json = ""] = found[index + 1] ?? [];
      return {
        language,
        code,
        section: title,
        shown: language === "sh" && next === "json" ? json : null,
      };
    });
  });
}

/** The commands of a section of the page about files. */
function commandsIn(section: string): string {
  const found = blocksOf(read("docs/files.md")).find(
    (each) => each.section === section && each.language === "sh",
  );
  return found?.code ?? "";
}

/** Fails unless a response has data, and a batch an active provider. */
function assertFinds(response: string, request: string): void {
  // Unchanged, or the first line of NDJSON.
  if (/^HTTP\/1\.1 304 |^\{"npi":"\d{10}"/.test(response)) return;
  if (!response.startsWith("{")) {
    // CSV, with a header.
    assert.ok(response.trimEnd().split("\n").length > 1, request);
    return;
  }
  const { data, results } = JSON.parse(response);
  const found = data ?? results ?? [];
  assert.notDeepEqual(found, [], `${request}\n${response}`);
  assert.notEqual(found.total, 0, request);
  if (response.includes('"verdict"'))
    assert.match(response, /"verdict": ?"active"/, request);
}

/** A response without what differs from demo to demo. */
function comparable(response: string): unknown {
  return JSON.parse(response, (name, value: unknown) => {
    if (VARYING.has(name)) return typeof value;
    return typeof value === "string"
      ? value.replace(/^http:\/\/127\.0\.0\.1:\d+/, "")
      : value;
  });
}

/** The code in a language, without the indentation of lists. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code);
}
