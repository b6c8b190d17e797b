import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Worker } from "node:worker_threads";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { startService } from "../../src/server/service.ts";
import type { ServiceSettings } from "../../src/settings/service-settings.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { writeUpdateStatus } from "../../src/update/update-status.ts";
import { issueKey } from "../support/app/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { DEMO_PROVIDERS, demoFolder } from "../support/program/demo-folder.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";
import { serviceOptions } from "../support/app/service-options.ts";

const METRICS = readFileSync(
  new URL("../../docs/metrics.md", import.meta.url),
  "utf8",
);

/** A line of a value, as Prometheus reads it. */
const VALUE =
  /^([a-z_]+)(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? -?[0-9.e+-]+$/;

/** A service over demo data with metrics, a key on the free plan, and what was read of the metrics. */
async function start(chosen: Partial<ServiceSettings> = {}) {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await demoFolder());
  const options = {
    ...serviceOptions(folder.path, {
      metrics: { host: "127.0.0.1", port: 0 },
      ...chosen,
    }),
    version: "1.2.3",
  };
  const accounts = await openAccounts({
    place: options.settings.database,
    plans: options.settings.plans,
    clock: Date.now,
    random: randomBytes,
    actor: "test",
  });
  const key = await issueKey(accounts, "ada@clinic.example");
  const other = await issueKey(accounts, "eve@clinic.example");
  await accounts[Symbol.asyncDispose]();
  const started = await startService(options);
  assert.ok(started.outcome === "started");
  const { service } = started;
  owned.use(service);
  const { store } = options;
  const snapshot = new Snapshot(store.share(store.currentId() ?? "none"));
  const ask = async (path: string, token = key) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  await until("the data", async () => (await ask("/readyz")) === 200);
  const running = owned.move();
  return {
    dataDir: folder.path,
    key,
    other,
    service,
    snapshot,
    lookup: `/v1/providers/${snapshot.npi[0]}`,
    ask,
    text: async () =>
      (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Metrics with these values, for which it waits: an answer is counted after its last byte is on its way. */
async function counted(
  text: () => Promise<string>,
  expected: Readonly<Record<string, number>>,
): Promise<string> {
  let metrics = "";
  let held = {};
  try {
    await until("the metrics", async () => {
      metrics = await text();
      held = Object.fromEntries(
        Object.keys(expected).map((name) => [name, valueOf(metrics, name)]),
      );
      return isDeepStrictEqual(held, expected);
    });
  } catch {
    assert.deepEqual(held, expected);
  }
  return metrics;
}

/** The value of a metric, or 0 if it isn't listed. */
function valueOf(text: string, name: string): number {
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`provider_directory_${name} `));
  return line === undefined ? 0 : Number(line.split(" ").at(-1));
}

suite("the metrics", () => {
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  let shared: Awaited<ReturnType<typeof start>>;
  /** Over a PostgreSQL that a test stops; null if there is none. */
  let stoppable: typeof shared | null = null;
  before(async () => {
    process.on("worker", note);
    shared = await start({ workers: 2 });
    process.off("worker", note);
    if (NO_POSTGRESQL === false) {
      const postgresql = await postgresqlOfFile();
      const configured = configurePlans({
        free: { monthlyQuota: 1_000_000, burstPerSecond: 100_000 },
      });
      assert.ok(configured.outcome === "plans");
      stoppable = await start({
        database: await postgresql.makeDatabase(),
        databaseGraceMs: 60_000,
        plans: configured.plans,
      });
    }
  });
  after(async () => {
    await shared[Symbol.asyncDispose]();
    await stoppable?.[Symbol.asyncDispose]();
  });

  test("count answers of all workers by operation and status, failures by code, and refused keys by reason", async () => {
    const { ask, lookup, text } = shared;
    for (let time = 0; time < 4; time++) assert.equal(await ask(lookup), 200);
    assert.equal(await ask("/v1/providers/search?state=zz"), 400);
    assert.equal(await ask("/v1/providers/search?limit=1"), 200);
    assert.equal(await ask("/v1/providers/nearby?zip=62701"), 200);
    assert.equal(await ask(lookup, ""), 401);
    assert.equal(await ask(lookup, "pd_live_mistyped"), 401);
    assert.equal(await ask(lookup, generateKey(randomBytes)), 401);
    assert.equal(await ask("/nowhere?name=secret"), 404);
    const metrics = await counted(text, {
      'answers_total{operation="lookup",status="200"}': 4,
      'answers_total{operation="lookup",status="401"}': 3,
      'answers_total{operation="search",status="200"}': 1,
      'answers_total{operation="search",status="400"}': 1,
      'answers_total{operation="nearby",status="200"}': 1,
      'answers_total{operation="none",status="404"}': 1,
      'answer_seconds_count{operation="lookup"}': 7,
      'answer_seconds_bucket{operation="lookup",le="+Inf"}': 7,
      'failures_total{code="invalid_api_key"}': 2,
      'failures_total{code="missing_api_key"}': 1,
      'failures_total{code="invalid_parameter"}': 1,
      'failures_total{code="quota_exceeded"}': 0,
      'keys_refused_total{reason="missing"}': 1,
      'keys_refused_total{reason="malformed"}': 1,
      'keys_refused_total{reason="never_issued"}': 1,
    });
    assert.ok(valueOf(metrics, 'answer_seconds_sum{operation="lookup"}') > 0);
    assert.ok(!metrics.includes("secret") && !metrics.includes("nowhere"));
  });

  test("show what is served, how the last update ended, and what is running", async () => {
    const { dataDir, snapshot, text } = shared;
    writeUpdateStatus(dataDir, {
      schedule: "0 6 * * *",
      zone: "UTC",
      nextAt: "2026-11-21T06:00:00.000Z",
      lastStartedAt: "2026-11-20T06:00:00.000Z",
      lastFinishedAt: "2026-11-20T06:10:00.000Z",
      lastOutcome: "failed",
      lastMessage: "a sentence",
    });
    const metrics = await text();
    const { metadata } = snapshot;
    const info = `snapshot_info{id="${metadata.id}",source="Demo data: invented providers, not the registry's"}`;
    assert.equal(valueOf(metrics, info), 1);
    assert.equal(
      valueOf(metrics, "snapshot_providers"),
      DEMO_PROVIDERS.current,
    );
    assert.equal(valueOf(metrics, "snapshot_swaps_total"), 1);
    assert.equal(
      valueOf(metrics, "snapshot_created_timestamp_seconds"),
      Date.parse(metadata.createdAt) / 1000,
    );
    assert.ok(!metrics.includes("snapshot_data_timestamp_seconds"));
    assert.equal(valueOf(metrics, 'update_last_outcome{outcome="failed"}'), 1);
    assert.equal(valueOf(metrics, 'update_last_outcome{outcome="done"}'), 0);
    assert.equal(
      valueOf(metrics, "update_last_finished_timestamp_seconds"),
      Date.UTC(2026, 10, 20, 6, 10) / 1000,
    );
    const build = `build_info{version="1.2.3",node="${process.version}"}`;
    assert.equal(valueOf(metrics, build), 1);
    assert.match(metrics, /^process_resident_memory_bytes [0-9]{7,}$/m);
  });

  test("are not on the service's own port, and nothing else is on theirs", async () => {
    const { service } = shared;
    assert.equal(await shared.ask("/metrics"), 404);
    const base = `http://127.0.0.1:${service.metricsPort}`;
    const metrics = await fetch(`${base}/metrics`);
    assert.match(
      metrics.headers.get("content-type") ?? "",
      /^text\/plain; version=0\.0\.4/,
    );
    assert.equal((await fetch(`${base}/v1/status`)).status, 404);
    const posted = await fetch(`${base}/metrics`, { method: "POST" });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get("allow"), "GET, HEAD");
  });

  test("the service does not start if their address is not available, and says so", async () => {
    using folder = temporaryFolder();
    const port = shared.service.metricsPort ?? 0;
    const started = await startService(
      serviceOptions(folder.path, { metrics: { host: "127.0.0.1", port } }),
    );
    assert.deepEqual(started, {
      outcome: "refused",
      message: `Cannot serve metrics on 127.0.0.1:${port} (EADDRINUSE). Choose another address of this machine with --metrics.`,
    });
  });

  fullTest(
    "continue after a worker dies, and count its replacement",
    async () => {
      const { ask, lookup, text } = shared;
      const lookups = 'answers_total{operation="lookup",status="200"}';
      const already = valueOf(await text(), lookups);
      assert.ok(already > 0);
      for (const thread of threads) await thread.terminate();
      await until("another worker", async () =>
        ask(lookup).then(
          (status) => status === 200,
          () => false,
        ),
      );
      await counted(text, {
        [lookups]: already + 1,
        workers_replaced_total: 2,
      });
    },
  );

  test("count what the quota and the parser refuse, and usage not yet written", async () => {
    const configured = configurePlans({
      free: { monthlyQuota: 2, burstPerSecond: 10 },
    });
    assert.ok(configured.outcome === "plans");
    await using running = await start({ plans: configured.plans });
    const { ask, lookup, service, text } = running;
    const statuses = [];
    for (let time = 0; time < 3; time++) statuses.push(await ask(lookup));
    assert.deepEqual(statuses, [200, 200, 429]);
    const malformed = await fetch(
      `http://127.0.0.1:${service.port}/v1/providers/%ff`,
    );
    assert.equal(malformed.status, 400);
    const later = await counted(text, {
      'failures_total{code="quota_exceeded"}': 1,
      'failures_total{code="malformed_request"}': 1,
      'answers_total{operation="malformed",status="400"}': 1,
      usage_written_total: 2,
      usage_unwritten: 0,
      accounts_database_up: 1,
    });
    // SQLite is a file: there is no grace without it.
    assert.ok(!later.includes("grace"));
  });

  test("are text that Prometheus reads, and docs/metrics.md lists exactly these", async () => {
    const running = stoppable ?? shared;
    writeUpdateStatus(running.dataDir, {
      schedule: "0 6 * * *",
      zone: "UTC",
      nextAt: "2026-11-21T06:00:00.000Z",
      lastStartedAt: null,
      lastFinishedAt: "2026-11-20T06:10:00.000Z",
      lastOutcome: "done",
      lastMessage: null,
    });
    const metrics = await running.text();
    assert.ok(metrics.endsWith("\n"));
    for (const line of metrics.trimEnd().split("\n"))
      assert.ok(line.startsWith("# ") || VALUE.test(line), line);
    const served = [...metrics.matchAll(/^# TYPE ([a-z_]+) /gm)].map(
      ([, name]) => name,
    );
    const section = METRICS.split(/^##+ /m).find((each) =>
      each.startsWith("All metrics\n"),
    );
    const documented = [
      ...(section ?? "").matchAll(/^\| `([a-z_]+)(?:\{[a-z,]+\})?`/gm),
    ].map(([, name = ""]) =>
      name.startsWith("process_") ? name : `provider_directory_${name}`,
    );
    // A database file has no grace, invented data no period, and nothing is published.
    const absent = [
      "provider_directory_publication_behind_seconds",
      "provider_directory_snapshot_data_timestamp_seconds",
      ...(NO_POSTGRESQL === false
        ? []
        : [
            "provider_directory_accounts_database_grace_left_seconds",
            ...documented.filter((name) => /_fleet_/.test(name)),
          ]),
    ];
    assert.deepEqual(new Set([...served, ...absent]), new Set(documented));
  });

  test(
    "show that PostgreSQL is away, since when and what waits, and that it is back",
    { skip: NO_POSTGRESQL },
    async () => {
      const postgresql = await postgresqlOfFile();
      assert.ok(stoppable !== null);
      const { ask, lookup, other, text } = stoppable;
      assert.equal(await ask(lookup), 200);
      const healthy = await text();
      assert.equal(valueOf(healthy, "accounts_database_up"), 1);
      assert.equal(valueOf(healthy, "accounts_database_away_seconds"), 0);
      assert.equal(
        valueOf(healthy, "accounts_database_grace_left_seconds"),
        60,
      );

      await postgresql.stop();
      try {
        await until(
          "the outage to be noticed",
          async () => valueOf(await text(), "accounts_database_up") === 0,
        );
        await until("answers from memory", async () => {
          assert.equal(await ask(lookup), 200);
          const metrics = await text();
          const name = 'without_database_total{outcome="from_memory"}';
          return valueOf(metrics, name) > 0;
        });
        // A key whose month isn't known here, and one that may have been made elsewhere.
        for (const key of [other, generateKey(randomBytes)])
          assert.equal(await ask(lookup, key), 503);
        const away = await text();
        const left = valueOf(away, "accounts_database_grace_left_seconds");
        assert.ok(left > 0 && left < 60, String(left));
        for (const name of [
          "accounts_database_away_seconds",
          "usage_flush_failures_total",
          "usage_unwritten",
          'without_database_total{outcome="refused"}',
          'failures_total{code="accounts_unavailable"}',
          'keys_refused_total{reason="unavailable"}',
        ])
          assert.ok(valueOf(away, name) > 0, name);
      } finally {
        await postgresql.resume();
      }
      await until(
        "the end of the outage",
        async () => valueOf(await text(), "accounts_database_up") === 1,
      );
      const restored = await text();
      assert.equal(valueOf(restored, "accounts_database_away_seconds"), 0);
      assert.equal(valueOf(restored, "usage_unwritten"), 0);
      assert.equal(
        valueOf(restored, "usage_written_total"),
        valueOf(restored, 'answers_total{operation="lookup",status="200"}'),
      );
    },
  );
});
