import type { FastifyInstance } from "fastify";
import type {
  AccountHandle,
  BurstState,
  SettledVerdict,
  UnknownKeyReason,
} from "../../accounts/metering/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { KeyRefusal } from "../pipeline/answer-counts.ts";
import { accountSuspended, accountsUnavailable } from "./failures.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import type { KeyGuesses } from "../limits/invalid-key-limiter.ts";
import { setHeaders, rateHeaders } from "../pipeline/headers.ts";

/** Who asks, once the key has been checked. */
export interface Caller {
  readonly account: AccountHandle;
  readonly burst: BurstState;
  /** What is asked for, as usage is counted. */
  readonly operation: Operation;
  /** The time that stands for the whole request, in epoch milliseconds. */
  readonly nowMs: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the key has been checked, and on paths that need none. */
    caller: Caller | null;
    /** For log and metrics: what became of the key. */
    keyVerdict: KeyRefusal | null;
  }
}

/** What a guesser's keys come out as; those that were real once are their owners'. */
const GUESSED: ReadonlySet<UnknownKeyReason> = new Set([
  "malformed",
  "never_issued",
]);

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;

/**
 * Puts the key check and the burst limit before every route of `app`, and the account's limits on every answer to a
 * checked key. The limits are read when the answer leaves, so that they show the state after counting.
 */
export function addAuthorization(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  guesses: KeyGuesses,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null) {
      request.keyVerdict = "missing";
      refuse(request, reply, missingKey());
      return;
    }
    const { url, config } = request.routeOptions;
    if (config.usage === undefined)
      throw new Error(`The route ${url} has no operation to be counted as.`);
    const operation = config.usage;
    const nowMs = deps.now();
    const waitSeconds = guesses.waitSeconds(request.ip, nowMs);
    if (waitSeconds > 0 && !deps.gate.remembers(token)) {
      request.keyVerdict = "not_looked_up";
      refuse(request, reply, tooManyFailures(waitSeconds));
      return;
    }
    const verdict = deps.gate.verify(token, nowMs);
    if (verdict.status === "pending")
      void verdict.settled.then((settled) => goOn(settled));
    else goOn(verdict);

    function goOn(settled: SettledVerdict): void {
      if (settled.status !== "valid") {
        if (settled.status === "unknown" && GUESSED.has(settled.reason))
          guesses.note(request.ip, nowMs);
        request.keyVerdict =
          settled.status === "unknown" ? settled.reason : settled.status;
        refuse(request, reply, refusalOf(settled));
        return;
      }
      const { account } = settled;
      const burst = deps.gate.takeBurst(account, nowMs);
      request.caller = { account, burst, operation, nowMs };
      if (burst.allowed) done();
      else refuse(request, reply, tooFast(account.plan, burst));
    }
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

function refusalOf(
  verdict: Exclude<SettledVerdict, { status: "valid" }>,
): Failure {
  switch (verdict.status) {
    case "unknown":
      return invalidKey();
    case "suspended":
      return keySuspended();
    default:
      return keyUnchecked(verdict.retryAfterSeconds);
  }
}

export function missingKey(): Failure {
  return {
    code: "missing_api_key",
    message:
      "The request has no API key. Send it as Authorization: Bearer <API key>.",
    headers: { "www-authenticate": "Bearer" },
  };
}

export function invalidKey(): Failure {
  return {
    code: "invalid_api_key",
    message:
      "This is not a valid API key: it is mistyped, unknown, revoked or expired.",
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  };
}

export function tooManyFailures(waitSeconds: number): Failure {
  return {
    code: "too_many_failures",
    message: `Too many wrong keys came from this address. Try again in ${waitSeconds} s.`,
    headers: { "retry-after": String(waitSeconds) },
  };
}

export function keySuspended(): Failure {
  return accountSuspended("The account of this API key is suspended.");
}

export function keyUnchecked(retryAfterSeconds: number): Failure {
  return accountsUnavailable(
    "The API key cannot be checked at the moment.",
    retryAfterSeconds,
  );
}

export function tooFast(
  {
    burstPerSecond,
    name,
  }: Pick<AccountHandle["plan"], "burstPerSecond" | "name">,
  { retryAfterSeconds }: Pick<BurstState, "retryAfterSeconds">,
): Failure {
  return {
    code: "rate_limit_exceeded",
    message: `The ${name} plan allows ${burstPerSecond} requests a second. Try again in ${retryAfterSeconds} s.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}
