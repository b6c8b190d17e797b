/**
 * `/v1`, both clients, the tools for assistants, and the files answer the same numbers and questions with the same
 * records, totals, and refusals. Everything is drawn with one seed, which is printed with a difference.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { isDeepStrictEqual } from "node:util";
import type { FilesAnswer } from "../src/contract/answers.ts";
import { EXPORT_COLUMNS } from "../src/contract/export-columns.ts";
import type { ProviderRecord } from "../src/contract/provider.ts";
import { checkNpi } from "../src/registry/npi.ts";
import { writeSyntheticRegistry } from "../src/registry-generator/write-registry.ts";
import {
  drawExports,
  drawNpis,
  drawQuestions,
  drawSql,
  knownOf,
  SEED,
  valueAt,
} from "./support/program/door-questions.ts";
import { createKey } from "./support/program/create-key.ts";
import {
  AssistantDoor,
  ClientDoor,
  PythonDoor,
  RawDoor,
  type Outcome,
  type Parameters,
  type Question,
} from "./support/program/doors.ts";
import { ProgramProcess, succeed } from "./support/program/program.ts";
import type { Known } from "./support/pure/arbitrary/arbitrary-search.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";
import { until } from "./support/pure/until.ts";

const PROVIDERS = 20_000;
const CHANGES = 400;
/** Numbers in a call of an assistant, whose records fit in full. */
const FULL_RECORDS = 10;
/** How many of the numbers are looked up one by one, too. */
const SINGLE = 2_500;
const AT_ONCE = 8;
const PLANS = JSON.stringify({
  paid: { monthlyQuota: 100_000_000, burstPerSecond: 100_000, files: true },
});
const LISTS = {
  taxonomies: "taxonomies",
  other_names: "other_names",
  practice_locations: "locations",
  identifiers: "identifiers",
  endpoints: "endpoints",
} as const;
const NO_PYTHON =
  spawnSync("python3", ["--version"]).status === 0
    ? false
    : "python3 is not here";

type Row = Readonly<Record<string, unknown>>;

