import type { Accounts } from "../accounts/accounts.ts";
import type { Account } from "../accounts/users/account-store.ts";
import type { Notice } from "./notices.ts";

/** A signed-in user. */
export interface SessionUser {
  readonly userId: string;
  readonly email: string;
  readonly isVerified: boolean;
  /** The time when this session started, in epoch milliseconds. */
  readonly since: number;
}

export type Confirmation =
  | "confirmed"
  | "wrong_password"
  /** The user has no password, and the session is too old to confirm instead of one. */
  | "sign_in_again"
  | { readonly retryAfterSeconds: number };

/** Sign-up and sign-in, as `openAuth` makes them. */
export interface AuthService extends AsyncDisposable {
  readonly accounts: Accounts;
  /** Answers a request under `/auth`; never rejects because of the client. */
  answer(request: Request): Promise<Response>;
  /** Finds the user whose session these headers carry; null without one. */
  findSessionUser(headers: Headers): Promise<SessionUser | null>;
  /** Returns the account of a signed-in user with a confirmed address. */
  accountOf(user: SessionUser): Promise<Account>;
  /** Mails a user what happened to the account; returns at once. */
  notify(user: Pick<SessionUser, "email">, notice: Notice): void;
  /** Mails the owners of keys that expire within a week. Call it each hour. */
  notifyOfEndingKeys(): Promise<void>;
  /**
   * Mails a link to an address that a user wants instead of the present one, and a notice to that one. Does the same,
   * as far as the user can tell, if the address is another account's.
   */
  requestAddress(user: SessionUser, email: string): Promise<void>;
  /** Checks a signed-in user's password; for a user without one, whether the sign-in is recent. */
  confirm(user: SessionUser, password: string | null): Promise<Confirmation>;
}

/** The time that a mailed link works. */
export const LINK_SECONDS = 3_600;

/** The path prefix of sign-up and sign-in. */
export const AUTH_PATH = "/auth";

/** The path of mailed confirmation links, below `AUTH_PATH`. */
export const CONFIRM_PATH = "/verify-email";

/** Carries the client's network to the library. The service sets it and overwrites a client's own. */
export const CLIENT_ADDRESS_HEADER = "x-provider-directory-client";

/** Portal pages that links lead to. */
export const SIGN_IN_PAGE = "/sign-in";
export const RESET_PAGE = "/reset-password";
/** Served without the portal, too. */
export const CONFIRM_PAGE = "/confirm-email";
