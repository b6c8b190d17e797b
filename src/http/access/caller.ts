import type {
  AccountHandle,
  BurstState,
  Plan,
  QuotaState,
  QuotaTaking,
} from "../../accounts/metering/gate.ts";
import type { Gate } from "../../accounts/metering/thread-gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Failure } from "../pipeline/failure.ts";
import { rateHeaders, type HeaderList } from "../pipeline/headers.ts";
import { quotaUnchecked } from "./failures.ts";

/** Whose request it is, and what it may take of the service. */
export interface Caller {
  /** The account of the API key, for the log; null without one. */
  readonly account: number | null;
  /** Shares places and memory with the requests of the same party: an account's id, or a network. */
  readonly party: number | string;
  /** The most rows of a response. */
  readonly maxRows: number;
  /** Returns the headers that say what is left, read just before the response is sent. */
  limits(): HeaderList;
  /** Returns the failure if nothing is left, else null. Takes nothing. */
  spent(): Failure | null;
  /** Takes as many responses, all or none. Waits if they must be prepaid first. */
  reserve(responses: number): Failure | null | Promise<Failure | null>;
  /** Gives responses back that were reserved and not sent. */
  giveBack(responses: number): void;
}

/** No party in particular, without limits: public paths, and commands of this machine. */
export const UNLIMITED: Caller = {
  account: null,
  party: 0,
  maxRows: Infinity,
  limits: () => [],
  spent: () => null,
  reserve: () => null,
  giveBack: () => undefined,
};

/** Counts the responses to an account against its month. */
export class AccountQuota {
  readonly #gate: Gate;
  readonly #account: AccountHandle;
  readonly #operation: Operation;
  /** The time of the request, in epoch milliseconds. */
  readonly #nowMs: number;

  constructor(
    gate: Gate,
    account: AccountHandle,
    operation: Operation,
    nowMs: number,
  ) {
    this.#gate = gate;
    this.#account = account;
    this.#operation = operation;
    this.#nowMs = nowMs;
  }

  state(): QuotaState {
    return this.#gate.quota(this.#account, this.#nowMs);
  }

  spent(): Failure | null {
    const quota = this.state();
    return quota.remaining > 0 ? null : quotaExceeded(quota);
  }

  reserve(responses: number): Failure | null | Promise<Failure | null> {
    const taking = this.#gate.takeQuota(
      this.#account,
      this.#nowMs,
      this.#operation,
      responses,
    );
    return taking instanceof Promise
      ? taking.then((taken) => this.#failureOf(taken, responses))
      : this.#failureOf(taking, responses);
  }

  giveBack(responses: number): void {
    this.#gate.giveBack(this.#account, this.#nowMs, this.#operation, responses);
  }

  #failureOf(taking: QuotaTaking, responses: number): Failure | null {
    if (taking === "taken") return null;
    return taking === "unavailable"
      ? quotaUnchecked()
      : quotaExceeded(this.state(), responses);
  }
}

/** A client with an API key. */
export class KeyCaller extends AccountQuota implements Caller {
  readonly maxRows = Infinity;
  readonly account: number;
  readonly party: number;
  readonly #gate: Gate;
  readonly #handle: AccountHandle;
  readonly #nowMs: number;
  readonly #plan: Plan;
  readonly #burst: BurstState;

  constructor(
    gate: Gate,
    account: AccountHandle,
    operation: Operation,
    nowMs: number,
    burst: BurstState,
  ) {
    super(gate, account, operation, nowMs);
    this.account = account.id;
    this.party = account.id;
    this.#gate = gate;
    this.#handle = account;
    this.#nowMs = nowMs;
    this.#plan = account.plan;
    this.#burst = burst;
  }

  /** Makes the same client, whose responses count as another operation. */
  countedAs(operation: Operation): KeyCaller {
    return new KeyCaller(
      this.#gate,
      this.#handle,
      operation,
      this.#nowMs,
      this.#burst,
    );
  }

  limits(): HeaderList {
    return rateHeaders(this.#plan, this.#burst, this.state());
  }
}

/** Makes the failure of a request for as many responses as are not left. */
export function quotaExceeded(
  {
    limit,
    remaining,
    resetAt,
    resetSeconds,
  }: Pick<QuotaState, "limit" | "remaining" | "resetAt" | "resetSeconds">,
  responses = 1,
): Failure {
  const nextMonth = new Date(resetAt * 1000).toISOString().slice(0, 10);
  const reason =
    responses === 1 || remaining === 0
      ? `All ${limit} requests for this month are used.`
      : `This request counts as ${responses}, and only ${remaining} of ${limit} are left this month.`;
  return {
    code: "quota_exceeded",
    message: `${reason} The quota resets on ${nextMonth} at 00:00 UTC.`,
    headers: { "retry-after": String(resetSeconds) },
  };
}