suite(`doors, with seed ${SEED}`, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const stack = new AsyncDisposableStack();
  const records = new Map<string, ProviderRecord>();
  let files: DuckDBConnection;
  let raw: RawDoor;
  let client: ClientDoor;
  let python: PythonDoor | null = null;
  let assistant: AssistantDoor;
  let known: Known;
  let manifest: FilesAnswer;

  before(async () => {
    stack.use(folder);
    const options = { providers: PROVIDERS, otherFiles: true };
    const week = { from: "2026-11-10", to: "2026-11-16", changes: CHANGES };
    for (const [name, more] of [
      ["full.zip", {}],
      ["week.zip", { week }],
    ] as const) {
      const out = join(folder.path, name);
      await writeSyntheticRegistry({ ...options, ...more, out });
      await succeed(["import", out, "--data-dir", dataDir]);
    }
    const key = await createKey(dataDir, { environment: { PLANS } });
    const service = stack.use(
      new ProgramProcess(["serve", "--workers", "1", "--data-dir", dataDir], {
        PORT: "0",
        PORTAL: "off",
        FILES: "on",
        MCP: "on",
        LOG_LEVEL: "warn",
        PLANS,
      }),
    );
    const [, url = ""] = await service.printed(/Listening on (http:\S+)/);
    const place = { url, key };
    raw = new RawDoor(place);
    client = new ClientDoor(place);
    if (NO_PYTHON === false) python = stack.use(new PythonDoor(place));
    assistant = stack.use(await AssistantDoor.connect(place));
    await until("the files", async () => {
      const { status, text } = await raw.get("/v1/files");
      if (status === 200) manifest = JSON.parse(text);
      return status === 200;
    });
    const all = await raw.answer({
      ask: "export",
      parameters: { include: "all" },
      walk: true,
    });
    assert.ok("rows" in all);
    for (const each of all.rows) {
      const record: ProviderRecord = JSON.parse(JSON.stringify(each));
      records.set(record.npi, record);
    }
    known = knownOf([...records.values()]);
    const instance = await DuckDBInstance.create();
    files = await instance.connect();
    stack.defer(() => {
      files.closeSync();
      instance.closeSync();
    });
  });
  after(() => stack.disposeAsync());

  test("the files arrive whole by both clients", async () => {
    for (const { name, sha256 } of manifest.data) {
      const bytes = await client.bytes(name);
      assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);
      const path = join(folder.path, name);
      if (python !== null)
        assert.equal(await python.download(name, folder.path), path);
      else writeFileSync(path, bytes);
      assert.deepEqual(readFileSync(path), Buffer.from(bytes));
      if (name.endsWith(".parquet"))
        await files.run(
          `CREATE TABLE "${name.slice(0, -8)}" AS SELECT * FROM '${path}'`,
        );
    }
  });

  test("10,000 numbers have the same verdict and record", async (t) => {
    const npis = drawNpis([...records.values()]);
    const differences = new Differences();
    const batches = chunks(npis, 100);
    const entries = new Map<string, unknown>();
    await withEach(batches, async (batch) => {
      const expected = await raw.answer({ ask: "batch", npis: batch });
      assert.ok("rows" in expected, JSON.stringify(expected));
      for (const [index, npi] of batch.entries())
        entries.set(npi, expected.rows[index]);
    });
    for (const door of [client, python].filter((each) => each !== null))
      for (const batch of chunks(npis, 1_700)) {
        const found = await door.answer({ ask: "batch", npis: batch });
        assert.ok("rows" in found);
        assert.equal(found.rows.length, batch.length);
        for (const [index, npi] of batch.entries())
          differences.compare(
            `batch ${npi}`,
            found.rows[index],
            entries.get(npi),
          );
      }
    await withEach(npis.slice(0, SINGLE), async (npi) => {
      const fault = checkNpi(npi);
      const { provider = null, verdict }: Partial<Entry> = Object(
        entries.get(npi),
      );
      const single = await raw.answer({ ask: "record", npi });
      if (fault === "ok" && provider !== null)
        differences.compare(`single ${npi}`, dataOf(single), provider);
      else if (fault === "ok") {
        differences.compare(`verdict ${npi}`, verdict, "not_found");
        differences.compare(
          `single ${npi}`,
          codeOf(single),
          "provider_not_found",
        );
      } else assert.ok("refused" in single, npi);
      for (const door of [client, python]) {
        if (door === null) continue;
        const found = await door.answer({ ask: "record", npi });
        if (fault !== "ok")
          differences.compare(`no NPI ${npi}`, found, { refused: "no NPI" });
        else if (provider === null)
          differences.compare(`get ${npi}`, codeOf(found), codeOf(single));
        else differences.compare(`get ${npi}`, dataOf(found), provider);
      }
    });
    for (const npi of npis) {
      const { provider = null }: Partial<Entry> = Object(entries.get(npi));
      differences.compare(`known ${npi}`, provider, records.get(npi) ?? null);
    }
    await withEach(chunks(npis, FULL_RECORDS), async (numbers) => {
      const found = await assistant.call("lookup_providers", { npis: numbers });
      for (const [index, npi] of numbers.entries())
        differences.compare(
          `assistant ${npi}`,
          found.rows[index],
          withoutNulls(withoutDetails(entries.get(npi))),
        );
    });
    await withEach(npis.slice(0, 500), async (npi) => {
      const given = { npis: [npi], include: ["all"] };
      const { rows } = await assistant.call("lookup_providers", given);
      differences.compare(`assistant, all of ${npi}`, rows, [
        withoutNulls(entries.get(npi)),
      ]);
    });
    await compareFiles(npis, differences);
    t.diagnostic(`${npis.length} numbers, ${differences.compared} comparisons`);
    differences.none();
  });

  test("2,000 questions have the same answers", async (t) => {
    const questions = drawQuestions(known);
    assert.ok(questions.length >= 2_000);
    const differences = new Differences();
    let refused = 0;
    const compare = async (question: Question): Promise<void> => {
      const expected = await raw.answer(question);
      if ("refused" in expected) refused++;
      const said = JSON.stringify(question);
      differences.compare(
        `client ${said}`,
        await client.answer(question),
        expected,
      );
      if (python !== null)
        differences.compare(
          `python ${said}`,
          await python.answer(question),
          withoutFaults(expected),
        );
      await askAssistant(question, expected, differences);
    };
    await withEach(questions, compare);
    // One at a time: an account has few places for exports.
    for (const question of drawExports(known.providers))
      await compare(question);
    t.diagnostic(
      `${questions.length} questions, ${refused} of them refused, ${differences.compared} comparisons`,
    );
    assert.ok(refused < questions.length / 4);
    differences.none();
  });

  test("what SQL can ask too has the same total", async () => {
    const differences = new Differences();
    await withEach(
      drawSql([...records.values()]),
      async ({ from, parameters, where }) => {
        const [row] = await rowsOf(
          files,
          `SELECT count(DISTINCT npi) AS total FROM "${from}" WHERE ${where}`,
        );
        const found = await raw.answer({
          ask: "search",
          parameters,
          walk: false,
        });
        const meta: Row = Object("meta" in found ? found.meta : null);
        differences.compare(where, Number(row?.["total"]), meta["total"]);
      },
    );
    differences.none();
  });

  /** Compares what the files have of the numbers, and of the changes. */
  async function compareFiles(
    npis: readonly string[],
    differences: Differences,
  ): Promise<void> {
    assert.deepEqual(
      await rowsOf(
        files,
        '(FROM providers EXCEPT FROM "providers-by-npi") UNION ALL (FROM "providers-by-npi" EXCEPT FROM providers)',
      ),
      [],
    );
    const rows = Map.groupBy(
      await rowsOf(files, 'FROM "providers-by-npi"'),
      npiOf,
    );
    const lists = new Map<string, Map<unknown, Row[]>>();
    for (const name of Object.keys(LISTS))
      lists.set(name, Map.groupBy(await rowsOf(files, `FROM ${name}`), npiOf));
    const lines = new Map(
      zstdDecompressSync(
        readFileSync(join(folder.path, "providers.ndjson.zst")),
      )
        .toString()
        .trimEnd()
        .split("\n")
        .map((line): [unknown, unknown] => {
          const record: ProviderRecord = JSON.parse(line);
          return [record.npi, record];
        }),
    );
    for (const npi of npis) {
      const record = records.get(npi);
      differences.compare(`line ${npi}`, lines.get(npi), record);
      const [row, ...others] = rows.get(npi) ?? [];
      assert.equal(others.length, 0);
      if (record === undefined)
        differences.compare(`row ${npi}`, row, undefined);
      else
        differences.compare(
          `row ${npi}`,
          ...sameColumns(row, providerRow(record)),
        );
      for (const [name, part] of Object.entries(LISTS)) {
        const entries: readonly object[] = record?.[part] ?? [];
        const found = lists.get(name)?.get(npi) ?? [];
        differences.compare(`${name} of ${npi}`, found.length, entries.length);
        for (const [index, entry] of entries.entries())
          differences.compare(
            `${name} of ${npi}`,
            ...sameColumns(found[index], { npi, ...flat(entry, "") }),
          );
      }
    }
    const changes = await raw.answer({
      ask: "changes",
      parameters: { include: "details", since: "2000-01-01" },
      walk: true,
    });
    assert.ok("rows" in changes);
    const listed = changes.rows.map((change) => {
      const { details = [], ...others }: Changed = Object(change);
      const changed = details.map(({ field }) => field);
      return Object.assign(others, { changed_details: changed });
    });
    const imported = await rowsOf(files, "FROM changes");
    assert.ok(imported.length > 100);
    differences.compare("changes", imported, listed.slice(-imported.length));
  }

  /** Compares what the tools show. */
  async function askAssistant(
    { ask, parameters, walk }: Question,
    expected: Outcome,
    differences: Differences,
  ): Promise<void> {
    if (ask === "export" || parameters["specialty_scope"] === "display") return;
    const label = `assistant ${ask} ${JSON.stringify(parameters)}`;
    const { tool, given } = toolCall(ask, parameters);
    const most = walk ? Infinity : Number(parameters["limit"]);
    const found = await assistant.call(tool, given, most);
    if ("refused" in expected) {
      differences.compare(label, found.isError, true);
      if (!found.text.startsWith("Input validation error"))
        differences.compare(label, found.text, sentencesOf(expected.refused));
      return;
    }
    differences.compare(label, found.isError ? found.text : "", "");
    const { data_date: date, snapshot, total } = found.facts;
    const { meta } = manifest;
    differences.compare(
      label,
      [date, snapshot],
      [meta.data_date, meta.snapshot],
    );
    if (ask === "interpret") {
      await compareReading(
        String(parameters["q"]),
        found.facts,
        dataOf(expected),
        differences,
      );
      return;
    }
    const rows = "rows" in expected ? expected.rows : dataOf(expected);
    differences.compare(label, found.rows, withoutNulls(rows));
    const facts: Row = Object("meta" in expected ? expected.meta : null);
    if (ask !== "nearby" && !walk)
      differences.compare(label, total, facts["total"]);
  }

  /** Compares what a text was understood as, and what the search by the text finds. */
  async function compareReading(
    text: string,
    facts: Row,
    data: unknown,
    differences: Differences,
  ): Promise<void> {
    const label = `assistant, text ${JSON.stringify(text)}`;
    const read: Reading = Object(data);
    const { alternatives, dropped, total, understood } = read;
    differences.compare(
      label,
      [
        facts["tool"],
        facts["arguments"],
        facts["total"],
        facts["alternatives"],
      ],
      [
        ...callOf(read),
        total,
        alternatives.map((other) => {
          const [tool, given] = callOf(other);
          return { tool, arguments: given, total: other.total };
        }),
      ],
    );
    differences.compare(
      label,
      [facts["understood"], facts["dropped"]],
      withoutNulls([understood, dropped]),
    );
    const { filters, operation } = read;
    if (operation !== "search" && operation !== "nearby") return;
    const found = await assistant.call(
      "search_providers",
      { text, limit: 10 },
      10,
    );
    const parameters = { ...filters, limit: 10 };
    const searched = await raw.answer({
      ask: operation,
      parameters,
      walk: false,
    });
    if ("refused" in searched) differences.compare(label, found.isError, true);
    else differences.compare(label, found.rows, withoutNulls(dataOf(searched)));
  }
});

