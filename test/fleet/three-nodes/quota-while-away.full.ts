import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Answers, askOnce, hammer } from "../../support/fleet/hammer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { until } from "../../support/program/program.ts";
import { NO_POSTGRESQL } from "../../support/servers/postgresql.ts";
import { TestPostgresql } from "../../support/servers/postgresql-server.ts";

const QUOTA = 1_000;
const PLANS = JSON.stringify({
  free: { monthlyQuota: QUOTA, burstPerSecond: QUOTA },
});
const REFUSALS = 300;
const OUTAGE = /cannot write usage to the accounts database/;

suite(
  "a quota that is hammered on three nodes while PostgreSQL is stopped",
  { skip: NO_POSTGRESQL },
  () => {
    for (const whenAway of ["strict", "grace"] as const)
      test(
        whenAway === "strict"
          ? "strict: is never exceeded, and its rest is given afterwards"
          : "grace: is exceeded by what was neither used nor leased, once for each other node, at most, and every answer is counted",
        async (t) => {
          await using postgresql = await TestPostgresql.start();
          const place = await postgresql.makeDatabase();
          await using fleet = await startPostgresqlFleet({
            place,
            settings: { PLANS, QUOTA_WHEN_AWAY: whenAway },
          });
          const { nodes } = fleet;
          const key = await fleet.createKey("free");
          const answers = new Answers();
          const untilRefused = () =>
            hammer(
              nodes,
              key,
              answers,
              () => answers.refusedInARow >= REFUSALS,
            );
          await hammer(nodes, key, answers, () => answers.given >= 300);
          const untilWritten = () =>
            until("usage to be written", async () => {
              const { used } = await fleet.usage();
              return used >= answers.given;
            });
          await untilWritten();
          const unleased = async () => {
            const { leased, used } = await fleet.usage();
            return QUOTA - used - leased;
          };
          let rest = await unleased();
          // With what it writes after the last lease, each node hears of all leases. It has taken in what it heard once
          // it writes again.
          for (let times = 0; times < 2; times++) {
            for (const node of nodes) await askOnce(node, key, answers);
            await untilWritten();
            // More than before if a slow node has returned a lease.
            rest = Math.max(rest, await unleased());
          }
          const most = QUOTA + (nodes.length - 1) * rest;
          const before = answers.given;

          await postgresql.stop();
          await untilRefused();
          const away = answers.given;
          t.diagnostic(
            `${whenAway}: ${before} of ${QUOTA} before PostgreSQL stopped, ${rest} neither used nor leased, ${away} until nothing more was given: ${JSON.stringify(answers.counts)}`,
          );
          if (whenAway === "strict") {
            assert.ok(away < QUOTA);
            assert.deepEqual(Object.keys(answers.counts), [
              "200",
              "503 accounts_unavailable",
            ]);
          } else {
            assert.ok(away <= most);
            assert.ok(away >= QUOTA);
            assert.deepEqual(Object.keys(answers.counts), [
              "200",
              "429 quota_exceeded",
            ]);
          }
          await until("all nodes to notice", () =>
            nodes.every(({ log }) => OUTAGE.test(log)),
          );
          await postgresql.resume();
          if (whenAway === "strict")
            await hammer(nodes, key, answers, () => answers.given >= QUOTA);
          await untilWritten();
          await untilRefused();
          const { given } = answers;
          // Until a node hears of all usage, it gives what it believes is neither used nor leased.
          if (whenAway === "strict") assert.equal(given, QUOTA);
          else assert.ok(given <= most);
          for (const node of nodes) await node.end("SIGTERM");
          assert.deepEqual(await fleet.usage(), {
            used: given,
            leased: 0,
            folded: 0,
          });
        },
      );
  },
);
