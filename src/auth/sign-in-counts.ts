import { APIError } from "better-auth/api";
import type { Attempt, Attempts } from "../accounts/users/attempts.ts";
import type { AuthParts } from "./library/auth-parts.ts";
import type { Devices } from "./devices.ts";
import {
  deviceCookie,
  deviceCookieOf,
  passwordHashOf,
  type HookContext,
  type PasswordOwner,
} from "./library/hook-context.ts";
import { CLIENT_ADDRESS_HEADER } from "./auth.ts";
import {
  SIGN_IN_LIMIT,
  signInAttempt,
  type RequestLimits,
} from "./request-limits.ts";

/** Counts requests by network, and password attempts by address and by known device. */
export class SignInCounts {
  readonly #attempts: Attempts;
  readonly #devices: Devices;
  readonly #limits: RequestLimits;

  constructor({
    accounts,
    devices,
    limits,
  }: Pick<AuthParts, "accounts" | "devices" | "limits">) {
    this.#attempts = accounts.attempts;
    this.#devices = devices;
    this.#limits = limits;
  }

  /** Counts a request from a client's network. */
  async countRequest(path: string, headers: Headers): Promise<void> {
    const network = headers.get(CLIENT_ADDRESS_HEADER) ?? "";
    const wait = await this.#limits.take(path, network);
    if (wait === 0) return;
    throw tooMany(
      "TOO_MANY_REQUESTS",
      `Too many requests of this kind from your network. Try again in ${wait} s.`,
      wait,
    );
  }

  /** Counts a password attempt against the first of `attempts` that has any left. */
  async countAttempt(attempts: readonly Attempt[]): Promise<void> {
    let wait = Infinity;
    for (const attempt of attempts) {
      wait = Math.min(wait, await this.#attempts.take(attempt, SIGN_IN_LIMIT));
      if (wait === 0) return;
    }
    throw tooMany(
      "TOO_MANY_ATTEMPTS",
      `Too many password attempts for this address. Try again in ${wait} s, or request a link to choose a new password.`,
      wait,
    );
  }

  /** Returns what a sign-in attempt is counted as, in the order to try: a known device, then everyone else. */
  async attemptsOf(
    hook: HookContext,
    email: string,
  ): Promise<readonly [Attempt, ...Attempt[]]> {
    const stranger = signInAttempt(email);
    const device = this.#devices.find(deviceCookieOf(hook), email);
    if (device === null) return [stranger];
    // Only a client with a signed cookie can time this.
    const { internalAdapter } = hook.context;
    const found = await internalAdapter.findUserByEmail(email);
    const hash = await passwordHashOf(hook, found?.user.id);
    return hash !== null && this.#devices.markOf(hash) === device.mark
      ? [device.attempt, stranger]
      : [stranger];
  }

  /** True if the device can be known again: only that of a user with a password. */
  async rememberDevice(
    hook: HookContext,
    { email, id }: PasswordOwner,
  ): Promise<boolean> {
    const hash = await passwordHashOf(hook, id);
    if (hash === null) return false;
    const { attributes, name } = deviceCookie(hook);
    const value = this.#devices.make(deviceCookieOf(hook), email, hash);
    hook.setCookie(name, value, attributes);
    return true;
  }
}

/** Refuses a request for some seconds. */
function tooMany(code: string, message: string, seconds: number): APIError {
  const headers = { "retry-after": String(seconds) };
  return new APIError("TOO_MANY_REQUESTS", { code, message }, headers);
}