/** An entry of a batch. */
interface Entry {
  readonly verdict: string;
  readonly provider: ProviderRecord | null;
}

interface Changed {
  readonly details?: readonly { readonly field: string }[];
}

interface Reading {
  readonly operation: "lookup" | "search" | "nearby" | null;
  readonly filters: Parameters;
  readonly total: number;
  readonly understood: unknown;
  readonly dropped: unknown;
  readonly alternatives: readonly Pick<
    Reading,
    "operation" | "filters" | "total"
  >[];
}

/** Compares values, and keeps the first that differ. */
class Differences {
  compared = 0;
  readonly #first: string[] = [];
  readonly #by = new Map<string, number>();

  compare(label: string, actual: unknown, expected: unknown): void {
    this.compared++;
    if (isDeepStrictEqual(actual, expected)) return;
    const [door = ""] = label.split(" ");
    const found = this.#by.get(door) ?? 0;
    this.#by.set(door, found + 1);
    if (found >= 4) return;
    const [is, should] = [actual, expected].map((value) =>
      JSON.stringify(value)?.slice(0, 600),
    );
    this.#first.push(`${label}\n  is     ${is}\n  should ${should}`);
  }

  none(): void {
    assert.equal(
      this.#first.length,
      0,
      `seed ${SEED}: ${JSON.stringify([...this.#by])}\n${this.#first.join("\n")}`,
    );
  }
}

