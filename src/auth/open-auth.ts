import { BASE_ERROR_CODES, betterAuth } from "better-auth";
import { Accounts } from "../accounts/accounts.ts";
import { forgetLinks, type Account } from "../accounts/users/account-store.ts";
import { limitUnverified } from "../accounts/users/purge-expired-users.ts";
import type { Random } from "../accounts/keys/api-key.ts";
import type { DatabasePlace } from "../accounts/database/database.ts";
import { claimEndingKeys } from "../accounts/keys/ending-keys.ts";
import { auditUser } from "../accounts/audit.ts";
import { openForLibrary } from "../accounts/database/open-database.ts";
import type { Plans } from "../accounts/plans.ts";
import {
  authOptions,
  type AuthParts,
  type GithubApp,
  type PasswordHashing,
} from "./auth-options.ts";
import type { PasswordOwner } from "./hook-context.ts";
import { membersOf } from "./request-check.ts";
import { Devices } from "./devices.ts";
import { SignUpCookies } from "./sign-up-cookies.ts";
import { inBackground, createMailer } from "./mail/mailer.ts";
import {
  AUTH_PATH,
  CONFIRM_PAGE,
  CONFIRM_PATH,
  RESET_PAGE,
  SIGN_IN_PAGE,
} from "./paths.ts";
import { endOldSessions, redact, signDummyLink } from "./library-extras.ts";
import type { Confirmation, AuthService, SessionUser } from "./auth.ts";
import { openMailTransport } from "./mail/open-mail-transport.ts";
import type { MailServer } from "./mail/smtp.ts";
import {
  confirmAttempt,
  RequestLimits,
  SIGN_IN_LIMIT,
  signInAttempt,
} from "./request-limits.ts";
import {
  handleRepeatedSignUp,
  type RepeatedSignUpParts,
} from "./repeated-sign-up.ts";
import { leadToSecondStep } from "./second-factor.ts";

/** How long after the sign-up a new device causes no notice. */
const NEW_USER_MS = 3_600_000;

/** How long a new session counts as confirmation for users without a password. */
const FRESH_MS = 600_000;

/** The routes under `AUTH_PATH`. The library has more, which answer 404. */
const ROUTES: readonly RegExp[] = [
  /^GET \/(error|get-session|list-accounts|list-sessions)$/,
  /^GET \/(reset-password\/[A-Za-z0-9]+|callback\/github)$/,
  /^POST \/sign-(up\/email|in\/email|in\/social|out)$/,
  /^POST \/(request-password-reset|reset-password|change-password|send-verification-email|verify-email)$/,
  /^POST \/two-factor\/(enable|disable|verify-totp|verify-backup-code|generate-backup-codes)$/,
  /^POST \/revoke-(session|other-sessions)$/,
];

/** After this many sign-ups a thread counts all unconfirmed ones, so the limit can be exceeded by as many. */
const SIGN_UPS_PER_CHECK = 50;

const SIGN_IN = "/sign-in/email";
const SIGN_UP = "/sign-up/email";
const GITHUB_CALLBACK = "/callback/github";

/** Answers whose time would reveal whether an address is known are padded to the same duration. */
const PADDED_PATHS: ReadonlySet<string> = new Set([
  SIGN_UP,
  "/request-password-reset",
]);
const PADDED_MS = 500;

/** What sign-up needs; can be passed to another thread. */
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
  /** How long sign-ups and requests for a new password take at least; 500 by default. */
  readonly paddedMs?: number;
}

