import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { configurePlans } from "../../../src/accounts/plans.ts";
import {
  START_MS,
  accountOf,
  installOnOwnPostgresql,
  issueKey,
  takeOne,
  takeTimes,
  type ServiceProcess,
} from "../../support/service/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../../support/servers/postgresql.ts";

const QUOTA = 1_000;

test(
  "grace: each process gives what was neither used nor leased by any when PostgreSQL went away",
  { skip: NO_POSTGRESQL },
  async () => {
    const configured = configurePlans({
      free: { monthlyQuota: QUOTA, burstPerSecond: 100 },
    });
    assert.ok(configured.outcome === "plans");
    const server = await postgresqlOfFile();
    await using installation = await installOnOwnPostgresql(configured);
    const { accounts, place } = installation;
    const key = await issueKey(accounts);
    const start = () => installation.startProcess();
    const processes = [await start(), await start(), await start()] as const;
    const take = async ({ gate }: ServiceProcess, times: number) =>
      takeTimes(gate, await accountOf(gate, key, START_MS), times, START_MS);
    const [first, ...others] = processes;
    for (const process of processes) assert.equal(await take(process, 1), 1);
    assert.equal(await take(first, 800), 800);
    for (const { broker } of processes) await broker?.leases.sweep();
    // The first one's answers aren't written yet, but these processes hear that they are leased.
    for (const { flusher } of others) await flusher.flush();

    assert.ok(place.kind === "postgresql");
    const client = new Client(place.url);
    await client.connect();
    const { rows } = await client.query<{ rest: string }>(
      `SELECT ${QUOTA} - used - leased AS rest FROM api_usage`,
    );
    await client.end();
    const rest = Number(rows[0]?.rest);
    assert.ok(rest > 0);
    assert.ok(rest < 200);
    await server.stop();
    let given = processes.length + 800;
    for (const { gate } of processes) {
      const account = await accountOf(gate, key, START_MS);
      assert.ok(gate.quota(account, START_MS).remaining > 0);
      while ((await takeOne(gate, account, START_MS)) === "taken") given++;
      assert.equal(gate.quota(account, START_MS).remaining, 0);
    }
    assert.equal(given, QUOTA + (processes.length - 1) * rest);

    await server.resume();
    for (const { flusher } of processes) await flusher.flush();
    const { id } = await accountOf(first.gate, key, START_MS);
    assert.equal((await accounts.usage.thisMonth(id)).used, given);
  },
);