const TOOLS = {
  search: "search_providers",
  nearby: "find_providers_nearby",
  interpret: "interpret_request",
  taxonomies: "search_taxonomies",
  changes: "list_changes",
  lookup: "lookup_providers",
};

/** The call of a tool that asks the same. A tool always reads the words of a specialty as everyday ones. */
function toolCall(
  ask: Exclude<Question["ask"], "export">,
  { q, ...parameters }: Parameters,
): { tool: string; given: Record<string, unknown> } {
  const given: Record<string, unknown> = { ...argumentsOf(parameters) };
  if (ask === "interpret") given["text"] = q;
  else if (q !== undefined) given["words"] = q;
  if (ask === "changes" && "include" in given) given["details"] = true;
  if (ask === "changes") delete given["include"];
  return { tool: TOOLS[ask], given };
}

/** The call that a text becomes. */
function callOf({
  filters: { npi, ...filters },
  operation,
}: Pick<Reading, "operation" | "filters">): [string, object] {
  return [
    operation === null ? "none" : TOOLS[operation],
    npi === undefined ? argumentsOf(filters) : { npis: [npi] },
  ];
}

function argumentsOf({
  name_aliases: aliases,
  specialty_scope: _always,
  ...others
}: Parameters): object {
  return aliases === undefined ? others : { ...others, name_aliases: true };
}

