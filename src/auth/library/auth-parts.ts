import type { Accounts } from "../../accounts/accounts.ts";
import type { AccountsDatabase } from "../../accounts/database/open-database.ts";
import type { Random } from "../../accounts/keys/api-key.ts";
import type { Devices } from "../devices.ts";
import type { PasswordOwner } from "./hook-context.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { KnownUser } from "../sign-up/repeated-sign-up.ts";
import type { RequestLimits } from "../request-limits.ts";
import type { SecondFactorChange } from "../second-factor.ts";
import type { SignUpCookies } from "../sign-up/sign-up-cookies.ts";

/** GitHub's OAuth app. */
export interface GithubApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The functions that hash passwords and check them. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

/** The parts of our side of the library, which `openAuth` passes to the options and the hooks. */
export interface AuthParts {
  readonly db: AccountsDatabase;
  readonly accounts: Accounts;
  readonly limits: RequestLimits;
  readonly devices: Devices;
  readonly signUpCookies: SignUpCookies;
  readonly random: Random;
  /** The name of the service. */
  readonly name: string;
  /** The service's public URL, without a trailing slash. */
  readonly url: string;
  /** Origins whose pages may send requests with a session. */
  readonly origins: readonly string[];
  readonly secret: string;
  readonly passwordHashing?: PasswordHashing;
  readonly github: GithubApp | null;
  readonly mails: Mailer;
  readonly onFault: (reason: string) => void;
  /** Called when a sign-up uses a known address; returns at once. */
  readonly onRepeatedSignUp: (
    user: KnownUser,
    request: Request | undefined,
  ) => void;
  /** Called when a user has reset the password with a mailed link, which also proves the address. */
  readonly onPasswordReset: (userId: string) => Promise<void>;
  /** Called when a signed-in user has changed the password. */
  readonly onPasswordChange: (user: PasswordOwner) => Promise<void>;
  /** Called when a user opens the link of a new address; false if it no longer works. */
  readonly onNewAddress: (secret: string, email: string) => Promise<boolean>;
  /** Called when a user signs in on a new device; returns at once. */
  readonly onNewDevice: (
    user: PasswordOwner & { readonly createdAt: Date },
  ) => void;
  /** Called when a user's second factor has changed. */
  readonly onSecondFactorChange: (
    user: PasswordOwner,
    change: SecondFactorChange,
  ) => Promise<void>;
}
