/** What a subscription's status means for the plan of its account. */
export type Standing =
  /** The plan is in force, also while a failed payment is tried again. */
  | "runs"
  /** The account falls back to the free plan. */
  | "ended"
  /** Nothing changes: the first payment is not made yet, or the word is not known here. */
  | "undecided";

/** Stripe's statuses (API reference, "The Subscription object"). */
const STANDINGS: Readonly<Record<string, Standing>> = {
  active: "runs",
  trialing: "runs",
  past_due: "runs",
  unpaid: "ended",
  canceled: "ended",
  incomplete_expired: "ended",
  // A trial that ended without a way to pay: nothing is billed.
  paused: "ended",
  incomplete: "undecided",
};

/** The statuses of a subscription that keeps its plan. */
export const RUNNING: readonly string[] = Object.keys(STANDINGS).filter(
  (status) => STANDINGS[status] === "runs",
);

/** What a status means for the plan. */
export function standingOf(status: string): Standing {
  return Object.hasOwn(STANDINGS, status)
    ? (STANDINGS[status] ?? "undecided")
    : "undecided";
}
