import type { TSchema } from "typebox";
import type { AttemptLimit } from "../../../accounts/users/attempts.ts";
import type { Account } from "../../../accounts/users/account-store.ts";
import type { AuthService, SessionUser } from "../../../auth/auth.ts";
import {
  billingUnavailable,
  notSignedIn,
  paymentsNotEnded,
  withAccounts,
} from "../../access/failures.ts";
import { isExplorerOpen } from "../../access/explorer-gate.ts";
import type { AppContext } from "../../app-context.ts";
import {
  hourlyLimitFailure,
  burstFailure,
} from "../../limits/account-limits.ts";
import { bodiless, json, type Call, type Reply } from "../../call.ts";
import { Refusal, type Failure } from "../../pipeline/failure.ts";
import { headersOf } from "../../pipeline/headers.ts";
import type { Method, Route } from "../route.ts";

/** A signed-in user's request about their own account. */
export interface AccountRequest {
  readonly auth: AuthService;
  readonly user: SessionUser;
  readonly account: Account;
  /** The body's text, undefined without one. */
  readonly body: string | undefined;
  /** The key id in the path; -1 if it is not a valid one. */
  readonly keyId: number;
  /** The request target; the action parses its query string. */
  readonly url: string;
  /** The service's public URL; null if it is not known. */
  readonly publicUrl: string | null;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Whether explorer pages count against the account's month. */
  readonly countsPages: boolean;
  /** Ends all payments of the account. Returns a failure if it cannot. */
  readonly endPayments: () => Promise<Failure | null>;
}

export type AccountActionResult =
  | {
      readonly status: number;
      readonly data: unknown;
      readonly meta?: object;
      /** The `Link` header. */
      readonly link?: string;
    }
  | { readonly failure: Failure };

/** A route under `/account`. */
export interface AccountAction {
  readonly method: Method;
  readonly path: string;
  /** The answer's schema, null without a body. */
  readonly answer: TSchema | null;
  /** The limit per account across all sessions, workers and machines; none for reads. */
  readonly limit?: AttemptLimit;
  readonly act: (request: AccountRequest) => Promise<AccountActionResult>;
}

/** The largest value of the id column; PostgreSQL fails on larger ones. */
const MAX_KEY_ID = 2_147_483_647;

/** Makes a route for signed-in users. This is the only way from a session to an account. */
export function accountRoute(own: AccountAction): Route {
  const { answer, method, path } = own;
  return {
    method,
    path,
    ...(answer === null ? {} : { answer }),
    access: "session",
    counted: "account",
    handler({ deps }) {
      const { auth: lazyAuth } = deps;
      if (lazyAuth === null) return null;
      return (call) =>
        withAccounts(lazyAuth, async (auth) =>
          replyOf(await answerOwn(auth, own, call, deps)),
        );
    },
  };
}

/** A time as ISO 8601, null for none. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

async function answerOwn(
  auth: AuthService,
  { act, limit, method, path }: AccountAction,
  call: Call,
  deps: AppContext,
): Promise<AccountActionResult> {
  const { gate, now, portal } = deps;
  const user = await auth.findSessionUser(headersOf(call));
  if (user === null) return { failure: notSignedIn() };
  if (!user.isVerified) return { failure: notVerified() };
  const { body, params, url } = call;
  const account = await auth.accountOf(user);
  const failure =
    burstFailure(gate, account.id, now()) ??
    (limit === undefined
      ? null
      : await hourlyLimitFailure(
          auth.accounts.attempts,
          account.id,
          `${method} ${path}`,
          limit,
        ));
  if (failure !== null) return { failure };
  return act({
    auth,
    user,
    account,
    body: typeof body === "string" ? body : undefined,
    keyId: keyIdOf(params["id"] ?? ""),
    url,
    publicUrl: deps.settings.publicUrl,
    nowMs: now(),
    countsPages: portal !== null && !isExplorerOpen(deps, portal),
    endPayments: () => endPayments(auth, account, deps),
  });
}

async function endPayments(
  { accounts }: AuthService,
  { id }: Account,
  { billing, logger }: AppContext,
): Promise<Failure | null> {
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

function keyIdOf(text: string): number {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : -1;
  return id <= MAX_KEY_ID ? id : -1;
}

function replyOf(result: AccountActionResult): Reply {
  if ("failure" in result) throw new Refusal(result.failure);
  const { data, link, meta = {}, status } = result;
  return status === 204
    ? bodiless(status)
    : json({ data, meta }, link === undefined ? [] : ["link", link], status);
}

function notVerified(): Failure {
  return {
    code: "email_not_verified",
    message:
      "Verify your email address first. Open the link in the verification email.",
  };
}
