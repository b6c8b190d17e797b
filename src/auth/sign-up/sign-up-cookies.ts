import { cookieTag, isSameTag } from "../devices.ts";

/** The cookie's name, after the service's cookie prefix. */
export const SIGN_UP_COOKIE = "sign_up";

/** The time that the browser that signed up is known: longer than a link works, because another one may be mailed. */
export const SIGN_UP_SECONDS = 86_400;

/** Creation time in seconds, tag. */
const SIGN_UP = /^([0-9a-z]{6,8})\.([\w-]{22})$/;

/** The sign-up that a cookie is bound to. */
export interface SignUp {
  readonly userId: string;
  readonly email: string;
  /** The hash of the password that was chosen. */
  readonly passwordHash: string;
}

/**
 * The signed cookie of a browser that signed up. Together with the mailed link, it signs the user in. It names no user,
 * signs no one in without the link, and is void once the password changes.
 */
export class SignUpCookies {
  readonly #secret: string;
  readonly #clock: () => number;

  constructor(secret: string, clock: () => number) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Makes a cookie for a browser. */
  make(signUp: SignUp): string {
    const made = this.#seconds().toString(36);
    return `${made}.${this.#sign(signUp, made)}`;
  }

  /** True if a cookie was made for this sign-up, not too long ago. */
  isFor(cookie: string | null, signUp: SignUp): boolean {
    const [, made = "", tag = ""] = SIGN_UP.exec(cookie ?? "") ?? [];
    const age = this.#seconds() - Number.parseInt(made, 36);
    return age <= SIGN_UP_SECONDS && isSameTag(tag, this.#sign(signUp, made));
  }

  #sign({ email, passwordHash, userId }: SignUp, made: string): string {
    const parts = [userId, email, passwordHash, made];
    return cookieTag(this.#secret, "sign-up cookie", parts);
  }

  #seconds(): number {
    return Math.floor(this.#clock() / 1_000);
  }
}
