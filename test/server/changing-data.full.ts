import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ChangeReader } from "../../src/changes/change-reader.ts";
import { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { createKey } from "../support/program/create-key.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";
import { writeRegistryFile } from "../support/pure/registry/synthetic-file.ts";

const REAL = new URL("../../../shared/data/registry/", import.meta.url);
const REAL_WEEKS = ["010124_010724", "010824_011424", "011524_012124"].map(
  (days) =>
    fileURLToPath(new URL(`NPPES_Data_Dissemination_${days}_Weekly.zip`, REAL)),
);
/** Room to poll without end. */
const PLANS = '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';
const POLLED = 200;
const CLIENTS = 4;

/** A full file of invented providers and two weeks of changes to it. */
function inventedWeeks(folder: string): string[] {
  const providers = 3_000;
  const changes = 500;
  const weeks = [
    { from: "2026-11-10", to: "2026-11-16", changes },
    { from: "2026-11-17", to: "2026-11-23", changes },
  ];
  return [{ providers }, ...weeks.map((week) => ({ providers, week }))].map(
    (contents) => writeRegistryFile(folder, contents),
  );
}

suite("a service whose data changes during requests", () => {
  for (const { files, name } of [
    { name: "invented", files: inventedWeeks },
    { name: "the registry's", files: () => REAL_WEEKS },
  ])
    test(`answers each lookup with the old record or the new one, and a rollback removes the week's changes (${name} weeks)`, async (t) => {
      using folder = temporaryFolder();
      const paths = files(folder.path);
      if (!paths.every((path) => existsSync(path)))
        return t.skip("the registry's weeks are not there (../shared)");
      await updateWhilePolled(folder.path, paths);
    });
});

/** Imports and serves the first file, then imports the rest while clients look up the NPIs that they change. */
async function updateWhilePolled(
  folder: string,
  [first = "", ...others]: readonly string[],
): Promise<void> {
  const dataDir = join(folder, "served");
  mkdirSync(dataDir);
  await succeed("import", first, "--data-dir", dataDir);
  const key = await createKey(dataDir, { environment: { PLANS } });
  const ahead = await importAhead(dataDir, join(folder, "ahead"), others);
  const npis = ahead.changing.slice(0, POLLED);
  assert.equal(npis.length, POLLED);

  await using program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", "2", "--data-dir", dataDir],
    { PLANS },
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: answer.status, body: await answer.text() };
  };
  const begin = JSON.parse((await ask("/v1/changes")).body);
  assert.deepEqual(begin.data, []);

  const poll = new Poll(ask, npis, ahead.bodies);
  poll.start();
  for (const [index, file] of others.entries()) {
    await poll.seen(index);
    await using update = new ProgramProcess([
      "import",
      file,
      "--data-dir",
      dataDir,
    ]);
    assert.equal((await update.ended()).code, 0, update.err);
  }
  await poll.seen(others.length);
  await poll.stop();
  assert.deepEqual(poll.wrong, []);

  const listed = await follow(ask, begin.meta.next_cursor);
  assert.deepEqual(
    listed.map(({ kind, npi }) => `${npi} ${kind}`),
    ahead.listed,
  );
  await assertDetailsAreKept(ask, listed);

  await succeed("snapshots", "rollback", "--data-dir", dataDir);
  const left = ahead.listed.slice(0, ahead.listedBeforeLast);
  await until(
    "the changes of the last week to leave the list",
    async () =>
      (await follow(ask, begin.meta.next_cursor, true)).length === left.length,
  );
  const after = new Poll(ask, npis, [ahead.bodies.at(-2) ?? new Map()]);
  await until("all threads to answer from the week before", async () => {
    after.wrong.length = 0;
    await after.round();
    return after.wrong.length === 0;
  });
}

/** Asks for NPIs without end, and keeps what is neither 404 nor a body of any of the snapshots. */
class Poll {
  readonly wrong: string[] = [];
  readonly #ask: (path: string) => Promise<{ status: number; body: string }>;
  readonly #npis: readonly string[];
  readonly #bodies: readonly ReadonlyMap<string, string>[];
  readonly #seen = new Set<number>();
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** `bodies`: per snapshot the body of the answer for each NPI that it holds. */
  constructor(
    ask: (path: string) => Promise<{ status: number; body: string }>,
    npis: readonly string[],
    bodies: readonly ReadonlyMap<string, string>[],
  ) {
    this.#ask = ask;
    this.#npis = npis;
    this.#bodies = bodies;
  }

