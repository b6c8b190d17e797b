import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  ApiError,
  ProviderDirectory,
  SnapshotGoneError,
} from "../../packages/client/src/index.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const NO_LIMITS =
  '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';
const LIMIT = 100;
const WALK = { entity_type: "individual", limit: LIMIT } as const;
/** In the first import; each further one has more. */
const PROVIDERS = 1_500;
const MORE = 100;

/** A service over demo data that can be replaced, and a client of it. */
async function serve(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<{
  readonly client: ProviderDirectory;
  readonly program: ProgramProcess;
}> {
  await replaceData(dataDir, PROVIDERS);
  const key = await succeed(
    "keys",
    "create",
    "--email",
    "ada@clinic.example",
    "--plan",
    "paid",
    "--data-dir",
    dataDir,
  );
  const program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", "2", "--data-dir", dataDir],
    { PLANS: NO_LIMITS, PORTAL: "off", ...settings },
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  const client = new ProviderDirectory({
    baseUrl: url,
    apiKey: key,
    maxRetries: 0,
  });
  return { client, program };
}

/** Imports demo data in place of what is served, and returns its snapshot's ID. */
async function replaceData(
  dataDir: string,
  providers: number,
): Promise<string> {
  await succeed(
    "demo",
    "--providers",
    String(providers),
    "--data-dir",
    dataDir,
  );
  return new SnapshotStore(dataDir).currentId() ?? "";
}

async function succeed(...command: string[]): Promise<string> {
  const { code, err, out } = await runProgram(command);
  assert.equal(code, 0, err);
  return out.trim();
}

/** Reads a walk, from a snapshot if one is named. */
async function walk(
  { providers }: ProviderDirectory,
  snapshot?: string,
): Promise<string[]> {
  const rows = await providers.search({ ...WALK, snapshot }).toArray();
  return rows.map(({ npi }) => npi);
}

async function served({ providers }: ProviderDirectory): Promise<string> {
  return (await providers.search(WALK)).snapshot;
}

suite("a walk that names its snapshot", () => {
  test("goes on from that snapshot after an update, and is refused after a second one and a rollback", async () => {
    using folder = temporaryFolder();
    const { client, program } = await serve(folder.path);
    await using _running = program;
    const { providers } = client;
    const begin = (snapshot?: string) =>
      providers.search({ ...WALK, snapshot });
    const isServed = (id: string) =>
      until(`${id} to be served`, async () => {
        // Both workers must serve it: ask often enough to meet both.
        const ids = await Promise.all(
          Array.from({ length: 8 }, () => served(client)),
        );
        return ids.every((each) => each === id);
      });

    const first = await served(client);
    const whole = await walk(client);
    assert.ok(whole.length > 5 * LIMIT, `${whole.length} individuals`);
    const begun = begin();
    const stopped = begin();
    assert.equal((await begun).snapshot, first);
    assert.equal((await stopped).snapshot, first);
    const { response } = await begin(first).withResponse();
    const link = response.headers.get("link") ?? "";
    assert.match(link, new RegExp(`snapshot=${first}&page=2`));

    const second = await replaceData(folder.path, PROVIDERS + MORE);
    await isServed(second);
    assert.deepEqual(
      (await begun.toArray()).map(({ npi }) => npi),
      whole,
    );
    assert.notDeepEqual(await walk(client, second), whole);
    const [npi = ""] = whole;
    const old = await providers.get(npi, { snapshot: first }).withResponse();
    assert.equal(old.snapshot, first);
    assert.equal((await providers.get(npi).withResponse()).snapshot, second);

    const third = await replaceData(folder.path, PROVIDERS + 2 * MORE);
    await isServed(third);
    await assert.rejects(stopped.toArray(), SnapshotGoneError);
    assert.equal((await begin(second)).snapshot, second);

    await succeed("snapshots", "rollback", "--data-dir", folder.path);
    const refusals = new Set<string | null>();
    for (let isBack = false; !isBack;) {
      await begin(second).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        refusals.add(error.code);
      });
      isBack = (await served(client)) === second;
    }
    refusals.delete("snapshot_behind");
    assert.deepEqual([...refusals], []);
    await isServed(second);
    await assert.rejects(begin(third), SnapshotGoneError);
  });

  test("is refused once the time for the snapshot before is over, at once with 0", async () => {
    for (const seconds of ["1", "0"]) {
      using folder = temporaryFolder();
      const { client, program } = await serve(folder.path, {
        PREVIOUS_SNAPSHOT: seconds,
      });
      await using _running = program;
      const first = await served(client);
      const second = await replaceData(folder.path, PROVIDERS + MORE);
      await until(
        "the new data to be served",
        async () => (await served(client)) === second,
      );
      await until("the old snapshot to be released", () =>
        walk(client, first).then(
          () => false,
          (error: unknown) => error instanceof SnapshotGoneError,
        ),
      );
      assert.ok((await walk(client, second)).length > 0);
    }
  });
});
