import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type {
  AccountHandle,
  BurstState,
  SettledVerdict,
  UnknownKeyReason,
} from "../../accounts/metering/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { KeyRefusal } from "../pipeline/answer-counts.ts";
import { networkOf } from "./client-address.ts";
import {
  invalidKey,
  keySuspended,
  keyUnchecked,
  missingKey,
  tooFast,
  tooManyFailures,
} from "./failures.ts";
import type { AppContext } from "../app-context.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import {
  setHeaders,
  rateHeaders,
  type HeaderList,
} from "../pipeline/headers.ts";

/** The account behind a request, once the key has been checked. */
export interface Caller {
  readonly account: AccountHandle;
  readonly burst: BurstState;
  /** What the request is counted as. */
  readonly operation: Operation;
  /** The time of the request, in epoch milliseconds. */
  readonly nowMs: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the key has been checked, and on paths without one. */
    caller: Caller | null;
    /** Why the key was rejected, for logs and metrics. */
    keyVerdict: KeyRefusal | null;
    /** The headers with the limits of a request that needs no key; null for any other. */
    visitor: HeaderList | null;
  }
}

/** Verdicts that count as guesses. Revoked and expired keys are their owners' mistakes. */
const COUNTED_REASONS: ReadonlySet<UnknownKeyReason> = new Set([
  "malformed",
  "never_issued",
]);

/** Guessed keys per address and window. Above this, only keys in use are checked from that address. */
const MAX_INVALID_KEYS = 60;
const WINDOW_MS = 60_000;
/** Addresses in memory; the oldest is dropped first. */
const MAX_ADDRESSES = 10_000;
const LOOPBACK = /^(::1|(::ffff:)?127\.[0-9.]+)$/;

/** How routes take API keys. */
export interface KeyScheme {
  /** The key in an `Authorization` header; null if it has none. */
  tokenOf(authorization: string | undefined): string | null;
  /** Why a request without a key is refused; null if it may go on as a visitor's. */
  withoutKey(request: FastifyRequest, reply: FastifyReply): Failure | null;
  invalidKey(): Failure;
}

/** Keys as bearer tokens only. */
export const BEARER_KEYS: KeyScheme = {
  tokenOf: bearerToken,
  withoutKey: () => missingKey(),
  invalidKey: () => invalidKey(),
};

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;

/**
 * Adds the key check and the burst limit to every route of `app`, and the account's limits to every answer to a valid
 * key. The limits are read just before the answer is sent, so they include it.
 */
export function addAuthorization(
  app: FastifyInstance,
  deps: AppContext,
  refuse: Refuse,
  invalidKeys: InvalidKeyLimiter,
  scheme: KeyScheme,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const token = scheme.tokenOf(request.headers.authorization);
    if (token === null) {
      const failure = scheme.withoutKey(request, reply);
      if (failure === null) {
        done();
        return;
      }
      if (failure.code === "missing_api_key") request.keyVerdict = "missing";
      refuse(request, reply, failure);
      return;
    }
    const { url, config } = request.routeOptions;
    if (config.usage === undefined)
      throw new Error(`The route ${url} has no operation to be counted as.`);
    const operation = config.usage;
    const nowMs = deps.now();
    const waitSeconds = invalidKeys.waitSeconds(request.ip, nowMs);
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
        if (settled.status === "unknown" && COUNTED_REASONS.has(settled.reason))
          invalidKeys.note(request.ip, nowMs);
        request.keyVerdict =
          settled.status === "unknown" ? settled.reason : settled.status;
        refuse(request, reply, refusalOf(settled, scheme));
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

/** The token of an `Authorization: Bearer …` header (the scheme is case-insensitive), or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return authorization === undefined
    ? null
    : (BEARER.exec(authorization)?.[1] ?? null);
}

function refusalOf(
  verdict: Exclude<SettledVerdict, { status: "valid" }>,
  scheme: KeyScheme,
): Failure {
  switch (verdict.status) {
    case "unknown":
      return scheme.invalidKey();
    case "suspended":
      return keySuspended();
    default:
      return keyUnchecked(verdict.retryAfterSeconds);
  }
}

interface InvalidKeyCount {
  readonly sinceMs: number;
  count: number;
}

/** Limits invalid keys per client address, separately in each thread. */
export class InvalidKeyLimiter {
  readonly #byAddress = new Map<string, InvalidKeyCount>();
  readonly #isProxyUnknown: boolean;
  #limitedUntilMs = 0;

  /** If no proxies are configured, a loopback address is probably a proxy with many clients, so it is never limited. */
  constructor(isProxyUnknown: boolean) {
    this.#isProxyUnknown = isProxyUnknown;
  }

  /** Counts a key that was never issued. */
  note(address: string, nowMs: number): void {
    if (this.#isProxyUnknown && LOOPBACK.test(address)) return;
    const network = networkOf(address);
    let entry = this.#byAddress.get(network);
    if (entry === undefined || nowMs - entry.sinceMs >= WINDOW_MS) {
      this.#byAddress.delete(network);
      this.#makeRoom();
      entry = { sinceMs: nowMs, count: 0 };
      this.#byAddress.set(network, entry);
    }
    entry.count++;
    if (entry.count >= MAX_INVALID_KEYS)
      this.#limitedUntilMs = Math.max(
        this.#limitedUntilMs,
        entry.sinceMs + WINDOW_MS,
      );
  }

  /** Whether any address is limited; costs nothing. */
  isAnyLimited(nowMs: number): boolean {
    return nowMs < this.#limitedUntilMs;
  }

  /** Whole seconds until keys from an address are checked again, 0 if they are. */
  waitSeconds(address: string, nowMs: number): number {
    if (!this.isAnyLimited(nowMs)) return 0;
    const entry = this.#byAddress.get(networkOf(address));
    if (entry === undefined || entry.count < MAX_INVALID_KEYS) return 0;
    return Math.max(0, Math.ceil((entry.sinceMs + WINDOW_MS - nowMs) / 1000));
  }

  #makeRoom(): void {
    if (this.#byAddress.size < MAX_ADDRESSES) return;
    for (const oldest of this.#byAddress.keys()) {
      this.#byAddress.delete(oldest);
      return;
    }
  }
}
