import type { Accounts } from "../accounts/accounts.ts";
import { MAX_PASSWORD_LENGTH } from "../contract/credentials.ts";
import type { AuthLibrary } from "./library/auth-options.ts";
import type { Confirmation, SessionUser } from "./auth.ts";
import { confirmAttempt, SIGN_IN_LIMIT } from "./request-limits.ts";

/** The time that a new session counts as confirmation for users without a password. */
const FRESH_MS = 600_000;

/** A user's password, as the database keeps it. */
export interface Credential {
  /** The id of its row. */
  readonly id: string;
  readonly hash: string;
}

/** Finds and checks users' passwords. */
export class Passwords {
  readonly #auth: AuthLibrary;
  readonly #attempts: Accounts["attempts"];

  constructor(auth: AuthLibrary, { attempts }: Accounts) {
    this.#auth = auth;
    this.#attempts = attempts;
  }

  /** Finds the password of a user (`user.id`); null for a user without one. */
  async find(userId: string): Promise<Credential | null> {
    const { internalAdapter } = await this.#auth.$context;
    const ways = await internalAdapter.findAccounts(userId);
    const way = ways.find(({ providerId }) => providerId === "credential");
    const hash = way?.password ?? null;
    return way === undefined || hash === null ? null : { id: way.id, hash };
  }

  async isRight({ hash }: Credential, given: string): Promise<boolean> {
    const { password } = await this.#auth.$context;
    return password.verify({
      hash,
      password: given.slice(0, MAX_PASSWORD_LENGTH),
    });
  }

  /** Checks a signed-in user's password; for a user without one, whether the sign-in is recent. */
  async confirm(
    { since, userId }: SessionUser,
    password: string | null,
  ): Promise<Confirmation> {
    const credential = await this.find(userId);
    if (credential === null)
      // The library's clock, which also wrote when the session started.
      return Date.now() - since < FRESH_MS ? "confirmed" : "sign_in_again";
    const attempt = confirmAttempt(userId);
    const wait = await this.#attempts.take(attempt, SIGN_IN_LIMIT);
    if (wait > 0) return { retryAfterSeconds: wait };
    if (password === null || !(await this.isRight(credential, password)))
      return "wrong_password";
    await this.#attempts.forget(attempt);
    return "confirmed";
  }
}
