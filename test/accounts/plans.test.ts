import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BUILT_IN_PLANS,
  configurePlans,
  planNamed,
} from "../../src/accounts/plans.ts";

function problemsOf(configuration: unknown): readonly string[] {
  const result = configurePlans(configuration);
  return result.outcome === "invalid" ? result.problems : [];
}

test("the free plan has 1,000 a month and 10 a second, the paid one 25,000 and 50 for 29 dollars", () => {
  assert.deepEqual(BUILT_IN_PLANS.get("free"), {
    name: "free",
    monthlyQuota: 1000,
    burstPerSecond: 10,
    files: false,
    priceUsdPerMonth: 0,
  });
  assert.deepEqual(BUILT_IN_PLANS.get("paid"), {
    name: "paid",
    monthlyQuota: 25_000,
    burstPerSecond: 50,
    files: true,
    priceUsdPerMonth: 29,
  });
});

test("without configuration there are the built-in plans", () => {
  assert.deepEqual(configurePlans({}), {
    outcome: "plans",
    plans: BUILT_IN_PLANS,
  });
});

test("configuration adds plans, and overrides members of built-in ones", () => {
  const result = configurePlans({
    research: { monthlyQuota: 5_000_000, burstPerSecond: 200, files: true },
    free: { monthlyQuota: 2_000 },
  });
  assert.ok(result.outcome === "plans");
  assert.deepEqual([...result.plans.keys()], ["free", "paid", "research"]);
  assert.deepEqual(result.plans.get("research"), {
    name: "research",
    monthlyQuota: 5_000_000,
    burstPerSecond: 200,
    files: true,
    priceUsdPerMonth: null,
  });
  assert.deepEqual(result.plans.get("free"), {
    name: "free",
    monthlyQuota: 2_000,
    burstPerSecond: 10,
    files: false,
    priceUsdPerMonth: 0,
  });
  assert.equal(
    BUILT_IN_PLANS.get("free")?.monthlyQuota,
    1_000,
    "the built-in plan itself stays unchanged",
  );
});

test("explorerPages of a configuration for an earlier version is ignored", () => {
  assert.deepEqual(configurePlans({ free: { explorerPages: 500 } }), {
    outcome: "plans",
    plans: BUILT_IN_PLANS,
  });
});

test("all mistakes are reported at once, each in a sentence", () => {
  assert.deepEqual(
    problemsOf({
      "Big Plan": { monthlyQuota: 1, burstPerSecond: 1 },
      half: { monthlyQuota: 10 },
      free: { monthlyQuota: "many", burstPerSecond: 0 },
      paid: { burst: 5, priceUsdPerMonth: -1, files: "yes" },
      list: [],
    }),
    [
      'The plan name "Big Plan" must be 1 to 32 lower-case letters, digits, "-" or "_", and start with a letter.',
      'Plan "half" needs burstPerSecond.',
      'Plan "free": monthlyQuota must be a whole number from 1 to 10000000000, not "many".',
      'Plan "free": burstPerSecond must be a whole number from 1 to 100000, not 0.',
      'Plan "paid" has an unknown member "burst"; known members are monthlyQuota, burstPerSecond, priceUsdPerMonth, files.',
      'Plan "paid": files must be true or false, not "yes".',
      'Plan "paid": priceUsdPerMonth must be a number of dollars or null, not -1.',
      'Plan "list" must be an object with monthlyQuota and burstPerSecond.',
    ],
  );
});

for (const configuration of [null, [], "free", 3, undefined]) {
  test(`${JSON.stringify(configuration)} is not a configuration of plans`, () => {
    assert.deepEqual(problemsOf(configuration), [
      "Plans must be a JSON object with a member for each plan.",
    ]);
  });
}

for (const quota of [0, -1, 1.5, NaN, 1e11, null, true]) {
  test(`a monthly quota of ${quota} is refused`, () => {
    const [problem] = problemsOf({ free: { monthlyQuota: quota } });
    assert.match(problem ?? "", /^Plan "free": monthlyQuota must be/);
  });
}

test("a plan that is no longer configured has the free plan's limits", () => {
  assert.equal(planNamed(BUILT_IN_PLANS, "gone").name, "free");
  assert.equal(planNamed(BUILT_IN_PLANS, "paid").name, "paid");
});
