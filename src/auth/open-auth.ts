import { Accounts } from "../accounts/accounts.ts";
import { forgetLinks, type Account } from "../accounts/users/account-store.ts";
import type { Random } from "../accounts/keys/api-key.ts";
import type { DatabasePlace } from "../accounts/database/database.ts";
import { auditUser } from "../accounts/audit.ts";
import {
  changeAddress,
  wantAddress,
} from "../accounts/users/change-address.ts";
import { openDatabase } from "../accounts/database/open-database.ts";
import type { Plans } from "../accounts/plans.ts";
import { answersOf } from "./library/answer.ts";
import { createLibrary } from "./library/auth-options.ts";
import type { GithubApp, PasswordHashing } from "./library/auth-parts.ts";
import type { PasswordOwner } from "./library/hook-context.ts";
import { membersOf } from "./request-check.ts";
import { Devices } from "./devices.ts";
import { SignUpCookies } from "./sign-up/sign-up-cookies.ts";
import { inBackground, createMailer } from "./mail/mailer.ts";
import { Passwords } from "./passwords.ts";
import { endOldSessions, signAddressLink } from "./library/library-extras.ts";
import {
  type AuthService,
  type SessionUser,
  AUTH_PATH,
  CONFIRM_PATH,
  LINK_SECONDS,
  RESET_PAGE,
  SIGN_IN_PAGE,
} from "./auth.ts";
import type { MailServer, MailTransport } from "./mail/smtp.ts";
import {
  confirmAttempt,
  RequestLimits,
  signInAttempt,
} from "./request-limits.ts";
import {
  handleRepeatedSignUp,
  type RepeatedSignUpParts,
} from "./sign-up/repeated-sign-up.ts";

/** The time after the sign-up in which a new device causes no notice. */
const NEW_USER_MS = 3_600_000;

/** The settings that sign-up needs; can be passed to another thread. */
export interface SignUpSettings {
  /** The name of the service in mails and authenticator apps. */
  readonly name: string;
  readonly secret: string;
  readonly github: GithubApp | null;
  readonly mail: MailServer;
}

export interface OpenAuthOptions extends SignUpSettings {
  readonly place: DatabasePlace;
  readonly plans: Plans;
  readonly clock: () => number;
  readonly random: Random;
  /** The service's public URL, without a trailing slash. */
  readonly url: string;
  readonly origins: readonly string[];
  /** Prints a line in the terminal. */
  readonly show: (line: string) => void;
  /** Called with what went wrong, safe to log. */
  readonly onFault: (reason: string) => void;
  /** The library's scrypt by default. */
  readonly passwordHashing?: PasswordHashing;
  /** The least time that sign-ups and requests for a new password take; 500 by default. */
  readonly paddedMs?: number;
}

