import type { Operation } from "../../contract/operation.ts";

/** `GET /account` */
export interface OwnAccount {
  readonly email: string;
  readonly plan: string;
  readonly status: "active" | "suspended";
  readonly quota: number;
  readonly used: number;
  readonly remaining: number;
  /** The first moment of next month, UTC. */
  readonly resets_at: string;
  readonly requests_per_second: number;
  /** Pages of the explorer this month; null where they do not count. */
  readonly explorer: {
    readonly quota: number;
    readonly used: number;
    readonly remaining: number;
  } | null;
  readonly created_at: string;
  /** What is paid regularly, null for nothing. */
  readonly subscription: OwnSubscription | null;
}

export interface OwnSubscription {
  /** In Stripe's words: `past_due` after a payment that failed. */
  readonly status: string;
  /** When it ends, as its owner chose. */
  readonly ends_at: string | null;
}

/** A key in `GET /account/keys`; times are ISO 8601. */
export interface OwnKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly state: "active" | "expired" | "revoked";
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly used_this_month: number;
}

/** A key as it is answered when it is made, this once with all of it. */
export interface NewKey extends OwnKey {
  readonly secret: string;
}

/** A row of `GET /account/usage`. */
export interface UsageRow {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  readonly key_id: number;
  readonly operation: Operation;
  readonly used: number;
}

/** What a key is called on a page. */
export function nameOfKey({ name, prefix }: OwnKey): string {
  return name === "" ? `${prefix}…` : name;
}

const SOON_MS = 7 * 86_400_000;

/** Whether a key ends within a week. */
export function endsSoon({ expires_at: end }: OwnKey): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}

/** `Free` */
export function titleOfPlan(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
