import type {
  AccountHandle,
  KeyVerdict,
  UnknownKeyReason,
} from "../../accounts/metering/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { AppContext } from "../app-context.ts";
import type { Call } from "../call.ts";
import { type Failure, isFailure, tryAgain } from "../pipeline/failure.ts";
import { KeyCaller, UNLIMITED, type Caller } from "./caller.ts";
import { networkOf } from "./client-address.ts";
import {
  invalidKey,
  keySuspended,
  keyUnchecked,
  missingKey,
  tooFast,
  tooManyFailures,
} from "./failures.ts";

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

/** The rules by which some routes take API keys. */
export interface KeyScheme {
  /** Returns the key in an `Authorization` header; null if it has none. */
  tokenOf(authorization: string | undefined): string | null;
  /** Returns why a request without a key is refused; null if it may go on as a visitor's. */
  withoutKey(call: Call): Failure | null;
  invalidKey(): Failure;
  /** Makes the caller of a request that takes neither a token nor quota, or refuses it; null for other requests. */
  callerOf?(
    call: Call,
    account: AccountHandle,
    nowMs: number,
  ): Caller | Failure | null;
}

/** Keys as bearer tokens only. */
export const BEARER_KEYS: KeyScheme = {
  tokenOf: bearerToken,
  withoutKey: () => missingKey(),
  invalidKey: () => invalidKey(),
};

const BEARER = /^bearer[ \t]+([^ \t].*)$/i;

/** Checks the key of a request that counts as `operation`, and takes a token of its account's burst limit. */
export function admitKey(
  call: Call,
  operation: Operation,
  { gate, now }: Pick<AppContext, "gate" | "now">,
  invalidKeys: InvalidKeyLimiter,
  scheme: KeyScheme,
): Failure | null | Promise<Failure | null> {
  const token = scheme.tokenOf(call.headers.authorization);
  if (token === null) {
    const failure = scheme.withoutKey(call);
    if (failure?.code === "missing_api_key") call.keyRefusal = "missing";
    return failure;
  }
  const nowMs = now();
  // Only where it matters: the address takes longer to find than the key.
  const waitSeconds = invalidKeys.waitSeconds(() => call.ip, nowMs);
  if (waitSeconds > 0 && !gate.isInUse(token)) {
    call.keyRefusal = "not_looked_up";
    return tooManyFailures(waitSeconds);
  }
  const verdict = gate.verify(token, nowMs);
  // It may have been made elsewhere a moment ago, or revoked while this process was suspended.
  return !gate.areKeysCurrent() ||
    (verdict.status === "unknown" && verdict.reason === "never_issued")
    ? gate.verifyAgain(token, nowMs).then(goOn)
    : goOn(verdict);

  function goOn(known: KeyVerdict): Failure | null | Promise<Failure | null> {
    if (known.status === "valid") {
      const { account } = known;
      const begun = gate.beginMonth(account, nowMs);
      return begun === null ? admit(account) : begun.then(() => admit(account));
    }
    call.keyRefusal = known.status === "unknown" ? known.reason : known.status;
    if (known.status === "suspended") return keySuspended();
    if (known.status === "unavailable")
      return keyUnchecked(known.retryAfterSeconds);
    if (COUNTED_REASONS.has(known.reason)) invalidKeys.note(call.ip, nowMs);
    return scheme.invalidKey();
  }

  function admit(account: AccountHandle): Failure | null {
    const special = scheme.callerOf?.(call, account, nowMs) ?? null;
    if (isFailure(special)) return special;
    if (special !== null) {
      call.caller = special;
      return null;
    }
    const burst = gate.takeBurst(account, nowMs);
    call.caller = new KeyCaller(gate, account, operation, nowMs, burst);
    return burst.allowed ? null : tooFast(account.plan, burst);
  }
}

/** Reads the token of an `Authorization: Bearer …` header (the scheme is case-insensitive), or null. */
function bearerToken(authorization: string | undefined): string | null {
  return authorization === undefined
    ? null
    : (BEARER.exec(authorization)?.[1] ?? null);
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

  /** Never limits a loopback address if no proxies are configured: it is probably a proxy with many clients. */
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

  /** Returns the whole seconds until keys from an address are checked again, 0 if they are. */
  waitSeconds(addressOf: () => string, nowMs: number): number {
    // Usually no address is limited, and then this costs nothing.
    if (nowMs >= this.#limitedUntilMs) return 0;
    const entry = this.#byAddress.get(networkOf(addressOf()));
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

const BASIC = /^basic[ \t]+([A-Za-z0-9+/_-]+={0,2})[ \t]*$/i;
const CHALLENGE = ', Basic realm="NPI registry", charset="UTF-8"';
const HINT =
  ", or as the user name of HTTP Basic: https://<API key>:x@host/api/";

/**
 * Keys of the registry's API: as bearer tokens, or as the user name of HTTP Basic, so that a client takes its key from
 * its base URL. If the operator opened the API, a request without a key is a visitor's, within a limit for its address.
 */
export function registryKeys({
  now,
  registryVisitors,
  settings: { registryApi },
}: Pick<AppContext, "now" | "registryVisitors" | "settings">): KeyScheme {
  return {
    tokenOf: (authorization) =>
      bearerToken(authorization) ?? basicUser(authorization),
    withoutKey(call) {
      if (registryApi.mode !== "open") return missingKey(HINT, CHALLENGE);
      const burst = registryVisitors.take(call.ip, now());
      const limits = registryVisitors.headers(burst);
      call.caller = { ...UNLIMITED, limits: () => limits };
      if (burst.allowed) return null;
      const { perSecond, size } = registryVisitors;
      return tryAgain(
        "rate_limited",
        `Without an API key, each address may send ${perSecond} requests per second, ${size} at once.`,
        burst.retryAfterSeconds,
        ", or send an API key",
      );
    },
    invalidKey: () => invalidKey(CHALLENGE),
  };
}

/** Reads the user name of an `Authorization: Basic …` header, or null. A password is ignored. */
export function basicUser(authorization: string | undefined): string | null {
  const encoded =
    authorization === undefined ? undefined : BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [user = ""] = Buffer.from(encoded, "base64").toString().split(":", 1);
  return user === "" ? null : user;
}