/** Opens sign-up and sign-in on the accounts database. Throws AccountsDatabaseError. */
export async function openAuth(options: OpenAuthOptions): Promise<AuthService> {
  const { clock, onFault, place, plans, random, show, url } = options;
  const db = await openDatabase(place);
  const context = { db, clock, random, actor: "owner" };
  const accounts = new Accounts(context, plans);
  const transport = await openMailTransport({
    server: options.mail,
    show,
    onFault,
  });
  const mails = createMailer({
    transport,
    accounts,
    clock,
    onFault,
    sender: { name: options.name, url },
    async dropLink(token) {
      const { internalAdapter } = await auth.$context;
      await internalAdapter.deleteVerificationByIdentifier(
        `reset-password:${token}`,
      );
    },
    signInUrl: `${url}${SIGN_IN_PAGE}`,
  });
  const auth = createLibrary({
    ...options,
    db,
    accounts,
    limits: new RequestLimits(accounts.attempts, clock),
    devices: new Devices(options.secret, random, clock),
    signUpCookies: new SignUpCookies(options.secret, clock),
    mails,
    onRepeatedSignUp: (user, request) =>
      inBackground(async () => {
        const { callbackURL, password } = membersOf(await request?.json());
        await handleRepeatedSignUp(repeatedSignUp, user, {
          password: typeof password === "string" ? password : "",
          callbackURL: typeof callbackURL === "string" ? callbackURL : "/",
        });
      }, onFault),
    async onPasswordReset(userId) {
      const { internalAdapter } = await auth.$context;
      const { email } = await internalAdapter.updateUser(userId, {
        emailVerified: true,
      });
      await accounts.users.accountOf({ userId, email });
      await onPasswordChange({ id: userId, email }, "password_reset");
    },
    async onNewAddress(secret, email) {
      const before = await changeAddress(context, secret, email);
      if (before !== null)
        mails.notice(before, { of: "address_changed", address: email });
      return before !== null;
    },
    onNewDevice({ createdAt, email }) {
      // A new user knows about the first device.
      if (Date.now() - createdAt.getTime() >= NEW_USER_MS)
        mails.notice(email, { of: "new_device" });
    },
    async onSecondFactorChange({ email, id }, change) {
      // Trusted devices go with the second factor.
      if (change === "two_factor_disabled") await forgetLinks(db, id);
      await accounts.attempts.forget(confirmAttempt(id));
      await auditUser(context, id, change);
      mails.notice(email, { of: change });
    },
    onPasswordChange: (user) => onPasswordChange(user, "password_changed"),
  });
  endOldSessions(await auth.$context);
  const passwords = new Passwords(auth, accounts);
  const repeatedSignUp: RepeatedSignUpParts = {
    mails,
    async findPassword(userId, given) {
      const credential = await passwords.find(userId);
      if (credential === null) return null;
      const isGiven = await passwords.isRight(credential, given);
      return { row: credential.id, isGiven };
    },
    async removePassword(row) {
      const { internalAdapter } = await auth.$context;
      await internalAdapter.deleteAccount(row);
    },
    async sendConfirmation(email, callbackURL) {
      await auth.api.sendVerificationEmail({
        body: { email, callbackURL },
      });
    },
    async sendReset(email) {
      await auth.api.requestPasswordReset({
        body: { email, redirectTo: RESET_PAGE },
      });
    },
  };

  return {
    accounts,
    answer: answersOf({ ...options, auth, db }),
    findSessionUser,
    accountOf: ({ email, userId }: SessionUser): Promise<Account> =>
      accounts.users.accountOf({ userId, email }),
    async requestAddress({ email: present, userId }, email) {
      // The library's clock, by which it also checks the token.
      const expiresAt = Date.now() + LINK_SECONDS * 1_000;
      const wanted = { userId, email, expiresAt };
      const { isTaken, secret } = await wantAddress(context, wanted);
      const token = await signAddressLink(options.secret, email, secret);
      const link = `${url}${AUTH_PATH}${CONFIRM_PATH}?token=${token}`;
      mails.newAddress(email, link, isTaken);
      mails.notice(present, { of: "address_requested", address: email });
    },
    confirm: (user, password) => passwords.confirm(user, password),
    notify: ({ email }, notice) => mails.notice(email, notice),
    notifyOfEndingKeys,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await accounts[Symbol.asyncDispose]();
    },
  };

  async function notifyOfEndingKeys(): Promise<void> {
    for (const { email, ...key } of await accounts.keys.claimEnding())
      mails.notice(email, { of: "key_ends", ...key });
  }

  /** Handles a new password: it ends the wait for too many attempts, and voids links mailed before. */
  async function onPasswordChange(
    { email, id }: PasswordOwner,
    how: "password_changed" | "password_reset",
  ): Promise<void> {
    await forgetLinks(db, id);
    await accounts.attempts.forget(signInAttempt(email));
    await accounts.attempts.forget(confirmAttempt(id));
    await auditUser(context, id, how);
    mails.notice(email, { of: how });
  }

  async function findSessionUser(
    headers: Headers,
  ): Promise<SessionUser | null> {
    // Renewing a session sends a cookie, which would be lost here; `/auth/get-session` renews.
    const found = await auth.api.getSession({
      headers,
      query: { disableRefresh: true },
    });
    if (found === null) return null;
    const { session, user } = found;
    return {
      userId: user.id,
      email: user.email,
      isVerified: user.emailVerified,
      since: new Date(session.createdAt).getTime(),
    };
  }
}

export interface MailTransportOptions {
  readonly server: MailServer;
  /** Prints a line in the terminal. */
  readonly show: (line: string) => void;
  /** Called with the reason why a mail was not sent; it contains no address. */
  readonly onFault: (reason: string) => void;
}

/** Opens the mail transport. Loads the SMTP client only if needed. Disposing of it waits a moment for queued mails. */
export async function openMailTransport({
  onFault,
  server,
  show,
}: MailTransportOptions): Promise<MailTransport> {
  if (server.kind === "terminal")
    return {
      send: ({ link, subject, to }) =>
        show(
          `No mail server is set (SMTP_URL). Email to ${to}: ${subject}\n  ${link}`,
        ),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  const { openSmtp } = await import("./mail/smtp.ts");
  return openSmtp(server, onFault);
}
