import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Answers, hammer } from "../../support/fleet/hammer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { until } from "../../support/pure/until.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import { TestPostgresql } from "../../support/postgresql/postgresql-server.ts";

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
          : "grace: is exceeded by what each node knew to be left, at most, and every answer is counted",
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
              const { answered } = await fleet.usage();
              return answered >= answers.given;
            });
          await untilWritten();
          const before = answers.given;
          // Each node last heard when fewer were given than now.
          const most = before + nodes.length * (QUOTA - nodes.length);

          await postgresql.stop();
          await untilRefused();
          const away = answers.given;
          t.diagnostic(
            `${whenAway}: ${before} of ${QUOTA} before PostgreSQL stopped, ${away} until nothing more was given: ${JSON.stringify(answers.counts)}`,
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
            await hammer(nodes, key, answers, () => answers.given > away);
          await untilRefused();
          await untilWritten();
          const { given } = answers;
          if (whenAway === "strict") {
            assert.ok(given <= QUOTA);
            // A payment of each node whose answer was lost counts as used.
            assert.ok(given >= QUOTA - QUOTA / 4, `${given}`);
          } else assert.ok(given <= most);
          for (const node of nodes) await node.end("SIGTERM");
          const { answered, used } = await fleet.usage();
          assert.equal(answered, given);
          assert.ok(used >= given);
        },
      );
  },
);
