import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import { configurePlans } from "../../../src/accounts/plans.ts";
import {
  NO_PRIMARY_PROXY,
  startPrimaryProxy,
} from "../../support/fleet/primary-proxy.ts";
import { atPace } from "../../support/pure/pace.ts";
import { until } from "../../support/pure/until.ts";
import { TestPostgresql } from "../../support/postgresql/postgresql-server.ts";
import type { TestPlace } from "../../support/postgresql/test-databases.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import { switchedAddress } from "../../support/postgresql/switched-address.ts";
import {
  issueKey,
  takeOne,
  verdictOf,
} from "../../support/app/accounts-installation.ts";
import { startMetering } from "../../support/app/metering-process.ts";

/** What the service promises, and some for the machine of the test. */
const RECOVERED_WITHIN_MS = 5_000;
/** More than the load takes in the seconds for which it is prepaid. */
const MOST_PREPAID = 5_000;

/** A service's parts under load, with one key; they end with the test. */
async function startLoad(place: TestPlace) {
  const owned = new AsyncDisposableStack();
  const configured = configurePlans({
    paid: { monthlyQuota: 10_000_000, burstPerSecond: 100_000 },
  });
  assert.ok(configured.outcome === "plans");
  const { plans } = configured;
  const accounts = owned.use(
    await openAccounts({
      place,
      plans,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    }),
  );
  const key = await issueKey(accounts, "ada@clinic.example", "paid");
  const heard: string[] = [];
  const metering = await startMetering({
    accounts,
    plans,
    onError: () => heard.push("away"),
    onRecovered: () => heard.push("back"),
  });
  owned.defer(() => metering[Symbol.asyncDispose]().catch(() => undefined));
  const { keeper } = metering;
  const gate = metering.openGate();
  let counted = 0;
  const refused: string[] = [];
  const load = owned.use(
    atPace(2, async () => {
      const verdict = await verdictOf(gate, key, Date.now());
      if (verdict.status !== "valid") refused.push(verdict.status);
      else {
        const { account } = verdict;
        const taking = await takeOne(gate, account, Date.now(), "search");
        if (taking === "taken") counted++;
      }
    }),
  );
  await until("load", () => counted > 100);
  return {
    heard,
    get counted() {
      return counted;
    },
    /**
     * Ends the load, writes the rest, and checks that every answer was counted once, and that at most some seconds of
     * the account's rate count as used for each outage.
     */
    async settle() {
      await load.end();
      await keeper.quota.recall(null);
      await keeper.flusher.flush();
      assert.deepEqual(refused, []);
      const listed = await accounts.keys.list();
      assert.ok(listed.outcome === "listed");
      assert.equal(listed.keys[0]?.usedThisMonth, counted);
      const lost = (await accounts.usage.thisMonth(1)) - counted;
      const most = (heard.length / 2) * MOST_PREPAID;
      assert.ok(lost >= 0 && lost <= most, `${lost} of ${counted}`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function failOver(
  { heard }: { readonly heard: readonly string[] },
  primary: TestPostgresql,
  standby: TestPostgresql,
): Promise<void> {
  const before = heard.length;
  await primary.stop();
  await until("the outage to be noticed", () => heard.length === before + 1);
  await standby.promote();
  await until(
    "the end of the outage",
    () => heard.length === before + 2,
    RECOVERED_WITHIN_MS,
  );
}

suite("failover of PostgreSQL under load", { skip: NO_POSTGRESQL }, () => {
  test("behind HAProxy, the promoted standby is found, and every answer is counted once", async (t) => {
    if (NO_PRIMARY_PROXY !== false) {
      t.skip(NO_PRIMARY_PROXY);
      return;
    }
    await using first = await TestPostgresql.start();
    const place = await first.makeDatabase();
    await using proxy = await startPrimaryProxy(first);
    const { standby: second } = proxy;
    await using service = await startLoad(proxy.through(place));
    await failOver(service, first, second);
    // And back: the former primary follows, and is promoted in turn.
    await first.follow(second);
    await first.catchUp();
    await failOver(service, second, first);
    await service.settle();
  });

  test("an address that leads to a standby for a while works again when it leads to a primary, and nothing is lost", async () => {
    await using primary = await TestPostgresql.start();
    const place = await primary.makeDatabase();
    await using standby = await primary.startStandby();
    await standby.catchUp();
    await using address = await switchedAddress(primary);
    await using service = await startLoad(address.through(place));
    // Once with all connections cut, once with those to the primary left open.
    for (const cut of [true, false]) {
      const heard = service.heard.length;
      address.leadTo(standby, { cut: true });
      await until("the outage", () => service.heard.length === heard + 1);
      const before = service.counted;
      await until("answers from memory", () => service.counted > before + 100);
      address.leadTo(primary, { cut });
      await until(
        "the end of the outage",
        () => service.heard.length === heard + 2,
        RECOVERED_WITHIN_MS,
      );
    }
    await service.settle();
  });

  test("connections that a server has turned read-only are given up for those of the primary", async () => {
    await using primary = await TestPostgresql.start();
    const place = await primary.makeDatabase();
    await using address = await switchedAddress(primary);
    await using service = await startLoad(address.through(place));
    await primary.turnReadOnly(true);
    await until("the outage", () => service.heard.length === 1);
    await primary.turnReadOnly(false);
    await until(
      "the end of the outage",
      () => service.heard.length === 2,
      RECOVERED_WITHIN_MS,
    );
    await service.settle();
  });
});
