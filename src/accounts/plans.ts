import type { Plan } from "./metering/gate.ts";

/** A plan as it is offered. */
interface PlanOffer extends Plan {
  /** Dollars a month, null for a plan that is not sold at a list price. */
  readonly priceUsdPerMonth: number | null;
}

/** The plans by name; `free` and `paid` are always among them. */
export type Plans = ReadonlyMap<string, PlanOffer>;

/** The plan of an account by default. */
export const DEFAULT_PLAN = "free";

const FREE: PlanOffer = {
  name: DEFAULT_PLAN,
  monthlyQuota: 1_000,
  burstPerSecond: 10,
  files: false,
  priceUsdPerMonth: 0,
};
const PAID: PlanOffer = {
  name: "paid",
  monthlyQuota: 25_000,
  burstPerSecond: 50,
  files: true,
  priceUsdPerMonth: 29,
};

/** The plans of the specification. */
export const BUILT_IN_PLANS: Plans = new Map(
  [FREE, PAID].map((plan) => [plan.name, plan]),
);

/** More than a month of the fastest server, and far inside the range of the shared counters. */
const MAX_MONTHLY_QUOTA = 10_000_000_000;
const MAX_BURST = 100_000;
const PLAN_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const MEMBERS = ["monthlyQuota", "burstPerSecond", "priceUsdPerMonth", "files"];
/** Members of earlier versions, which mean nothing any more. */
const FORMER_MEMBERS = ["explorerPages"];

/** The configured plans, or everything wrong with them, each problem a sentence. */
export type PlansOutcome =
  | { readonly outcome: "plans"; readonly plans: Plans }
  | { readonly outcome: "invalid"; readonly problems: readonly string[] };

/**
 * Extends and overrides the built-in plans by configuration: an object of plan names, each an object with
 * `monthlyQuota`, `burstPerSecond` and optionally `priceUsdPerMonth` and `files`. A built-in plan keeps what is not
 * given; a new plan needs the first two.
 */
export function configurePlans(configuration: unknown): PlansOutcome {
  if (!isObject(configuration)) {
    return {
      outcome: "invalid",
      problems: ["Plans must be a JSON object with a member for each plan."],
    };
  }
  const plans = new Map(BUILT_IN_PLANS);
  const problems: string[] = [];
  for (const [name, value] of Object.entries(configuration)) {
    const plan = configurePlan(name, value, problems);
    if (plan !== null) plans.set(name, plan);
  }
  return problems.length === 0
    ? { outcome: "plans", plans }
    : { outcome: "invalid", problems };
}

/** Returns the plan of a name; the free plan if it is no longer configured. */
export function planNamed(
  plans: ReadonlyMap<string, Plan>,
  name: string,
): Plan {
  return plans.get(name) ?? plans.get(DEFAULT_PLAN) ?? FREE;
}

function configurePlan(
  name: string,
  value: unknown,
  problems: string[],
): PlanOffer | null {
  const before = problems.length;
  if (!PLAN_NAME.test(name)) {
    problems.push(
      `The plan name "${name}" must be 1 to 32 lower-case letters, digits, "-" or "_", and start with a letter.`,
    );
  }
  if (!isObject(value)) {
    problems.push(
      `Plan "${name}" must be an object with monthlyQuota and burstPerSecond.`,
    );
    return null;
  }
  for (const member of Object.keys(value)) {
    if (![...MEMBERS, ...FORMER_MEMBERS].includes(member)) {
      problems.push(
        `Plan "${name}" has an unknown member "${member}"; known members are ${MEMBERS.join(", ")}.`,
      );
    }
  }
  // A built-in plan keeps what is not given.
  const given: Readonly<Record<string, unknown>> = {
    priceUsdPerMonth: null,
    files: false,
    ...BUILT_IN_PLANS.get(name),
    ...value,
  };
  const limitOf = (member: string, most: number): number => {
    const limit = given[member];
    if (
      typeof limit === "number" &&
      Number.isSafeInteger(limit) &&
      limit >= 1 &&
      limit <= most
    )
      return limit;
    problems.push(
      limit === undefined
        ? `Plan "${name}" needs ${member}.`
        : `Plan "${name}": ${member} must be a whole number from 1 to ${most}, not ${JSON.stringify(limit)}.`,
    );
    return 0;
  };
  const monthlyQuota = limitOf("monthlyQuota", MAX_MONTHLY_QUOTA);
  const burstPerSecond = limitOf("burstPerSecond", MAX_BURST);
  const { files, priceUsdPerMonth } = given;
  if (typeof files !== "boolean")
    problems.push(
      `Plan "${name}": files must be true or false, not ${JSON.stringify(files)}.`,
    );
  if (!isPrice(priceUsdPerMonth))
    problems.push(
      `Plan "${name}": priceUsdPerMonth must be a number of dollars or null, not ${JSON.stringify(priceUsdPerMonth)}.`,
    );
  else if (typeof files === "boolean" && problems.length === before)
    return { name, monthlyQuota, burstPerSecond, priceUsdPerMonth, files };
  return null;
}

function isPrice(value: unknown): value is number | null {
  return (
    value === null ||
    (typeof value === "number" && Number.isFinite(value) && value >= 0)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