/** The columns of a provider, by what its record has. */
function providerRow(record: ProviderRecord): Row {
  const row: Record<string, unknown> = {};
  for (const { name, path } of EXPORT_COLUMNS)
    row[name] = valueAt(record, path);
  for (const [name, value] of Object.entries(flat(record.identity, "")))
    row[name in row ? `identity_${name}` : name] = value;
  return { ...row, ...flat(record.mailing_address, "mailing_") };
}

/** The members of a value and of those in it, with their paths as names. */
function flat(value: unknown, prefix: string): Row {
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, member]) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.entries(flat(member, `${prefix}${name}_`))
        : [[prefix + name, member]],
    ),
  );
}

/** Both with the columns of both; what one doesn't have is null. */
function sameColumns(row: Row | undefined, expected: Row): [Row, Row] {
  const none = Object.fromEntries(
    Object.keys({ ...row, ...expected }).map((name) => [name, null]),
  );
  return [
    { ...none, ...row },
    { ...none, ...expected },
  ];
}

/** A value as assistants get it. */
function withoutNulls(value: unknown): unknown {
  const text = JSON.stringify(
    value,
    (_name, member: unknown) => member ?? undefined,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** The entry of a batch that asks for no details. */
function withoutDetails(entry: unknown): unknown {
  const { provider = null, ...others }: Partial<Entry> = Object(entry);
  if (provider === null) return entry;
  const {
    endpoints: _1,
    identifiers: _2,
    identity: _3,
    locations: _4,
    ...rest
  } = provider;
  const {
    mailing_address: _5,
    other_names: _6,
    taxonomies: _7,
    ...record
  } = rest;
  return { ...others, provider: record };
}

/** An outcome as Python's client gives it, whose errors have the service's sentence only. */
function withoutFaults(outcome: Outcome): unknown {
  if (!("refused" in outcome)) return outcome;
  const { details: _, ...refused } = Object(outcome.refused);
  return { refused };
}

function dataOf(outcome: Outcome): unknown {
  return "data" in outcome ? outcome.data : outcome;
}

/** The code of an error. */
function codeOf(outcome: Outcome): unknown {
  return "refused" in outcome
    ? Reflect.get(Object(outcome.refused), "code")
    : outcome;
}

/** An error as assistants get it. */
function sentencesOf(refused: unknown): string {
  const {
    code,
    details,
    message,
  }: {
    code: string;
    details: readonly { message: string }[];
    message: string;
  } = Object(refused);
  const sentences = details.map((detail) => detail.message);
  return `${code}: ${(sentences.length === 0 ? [message] : sentences).join(" ")}`;
}

async function rowsOf(files: DuckDBConnection, sql: string): Promise<Row[]> {
  return (await files.runAndReadAll(sql)).getRowObjectsJson();
}

function npiOf({ npi }: Row): unknown {
  return npi;
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Does something with each, a few at once. */
async function withEach<T>(
  all: readonly T[],
  act: (one: T) => Promise<void>,
): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await act(one);
    }),
  );
}