  start(): void {
    this.#running = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (!this.#stopped) await this.round();
      }),
    );
  }

  /** Asks for each NPI once. */
  async round(): Promise<void> {
    for (const npi of this.#npis) {
      const { body, status } = await this.#ask(`/v1/providers/${npi}`);
      const from = this.#bodies.findIndex((bodies) =>
        status === 404 ? !bodies.has(npi) : bodies.get(npi) === body,
      );
      if (from < 0 || (status !== 200 && status !== 404))
        this.wrong.push(`${npi}: ${status} ${body}`);
      else if (status === 200) this.#seen.add(from);
    }
  }

  /** Waits for an answer out of the snapshot with an index. */
  seen(index: number): Promise<void> {
    return until(`an answer of snapshot ${index}`, () => this.#seen.has(index));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

/**
 * Does the imports in a copy of the data folder first: what each snapshot answers for the NPIs that change, and the
 * changes of all imports in their order (`npi kind`).
 */
async function importAhead(
  dataDir: string,
  copy: string,
  files: readonly string[],
) {
  cpSync(dataDir, copy, { recursive: true });
  const store = new SnapshotStore(copy);
  const directories = [directoryOf(store)];
  for (const file of files) {
    await succeed("import", file, "--data-dir", copy);
    directories.push(directoryOf(store));
  }
  using reader = new ChangeReader(copy);
  const sets = reader
    .lineage(store.currentId() ?? "")
    .sets.filter(({ isListed }) => isListed)
    .map((set) => Array.from(reader.changes(set, null)));
  const changes = sets.flat();
  // What goes from a record to another first, then what comes.
  const changing = [
    ...changes.filter(({ kind }) => kind !== "added" && kind !== "changed"),
    ...changes.filter(({ kind }) => kind === "changed"),
    ...changes.filter(({ kind }) => kind === "added"),
  ].map(({ npi }) => npi);
  return {
    changing: [...new Set(changing)],
    listed: changes.map(({ kind, npi }) => `${npi} ${kind}`),
    listedBeforeLast: changes.length - (sets.at(-1)?.length ?? 0),
    bodies: directories.map((directory) => bodiesOf(directory, changing)),
  };
}

function directoryOf(store: SnapshotStore): ParsedDirectory {
  return new ParsedDirectory(
    new Snapshot(store.share(store.currentId() ?? "")),
  );
}

function bodiesOf(
  directory: ParsedDirectory,
  npis: readonly string[],
): Map<string, string> {
  const meta = { source: directory.source };
  return new Map(
    npis.flatMap((npi) => {
      const record = directory.lookup.find(npi);
      return record === null
        ? []
        : [[npi, directory.lookup.rendering.renderRecord(record, { meta })]];
    }),
  );
}

/**
 * All changes behind a cursor, a page after the other. While a rollback is taken up by one thread after the other, a
 * place that one gave may be gone for the next: then it is those until there.
 */
async function follow(
  ask: (path: string) => Promise<{ status: number; body: string }>,
  cursor: string,
  mayBeGone = false,
): Promise<{ npi: string; kind: string; changed_fields: string[] }[]> {
  const found = [];
  for (let next = cursor; ;) {
    const { body, status } = await ask(`/v1/changes?limit=1000&cursor=${next}`);
    if (mayBeGone && status === 410) return found;
    assert.equal(status, 200, body);
    const { data, meta } = JSON.parse(body);
    found.push(...data);
    if (meta.has_more === false) return found;
    next = meta.next_cursor;
  }
}

/** A provider whose last change is its deactivation still shows its name or organization. */
async function assertDetailsAreKept(
  ask: (path: string) => Promise<{ status: number; body: string }>,
  changes: readonly { npi: string; kind: string }[],
): Promise<void> {
  const last = new Map(changes.map(({ kind, npi }) => [npi, kind]));
  const npis = [...last].filter(([, kind]) => kind === "deactivated");
  assert.ok(npis.length > 0);
  for (const [npi] of npis) {
    const { data } = JSON.parse((await ask(`/v1/providers/${npi}`)).body);
    assert.equal(data.status, "deactivated");
    assert.ok(data.name !== null || data.organization_name !== null, npi);
  }
}

/** Runs the program in this process and returns what it printed. */
async function succeed(...args: string[]): Promise<string> {
  const { code, err, out } = await runProgram(args, { environment: { PLANS } });
  assert.equal(code, 0, err);
  return out.trim();
}
