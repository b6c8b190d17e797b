import type { FastifyInstance } from "fastify";
import type { AccountHandle, BurstState } from "../accounts/gate.ts";
import type { HttpDependencies } from "./deps.ts";
import type { Failure, Refuse } from "./failure.ts";
import { setHeaders } from "./header-list.ts";
import { rateHeaders } from "./rate-headers.ts";

/** Who asks, once the key has been checked. */
export interface Caller {
  readonly account: AccountHandle;
  readonly burst: BurstState;
  /** The time that stands for the whole request, in epoch milliseconds. */
  readonly nowMs: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the key has been checked, and on paths that need none. */
    caller: Caller | null;
    /** For the log: what became of the key. */
    keyVerdict: string | null;
  }
}

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;

/**
 * Puts the key check and the burst limit before every route of `app`, and the account's limits on every answer to a
 * checked key. The limits are read when the answer leaves, so that they show the state after counting.
 */
export function addAuthorization(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null) {
      request.keyVerdict = "missing";
      refuse(request, reply, missingKey());
      return;
    }
    const nowMs = deps.now();
    const verdict = deps.gate.verify(token, nowMs);
    if (verdict.status !== "valid") {
      request.keyVerdict =
        verdict.status === "unknown" ? verdict.reason : verdict.status;
      refuse(
        request,
        reply,
        verdict.status === "unknown" ? invalidKey() : suspended(),
      );
      return;
    }
    const burst = deps.gate.takeBurst(verdict.account, nowMs);
    request.caller = { account: verdict.account, burst, nowMs };
    if (burst.allowed) done();
    else refuse(request, reply, tooFast(verdict.account, burst));
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const { caller } = request;
    if (caller !== null) {
      const quota = deps.gate.quota(caller.account, caller.nowMs);
      const { plan } = caller.account;
      setHeaders(reply, rateHeaders(plan, caller.burst, quota));
    }
    done(null, payload);
  });
}

/** The token of an `Authorization: Bearer …` header, the scheme in any case; null when there is none. */
export function bearerToken(authorization: string | undefined): string | null {
  return authorization === undefined
    ? null
    : (BEARER.exec(authorization)?.[1] ?? null);
}

function missingKey(): Failure {
  return {
    code: "missing_api_key",
    message:
      "The request has no API key. Send it as Authorization: Bearer <API key>.",
    headers: { "www-authenticate": "Bearer" },
  };
}

function invalidKey(): Failure {
  return {
    code: "invalid_api_key",
    message:
      "This is not a valid API key: it is mistyped, unknown, revoked or expired.",
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  };
}

function suspended(): Failure {
  return {
    code: "account_suspended",
    message: "The account of this API key is suspended.",
  };
}

function tooFast(account: AccountHandle, burst: BurstState): Failure {
  return {
    code: "rate_limit_exceeded",
    message: `The ${account.plan.name} plan allows ${account.plan.burstPerSecond} requests a second. Try again in ${burst.retryAfterSeconds} s.`,
    headers: { "retry-after": String(burst.retryAfterSeconds) },
  };
}