/** Opens sign-up and sign-in on the accounts database. Throws AccountsDatabaseError. */
export async function openAuth(options: OpenAuthOptions): Promise<AuthService> {
  const { clock, onFault, place, plans, random, show, url } = options;
  const database = await openForLibrary(place);
  const { db } = database;
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
  let signUps = 0;
  const auth = authWith({
    ...options,
    database,
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
  const repeatedSignUp: RepeatedSignUpParts = {
    mails,
    async findPassword(userId, given) {
      const credential = await findCredential(userId);
      if (credential === null) return null;
      const { id: row, hash } = credential;
      return { row, isGiven: await isPassword(hash, given) };
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
    answer,
    findSessionUser,
    accountOf: ({ email, userId }: SessionUser): Promise<Account> =>
      accounts.users.accountOf({ userId, email }),
    confirm,
    notify: ({ email }, notice) => mails.notice(email, notice),
    notifyOfEndingKeys,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await accounts[Symbol.asyncDispose]();
    },
  };

  async function notifyOfEndingKeys(): Promise<void> {
    for (const { email, ...key } of await claimEndingKeys(db, clock()))
      mails.notice(email, { of: "key_ends", ...key });
  }

  /** A new password ends the wait for too many attempts, and voids links mailed before. */
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

  /** Passes a request to the library. A fault is logged by name; the client only gets 500. */
  async function ask(request: Request): Promise<Response> {
    try {
      const response = await auth.handler(request);
      if (response.status >= 500) onFault(`answered ${response.status}`);
      return response;
    } catch (error) {
      onFault(redact(String(error).slice(0, 500)));
      return new Response(null, { status: 500 });
    }
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(new URL(`${url}${AUTH_PATH}`).pathname.length);
    const route = `${request.method === "HEAD" ? "GET" : request.method} ${path}`;
    // Mailed links lead to a page with a button: mail scanners open links, too.
    if (route === `GET ${CONFIRM_PATH}`)
      return Response.redirect(`${url}${CONFIRM_PAGE}${search}`);
    if (!ROUTES.some((pattern) => pattern.test(route)))
      return new Response(null, { status: 404 });
    if (path === SIGN_IN) {
      const response = await ask(request);
      if (response.status === 401) await signDummyLink(options.secret);
      return hideUnconfirmed(response);
    }
    if (path === GITHUB_CALLBACK)
      return leadToSecondStep(await ask(request), `${url}${SIGN_IN_PAGE}`);
    if (!PADDED_PATHS.has(path)) return ask(request);
    const answering = path === SIGN_UP ? signUp(request) : ask(request);
    const [response] = await Promise.all([
      answering,
      pause(options.paddedMs ?? PADDED_MS),
    ]);
    return response;
  }

  /**
   * If two sign-ups for one address arrive at once, the library fails one. That one is answered like any repeated
   * sign-up.
   */
  async function signUp(request: Request): Promise<Response> {
    if (++signUps % SIGN_UPS_PER_CHECK === 0)
      inBackground(() => limitUnverified(db), onFault);
    const again = request.clone();
    const response = await ask(request);
    if (response.status !== 422) return response;
    const body: unknown = await again.clone().json();
    return auth.api.signUpEmail({
      body: { name: "", email: "", password: "", ...membersOf(body) },
      request: again,
      headers: again.headers,
      asResponse: true,
    });
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

  async function confirm(
    { since, userId }: SessionUser,
    password: string | null,
  ): Promise<Confirmation> {
    const credential = await findCredential(userId);
    if (credential === null)
      // The library's clock, which also wrote when the session started.
      return Date.now() - since < FRESH_MS ? "confirmed" : "sign_in_again";
    const attempt = confirmAttempt(userId);
    const wait = await accounts.attempts.take(attempt, SIGN_IN_LIMIT);
    if (wait > 0) return { retryAfterSeconds: wait };
    if (password === null || !(await isPassword(credential.hash, password)))
      return "wrong_password";
    await accounts.attempts.forget(attempt);
    return "confirmed";
  }

  /** The row of a user's password; null for a user without one. */
  async function findCredential(
    userId: string,
  ): Promise<{ readonly id: string; readonly hash: string } | null> {
    const { internalAdapter } = await auth.$context;
    const ways = await internalAdapter.findAccounts(userId);
    const way = ways.find(({ providerId }) => providerId === "credential");
    const hash = way?.password ?? null;
    return way === undefined || hash === null ? null : { id: way.id, hash };
  }

  async function isPassword(hash: string, given: string): Promise<boolean> {
    const { password } = await auth.$context;
    return password.verify({ hash, password: given.slice(0, 128) });
  }
}

/**
 * Answers the right password of an unconfirmed address like a wrong one. Otherwise someone who signs up and then signs
 * in with the same password would learn whether the address was free. The address gets another mail.
 */
async function hideUnconfirmed(response: Response): Promise<Response> {
  if (response.status !== 403) return response;
  const body: unknown = await response.clone().json();
  const code =
    typeof body === "object" && body !== null && Reflect.get(body, "code");
  if (code !== "EMAIL_NOT_VERIFIED") return response;
  // Exactly what the library answers to a wrong password.
  const { message } = BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD;
  return Response.json(
    { message, code: BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD.code },
    { status: 401, headers: response.headers },
  );
}

function authWith(parts: AuthParts) {
  return betterAuth(authOptions(parts));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
