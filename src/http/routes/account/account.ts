import { isFailure } from "../../pipeline/failure.ts";
import {
  AccountAnswer,
  DeletionBody,
  type AccountInfo,
} from "../../../contract/account.ts";
import { monthAt } from "../../../accounts/metering/month.ts";
import type { AuthService } from "../../../auth/auth.ts";
import { perHour } from "../../limits/account-limits.ts";
import type { Failure } from "../../pipeline/failure.ts";
import {
  isoTime,
  accountRoute,
  type AccountActionResult,
  type AccountRequest,
} from "./account-route.ts";
import { bodyReader } from "./read-body.ts";

const readDeletion = bodyReader(DeletionBody);

/** `/account`: shows and deletes the signed-in user's account. */
export const ACCOUNT_ROUTES = [
  accountRoute({
    method: "GET",
    path: "/account",
    answer: AccountAnswer,
    act: show,
  }),
  accountRoute({
    method: "DELETE",
    path: "/account",
    answer: null,
    limit: perHour(30),
    act: remove,
  }),
];

async function show({
  account,
  countsPages,
  nowMs,
  auth,
}: AccountRequest): Promise<AccountActionResult> {
  const { used, viewed } = await auth.accounts.usage.thisMonth(account.id);
  const subscriptions = await auth.accounts.billing.subscriptions(account.id);
  const running = subscriptions.find(({ runs }) => runs);
  const plan = auth.accounts.planOf(account);
  const data: AccountInfo = {
    email: account.email,
    plan: plan.name,
    status: account.suspendedAt === null ? "active" : "suspended",
    ...limitFacts(plan.monthlyQuota, used),
    resets_at: new Date(monthAt(nowMs).endMs).toISOString(),
    requests_per_second: plan.burstPerSecond,
    explorer: countsPages ? limitFacts(plan.explorerPages, viewed) : null,
    created_at: new Date(account.createdAt).toISOString(),
    subscription:
      running === undefined
        ? null
        : { status: running.status, ends_at: isoTime(running.endsAt) },
  };
  return { status: 200, data };
}

function limitFacts(quota: number, used: number) {
  return { quota, used, remaining: Math.max(quota - used, 0) };
}

async function remove({
  account,
  body,
  endPayments,
  auth,
  user,
}: AccountRequest): Promise<AccountActionResult> {
  const input = readDeletion(body);
  if (isFailure(input)) return { failure: input };
  const confirmation = await auth.confirm(user, input.password);
  if (confirmation !== "confirmed")
    return { failure: unconfirmed(confirmation) };
  const unended = await endPayments();
  if (unended !== null) return { failure: unended };
  await auth.accounts.users.delete(account.email);
  return { status: 204, data: null };
}

function unconfirmed(
  confirmation: Exclude<
    Awaited<ReturnType<AuthService["confirm"]>>,
    "confirmed"
  >,
): Failure {
  if (typeof confirmation === "object") {
    const { retryAfterSeconds } = confirmation;
    return {
      code: "too_many_failures",
      message: `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`,
      headers: { "retry-after": String(retryAfterSeconds) },
    };
  }
  return {
    code: "wrong_password",
    message:
      confirmation === "wrong_password"
        ? "The password is wrong."
        : "Sign in again, then delete the account within ten minutes.",
  };
}
