import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { AttemptLimit } from "../../../accounts/users/attempts.ts";
import type { Account } from "../../../accounts/users/account-store.ts";
import type { AuthService, SessionUser } from "../../../auth/auth.ts";
import {
  accountsAway,
  billingUnavailable,
  isAway,
  notSignedIn,
  paymentsNotEnded,
} from "../../access/failures.ts";
import { isOpen } from "../../access/explorer-gate.ts";
import type { AppContext } from "../../app-context.ts";
import { actFailure, burstFailure } from "../../limits/account-limits.ts";
import type { Failure } from "../../pipeline/failure.ts";
import { headersOf, JSON_TYPE } from "../../pipeline/headers.ts";
import type { Method, Route } from "../route.ts";

/** A request of who is signed in about their own account. */
export interface OwnRequest {
  readonly auth: AuthService;
  readonly user: SessionUser;
  readonly account: Account;
  /** The text of the body, undefined when there is none. */
  readonly body: string | undefined;
  /** The key that the path names; -1 for what is no number of one. */
  readonly keyId: number;
  /** The target of the request, whose query string the action reads. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Whether pages of the explorer count against the account's month. */
  readonly countsPages: boolean;
  /** Ends all that the account pays; what keeps it from that, null when it is done. */
  readonly endPayments: () => Promise<Failure | null>;
}

export type OwnAnswer =
  | {
      readonly status: number;
      readonly data: unknown;
      readonly meta?: object;
      /** The value of the header Link. */
      readonly link?: string;
    }
  | { readonly failure: Failure };

/** A path under `/account`, and what it does there. */
export interface OwnPath {
  readonly method: Method;
  readonly path: string;
  /** What it answers with, null for no body. */
  readonly answer: TSchema | null;
  /** How often an account may do this, over all sessions, workers and machines; what only reads has none. */
  readonly limit?: AttemptLimit;
  readonly act: (request: OwnRequest) => Promise<OwnAnswer>;
}

/** What a column of keys' numbers holds; PostgreSQL fails when it is asked for more. */
const LARGEST_KEY_ID = 2_147_483_647;

/** A route for who is signed in; there is no other way from a session to an account. */
export function ownRoute(own: OwnPath): Route {
  const { answer, method, path } = own;
  return {
    method,
    path,
    ...(answer === null ? {} : { answer }),
    access: "session",
    counted: "account",
    handler({ deps, refuse }) {
      const { auth: lazyAuth } = deps;
      if (lazyAuth === null) return null;
      return async (request, reply) => {
        try {
          const auth = await lazyAuth.open();
          const outcome = await answerOwn(auth, own, request, deps);
          return "failure" in outcome
            ? refuse(request, reply, outcome.failure)
            : send(reply, outcome);
        } catch (error) {
          if (await isAway(lazyAuth, error))
            return refuse(request, reply, accountsAway());
          throw error;
        }
      };
    },
  };
}

/** A time as answers have it, null for none. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

async function answerOwn(
  auth: AuthService,
  { act, limit, method, path }: OwnPath,
  request: FastifyRequest,
  deps: AppContext,
): Promise<OwnAnswer> {
  const { gate, now, portal } = deps;
  const user = await auth.findSessionUser(headersOf(request));
  if (user === null) return { failure: notSignedIn() };
  if (!user.isVerified) return { failure: notVerified() };
  const { id } = Object.assign({ id: "" }, request.params);
  const { body } = request;
  const account = await auth.accountOf(user);
  const failure =
    burstFailure(gate, account.id, now()) ??
    (limit === undefined
      ? null
      : await actFailure(
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
    keyId: keyIdOf(id),
    url: request.url,
    nowMs: now(),
    countsPages: portal !== null && !isOpen(deps, portal),
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
  return id <= LARGEST_KEY_ID ? id : -1;
}

function send(
  reply: FastifyReply,
  { data, link, meta = {}, status }: Extract<OwnAnswer, { status: number }>,
): FastifyReply {
  reply.code(status);
  if (link !== undefined) reply.header("link", link);
  if (status === 204) return reply.send();
  return reply.type(JSON_TYPE).send(JSON.stringify({ data, meta }));
}

function notVerified(): Failure {
  return {
    code: "email_not_verified",
    message:
      "Verify your email address first. Open the link in the verification email.",
  };
}
