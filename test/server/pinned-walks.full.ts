import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { SnapshotStore } from "../../src/store/store.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const NO_LIMITS =
  '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';
const LIMIT = 100;
const WALK = `/v1/providers/search?entity_type=individual&limit=${LIMIT}`;
/** In the first import; each further one has more. */
const PROVIDERS = 1_500;
const MORE = 100;

/** A service over demo data that can be replaced, and a client of it. */
async function serve(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<{
  readonly ask: (path: string) => Promise<Answer>;
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
  const ask = async (path: string): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return {
      status: answer.status,
      snapshot: answer.headers.get("snapshot"),
      link: answer.headers.get("link") ?? "",
      body: JSON.parse(await answer.text()),
    };
  };
  return { ask, program };
}

interface Answer {
  readonly status: number;
  /** The header. */
  readonly snapshot: string | null;
  readonly link: string;
  readonly body: {
    readonly data: readonly { readonly npi: string }[];
    readonly error?: { readonly code: string };
  };
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

async function walk(
  ask: (path: string) => Promise<Answer>,
  snapshot: string,
  firstPage = 1,
): Promise<string[]> {
  const npis: string[] = [];
  for (let page = firstPage; ; page++) {
    const {
      body,
      snapshot: from,
      status,
    } = await ask(`${WALK}&page=${page}&snapshot=${snapshot}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(from, snapshot);
    if (body.data.length === 0) return npis;
    npis.push(...body.data.map(({ npi }) => npi));
  }
}

suite("a walk that names its snapshot", () => {
  test("goes on from that snapshot after an update, and is refused after a second one and a rollback", async () => {
    using folder = temporaryFolder();
    const { ask, program } = await serve(folder.path);
    await using _running = program;
    const served = (id: string) =>
      until(`${id} to be served`, async () => {
        // Both workers must serve it: ask often enough to meet both.
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => ask(WALK)),
        );
        return answers.every(({ snapshot }) => snapshot === id);
      });

    const first = (await ask(WALK)).snapshot ?? "";
    const whole = await walk(ask, first);
    assert.ok(whole.length > 5 * LIMIT, `${whole.length} individuals`);
    const begun = await ask(`${WALK}&snapshot=${first}`);
    assert.match(begun.link, new RegExp(`snapshot=${first}&page=2`));

    const second = await replaceData(folder.path, PROVIDERS + MORE);
    await served(second);
    assert.deepEqual(
      [
        ...begun.body.data.map(({ npi }) => npi),
        ...(await walk(ask, first, 2)),
      ],
      whole,
    );
    assert.notDeepEqual(await walk(ask, second), whole);
    const [npi = ""] = whole;
    assert.equal(
      (await ask(`/v1/providers/${npi}?snapshot=${first}`)).snapshot,
      first,
    );
    assert.equal((await ask(`/v1/providers/${npi}`)).snapshot, second);

    const third = await replaceData(folder.path, PROVIDERS + 2 * MORE);
    await served(third);
    const gone = await ask(`${WALK}&page=3&snapshot=${first}`);
    assert.equal(gone.status, 412);
    assert.equal(gone.body.error?.code, "snapshot_gone");
    assert.equal((await ask(`${WALK}&snapshot=${second}`)).status, 200);

    await succeed("snapshots", "rollback", "--data-dir", folder.path);
    const refusals = new Set<string | undefined>();
    for (let isBack = false; !isBack;) {
      const { body, status } = await ask(`${WALK}&snapshot=${second}`);
      if (status !== 200) refusals.add(body.error?.code);
      isBack = (await ask(WALK)).snapshot === second;
    }
    refusals.delete("snapshot_behind");
    assert.deepEqual([...refusals], []);
    await served(second);
    assert.equal((await ask(`${WALK}&snapshot=${third}`)).status, 412);
  });

  test("is refused once the time for the snapshot before is over, at once with 0", async () => {
    for (const seconds of ["1", "0"]) {
      using folder = temporaryFolder();
      const { ask, program } = await serve(folder.path, {
        PREVIOUS_SNAPSHOT: seconds,
      });
      await using _running = program;
      const first = (await ask(WALK)).snapshot ?? "";
      const second = await replaceData(folder.path, PROVIDERS + MORE);
      await until(
        "the new data to be served",
        async () => (await ask(WALK)).snapshot === second,
      );
      await until(
        "the old snapshot to be released",
        async () => (await ask(`${WALK}&snapshot=${first}`)).status === 412,
      );
      assert.equal((await ask(`${WALK}&snapshot=${second}`)).status, 200);
    }
  });
});
