import type {
  Attempt,
  AttemptLimit,
  Attempts,
} from "../accounts/users/attempts.ts";

const SECOND_MS = 1_000;
const TRIES: AttemptLimit = { most: 3, windowMs: 10 * SECOND_MS };
const MAILS: AttemptLimit = { most: 3, windowMs: 60 * SECOND_MS };
const SIGN_UPS: AttemptLimit = { most: 20, windowMs: 3_600 * SECOND_MS };
const OTHERS: readonly AttemptLimit[] = [
  { most: 100, windowMs: 60 * SECOND_MS },
];

/** Limits for each network, by the library's name of the path (`/reset-password/:token`). */
const LIMITS: ReadonlyMap<string, readonly AttemptLimit[]> = new Map([
  ["/sign-in/email", [TRIES]],
  ["/sign-in/social", [TRIES]],
  ["/change-password", [TRIES]],
  ["/two-factor/enable", [TRIES]],
  ["/two-factor/disable", [TRIES]],
  ["/two-factor/generate-backup-codes", [TRIES]],
  ["/two-factor/verify-totp", [TRIES]],
  ["/two-factor/verify-backup-code", [TRIES]],
  ["/sign-up/email", [TRIES, SIGN_UPS]],
  ["/request-password-reset", [MAILS]],
  ["/send-verification-email", [MAILS]],
  // Every page requests it when it opens, and a whole office shares one address; there is nothing to guess.
  ["/get-session", []],
]);

/** Refusals that a thread remembers, so that repeated requests cost no query; beyond it the oldest are dropped. */
const MAX_REMEMBERED = 10_000;

/** Limits by path and network, counted together by all threads and machines. */
export class RequestLimits {
  readonly #attempts: Attempts;
  readonly #clock: () => number;
  readonly #refusedUntilMs = new Map<string, number>();

  constructor(attempts: Attempts, clock: () => number) {
    this.#attempts = attempts;
    this.#clock = clock;
  }

  /** Counts a request. Returns 0 if it is allowed, otherwise the seconds to wait. */
  async take(path: string, network: string): Promise<number> {
    for (const limit of LIMITS.get(path) ?? OTHERS) {
      const of = `${path} ${limit.windowMs} ${network}`;
      const remembered = this.#remembered(of);
      if (remembered > 0) return remembered;
      const wait = await this.#attempts.take({ kind: "request", of }, limit);
      if (wait === 0) continue;
      this.#remember(of, wait);
      return wait;
    }
    return 0;
  }

  #remembered(of: string): number {
    const untilMs = this.#refusedUntilMs.get(of);
    if (untilMs === undefined) return 0;
    const waitMs = untilMs - this.#clock();
    if (waitMs <= 0) this.#refusedUntilMs.delete(of);
    return Math.max(0, Math.ceil(waitMs / SECOND_MS));
  }

  #remember(of: string, wait: number): void {
    if (this.#refusedUntilMs.size >= MAX_REMEMBERED)
      for (const oldest of this.#refusedUntilMs.keys()) {
        this.#refusedUntilMs.delete(oldest);
        break;
      }
    this.#refusedUntilMs.set(of, this.#clock() + wait * SECOND_MS);
  }
}

/**
 * Password attempts for each of the counts below. Together with the network limits this leaves some two thousand
 * guesses a day.
 */
export const SIGN_IN_LIMIT: AttemptLimit = { most: 20, windowMs: 900_000 };

/** Counts attempts from unknown devices; the same whether or not the user exists. */
export function signInAttempt(email: string): Attempt {
  return { kind: "password", of: `sign-in ${email}` };
}

/** Counts attempts of a signed-in user (`user.id`) to confirm something with the password. */
export function confirmAttempt(userId: string): Attempt {
  return { kind: "password", of: `signed-in ${userId}` };
}
