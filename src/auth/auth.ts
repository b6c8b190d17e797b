import type { Accounts } from "../accounts/accounts.ts";
import type { Account } from "../accounts/users/account-store.ts";
import type { Notice } from "./notices.ts";

/** Somebody who is signed in. */
export interface SessionUser {
  readonly userId: string;
  readonly email: string;
  readonly isVerified: boolean;
  /** When this session began, in epoch milliseconds. */
  readonly since: number;
}

export type Confirmation =
  | "confirmed"
  | "wrong_password"
  /** There is no password to confirm, and the session is too old to stand in for one. */
  | "sign_in_again"
  | { readonly retryAfterSeconds: number };

/** AuthService who sign up and in; what `open-auth.ts` makes. */
export interface AuthService extends AsyncDisposable {
  readonly accounts: Accounts;
  /** Answers a request below the path of sign-up and sign-in; never rejects for what a client did. */
  answer(request: Request): Promise<Response>;
  /** Whose session these headers carry, null without one. */
  findSessionUser(headers: Headers): Promise<SessionUser | null>;
  /** The account of somebody signed in and verified. */
  accountOf(user: SessionUser): Promise<Account>;
  /** Mails somebody what was done to their account; returns at once. */
  notify(user: Pick<SessionUser, "email">, notice: Notice): void;
  /** Mails the owners of keys that end within a week. To be called each hour. */
  notifyOfEndingKeys(): Promise<void>;
  /** Whether somebody signed in knows the password; without one, whether the sign-in is recent. */
  confirm(user: SessionUser, password: string | null): Promise<Confirmation>;
}
