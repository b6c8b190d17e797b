import {
  AccountAnswer,
  AddressBody,
  DeletionBody,
  type AccountInfo,
} from "../../../contract/account.ts";
import { monthAt } from "../../../accounts/metering/month.ts";
import { canSignIn, normalizeEmail } from "../../../accounts/users/email.ts";
import type { Confirmation } from "../../../auth/auth.ts";
import {
  accountSuspended,
  billingUnavailable,
  paymentsNotEnded,
} from "../../access/failures.ts";
import { bodiless, json, type Reply } from "../../call.ts";
import {
  must,
  Refusal,
  tryAgain,
  type Failure,
} from "../../pipeline/failure.ts";
import {
  isoTime,
  accountRoute,
  perHour,
  type AccountRequest,
} from "./account-route.ts";
import { bodyReader, invalidMember } from "./request-body.ts";

const readAddress = bodyReader(AddressBody);
const readDeletion = bodyReader(DeletionBody);

/** `/account`: shows and deletes the signed-in user's account, and changes its address. */
export const ACCOUNT_ROUTES = [
  accountRoute({
    method: "GET",
    path: "/account",
    answer: AccountAnswer,
    act: show,
  }),
  accountRoute({
    method: "POST",
    path: "/account/email",
    limit: perHour(10),
    act: requestAddress,
  }),
  accountRoute({
    method: "DELETE",
    path: "/account",
    limit: perHour(30),
    act: remove,
  }),
];

async function show({
  account,
  auth: { accounts },
  deps,
}: AccountRequest): Promise<Reply> {
  const subscriptions = await accounts.billing.subscriptions(account.id);
  const running = subscriptions.find(({ runs }) => runs);
  const plan = accounts.planOf(account);
  const used =
    deps.gate.used(account.id, deps.now()) ??
    (await accounts.usage.thisMonth(account.id));
  const data: AccountInfo = {
    email: account.email,
    plan: plan.name,
    status: account.suspendedAt === null ? "active" : "suspended",
    quota: plan.monthlyQuota,
    used,
    remaining: Math.max(plan.monthlyQuota - used, 0),
    resets_at: new Date(monthAt(deps.now()).endMs).toISOString(),
    requests_per_second: plan.burstPerSecond,
    created_at: new Date(account.createdAt).toISOString(),
    subscription:
      running === undefined
        ? null
        : { status: running.status, ends_at: isoTime(running.endsAt) },
  };
  return json({ data, meta: {} });
}

/** Mails a link to the address that the account is to get. The response is the same if it is another account's. */
async function requestAddress(request: AccountRequest): Promise<Reply> {
  const { account, auth, call, user } = request;
  const { email: given, password } = must(readAddress(call.body));
  const email = normalizeEmail(given);
  if (email === null || !canSignIn(email) || email === user.email)
    throw new Refusal(invalidMember(AddressBody, "email"));
  // A suspension stays with the address.
  if (account.suspendedAt !== null)
    throw new Refusal(
      accountSuspended("This account is suspended and keeps its address."),
    );
  const confirmation = await auth.confirm(user, password);
  if (confirmation !== "confirmed")
    throw new Refusal(unconfirmed(confirmation, "change the address"));
  await auth.requestAddress(user, email);
  return bodiless(204);
}

async function remove(request: AccountRequest): Promise<Reply> {
  const { account, auth, call, user } = request;
  const { password } = must(readDeletion(call.body));
  const confirmation = await auth.confirm(user, password);
  if (confirmation !== "confirmed")
    throw new Refusal(unconfirmed(confirmation, "delete the account"));
  must(await endPayments(request));
  await auth.accounts.users.delete(account.email);
  return bodiless(204);
}

/** Ends all payments of the account. Returns a failure if it cannot. */
async function endPayments({
  account: { id },
  auth: { accounts },
  deps: { billing, logger },
}: AccountRequest): Promise<Failure | null> {
  if (billing !== null) {
    const closed = await billing.billing.closeAccount(id);
    return closed.outcome === "closed" ? null : billingUnavailable();
  }
  if ((await accounts.billing.customer(id)) === null) return null;
  logger?.warn(
    { account: id },
    "cannot delete an account for its owner: it has a Stripe customer, but Stripe is not configured; use accounts delete",
  );
  return paymentsNotEnded();
}

function unconfirmed(
  confirmation: Exclude<Confirmation, "confirmed">,
  act: string,
): Failure {
  if (typeof confirmation === "object")
    return tryAgain(
      "too_many_failures",
      "Too many wrong passwords.",
      confirmation.retryAfterSeconds,
    );
  return {
    code: "wrong_password",
    message:
      confirmation === "wrong_password"
        ? "The password is wrong."
        : `Sign in again, then ${act} within ten minutes.`,
  };
}
