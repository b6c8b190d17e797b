import type { BetterAuthOptions } from "better-auth";
import {
  APIError,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
} from "better-auth/api";
import type { AccountsDatabase } from "../accounts/database/open-database.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Random } from "../accounts/keys/api-key.ts";
import type { Attempt } from "../accounts/users/attempts.ts";
import { confirmAddress } from "../accounts/users/account-store.ts";
import { normalizeEmail } from "../accounts/users/email.ts";
import { limitSessions } from "../accounts/users/purge-expired-users.ts";
import {
  MIN_PASSWORD_LENGTH,
  MAX_PASSWORD_LENGTH,
} from "../contract/credentials.ts";
import {
  checkAuthRequest,
  emailOf,
  membersOf,
  pageOfInvalidLink,
  encodeTargets,
} from "./request-check.ts";
import type { Devices } from "./devices.ts";
import {
  deviceCookie,
  deviceCookieOf,
  passwordHashOf,
  userOfLink,
  type HookContext,
  type PasswordOwner,
} from "./hook-context.ts";
import { addressConfirmation } from "./confirm-address.ts";
import { rememberSignUp, signInByLink } from "./sign-in-by-link.ts";
import type { SignUpCookies } from "./sign-up-cookies.ts";
import { AUTH_PATH, CLIENT_ADDRESS_HEADER, SIGN_IN_PAGE } from "./paths.ts";
import { redact, signDummyLink } from "./library-extras.ts";
import { refusalOfPassword } from "./password-rules.ts";
import {
  confirmAttempt,
  type RequestLimits,
  SIGN_IN_LIMIT,
  signInAttempt,
} from "./request-limits.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { KnownUser } from "./repeated-sign-up.ts";
import {
  secondFactor,
  secondFactorChange,
  type SecondFactorChange,
} from "./second-factor.ts";

const LINK_SECONDS = 3_600;
/** How long a session lasts without use. */
const SESSION_SECONDS = 30 * 86_400;
const DAY_SECONDS = 86_400;

/** Requests that the password must confirm. */
const CONFIRMED: ReadonlySet<string> = new Set([
  "/change-password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
]);

const GITHUB_CALLBACK = "/callback/:id";

/** Requests that can complete a sign-in. */
const SIGN_INS: ReadonlySet<string> = new Set([
  "/sign-in/email",
  GITHUB_CALLBACK,
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
]);

/** GitHub's OAuth app. */
export interface GithubApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How passwords become what the database keeps. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

export interface AuthParts {
  readonly database: AccountsDatabase;
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

/** The better-auth configuration: sign-up, sign-in, their limits and their hooks. */
export function authOptions(parts: AuthParts): BetterAuthOptions {
  const { accounts, database, devices, github, limits, mails } = parts;
  const { onFault, origins, passwordHashing, secret, url } = parts;
  /** Users whose password reset is in progress, by request. */
  const resetting = new WeakMap<Request, PasswordOwner>();
  return {
    appName: parts.name,
    baseURL: `${url}${AUTH_PATH}`,
    basePath: AUTH_PATH,
    secret,
    database: { db: database.db, type: database.type, transaction: false },
    telemetry: { enabled: false },
    trustedOrigins: [...origins],
    logger: {
      level: "error",
      log: (_level, message, ...details) =>
        onFault(
          redact([message, ...details.map(String)].join(" ").slice(0, 500)),
        ),
    },
    onAPIError: {
      // The page shows why a sign-in failed, from `error` in its URL.
      errorURL: `${url}${SIGN_IN_PAGE}`,
      // Otherwise the library prints faults with everything they contain. `answer` logs them redacted.
      throw: true,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      ...(passwordHashing === undefined ? {} : { password: passwordHashing }),
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      // Without a request, the reset comes from a repeated sign-up.
      sendResetPassword: ({ token, url: link, user }, request) =>
        Promise.resolve(
          request === undefined
            ? mails.resetForSignUp(user.email, link, token)
            : mails.reset(user.email, link, token),
        ),
      onPasswordReset: ({ user }) => parts.onPasswordReset(user.id),
      async onExistingUserSignUp({ user }, request) {
        parts.onRepeatedSignUp(user, request);
        await signDummyLink(secret);
      },
    },
    emailVerification: {
      expiresIn: LINK_SECONDS,
      sendOnSignUp: true,
      sendOnSignIn: true,
      sendVerificationEmail: ({ url: link, user }) =>
        Promise.resolve(mails.verification(user.email, link)),
    },
    socialProviders:
      github === null
        ? {}
        : { github: { ...github, mapProfileToUser: normalized } },
    account: {
      encryptOAuthTokens: true,
      // The alternative stores a row for each attempt to sign in.
      storeStateStrategy: "cookie",
      accountLinking: { enabled: true, requireLocalEmailVerified: true },
    },
    verification: { storeIdentifier: "hashed" },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      // Every request reads its session, so a revoked one ends at once.
      cookieCache: { enabled: false },
    },
    // The library keeps a row for any path a client makes up; `RequestLimits` counts only paths that exist.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "provider-directory",
      useSecureCookies: url.startsWith("https:"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    plugins: [
      secondFactor(accounts.attempts),
      addressConfirmation({
        async confirm({ email, id }) {
          const isFirst = await confirmAddress(database.db, id);
          if (isFirst) await accounts.users.accountOf({ userId: id, email });
          return isFirst;
        },
        signIn: (hook, user) => signInByLink(hook, parts.signUpCookies, user),
      }),
    ],
    hooks: {
      before: createAuthMiddleware(async (context) => {
        const { body, path } = context;
        const page = pageOfInvalidLink(context);
        if (page !== null)
          throw context.redirect(`${url}${page}?error=INVALID_TOKEN`);
        const email = checkAuthRequest(context);
        if (path === "/sign-up/email") refuseGuessable(body, { email });
        if (context.request !== undefined)
          await countRequest(path, context.request.headers);
        if (path === "/sign-in/email" && email !== null)
          await countAttempt(await attemptsOf(context, email));
        if (CONFIRMED.has(path)) {
          const session = await getSessionFromCtx(context);
          if (path === "/change-password") refuseGuessable(body, session?.user);
          if (session !== null)
            await countAttempt([confirmAttempt(session.user.id)]);
        }
        if (path === "/reset-password" && context.request !== undefined) {
          const user = await userOfLink(context);
          if (user !== null) resetting.set(context.request, user);
          refuseGuessable(body, user);
        }
        return {
          context: {
            ...changes("query", encodeTargets(context.query)),
            ...changes("body", {
              ...encodeTargets(body),
              ...(email === null ? {} : { email }),
            }),
          },
        };
      }),
      after: createAuthMiddleware(async (hook) => {
        const { body, context, path, request } = hook;
        // The library redirects GitHub sign-ins by throwing.
        const hasFailed = isAPIError(context.returned);
        if (path === "/sign-up/email" && !hasFailed)
          await rememberSignUp(hook, parts.signUpCookies, parts.random);
        const signedIn = context.newSession?.user ?? null;
        if (signedIn !== null) await limitSessions(database.db, signedIn.id);
        if (path === "/sign-in/email" && signedIn !== null) {
          const [way] = await attemptsOf(hook, emailOf(body));
          await accounts.attempts.forget(way);
        }
        const changed =
          path === "/change-password" && !hasFailed
            ? (context.session?.user ?? null)
            : null;
        if (changed !== null) await parts.onPasswordChange(changed);
        const reset =
          path === "/reset-password" && !hasFailed && request !== undefined
            ? (resetting.get(request) ?? null)
            : null;
        const user = signedIn ?? changed ?? reset;
        const change = secondFactorChange(path, context);
        if (change !== null) await parts.onSecondFactorChange(...change);
        // If a second step follows, the device is remembered after the code.
        const isWaiting =
          (path === "/sign-in/email" || path === GITHUB_CALLBACK) &&
          context.newSession?.user["twoFactorEnabled"] === true;
        if (user === null || isWaiting) return;
        const isKnown = devices.find(deviceCookieOf(hook), user.email) !== null;
        const isRemembered = await rememberDevice(hook, user);
        // A renewed session counts as new too, and a device that can't be remembered would cause a notice each time.
        if (signedIn !== null && SIGN_INS.has(path) && !isKnown && isRemembered)
          parts.onNewDevice(signedIn);
      }),
    },
  };

  /** What a sign-in attempt is counted as, in the order to try: a known device, then everyone else. */
  async function attemptsOf(
    hook: HookContext,
    email: string,
  ): Promise<readonly [Attempt, ...Attempt[]]> {
    const stranger = signInAttempt(email);
    const device = devices.find(deviceCookieOf(hook), email);
    if (device === null) return [stranger];
    // Only a client with a signed cookie can time this.
    const { internalAdapter } = hook.context;
    const found = await internalAdapter.findUserByEmail(email);
    const hash = await passwordHashOf(hook, found?.user.id);
    return hash !== null && devices.markOf(hash) === device.mark
      ? [device.attempt, stranger]
      : [stranger];
  }

  async function rememberDevice(
    hook: HookContext,
    { email, id }: PasswordOwner,
  ): Promise<boolean> {
    const hash = await passwordHashOf(hook, id);
    if (hash === null) return false;
    const { attributes, name } = deviceCookie(hook);
    const value = devices.make(deviceCookieOf(hook), email, hash);
    hook.setCookie(name, value, attributes);
    return true;
  }

  /** Refuses a new password that is easy to guess. The library checks its length. */
  function refuseGuessable(
    body: unknown,
    user: { readonly email: string | null } | null | undefined,
  ): void {
    const { newPassword, password } = membersOf(body);
    const chosen = newPassword ?? password;
    if (typeof chosen !== "string" || chosen.length < MIN_PASSWORD_LENGTH)
      return;
    const known = { email: user?.email ?? "", name: parts.name };
    const refusal = refusalOfPassword(chosen, known);
    if (refusal !== null) throw new APIError("BAD_REQUEST", { ...refusal });
  }

  /** Counts a request from a client's network. */
  async function countRequest(path: string, headers: Headers): Promise<void> {
    const network = headers.get(CLIENT_ADDRESS_HEADER) ?? "";
    const wait = await limits.take(path, network);
    if (wait === 0) return;
    throw tooMany(
      "TOO_MANY_REQUESTS",
      `Too many requests of this kind from your network. Try again in ${wait} s.`,
      wait,
    );
  }

  /** Counts a password attempt against the first of `attempts` that has any left. */
  async function countAttempt(attempts: readonly Attempt[]): Promise<void> {
    let wait = Infinity;
    for (const attempt of attempts) {
      wait = Math.min(
        wait,
        await accounts.attempts.take(attempt, SIGN_IN_LIMIT),
      );
      if (wait === 0) return;
    }
    throw tooMany(
      "TOO_MANY_ATTEMPTS",
      `Too many password attempts for this address. Try again in ${wait} s, or request a link to choose a new password.`,
      wait,
    );
  }
}

/** Refuses a request for some seconds. */
function tooMany(code: string, message: string, seconds: number): APIError {
  const headers = { "retry-after": String(seconds) };
  return new APIError("TOO_MANY_REQUESTS", { code, message }, headers);
}

/** Members to change in a part of the request; nothing if there are none. */
function changes(
  part: "body" | "query",
  members: Readonly<Record<string, string>>,
): Record<string, Readonly<Record<string, string>>> {
  return Object.keys(members).length === 0 ? {} : { [part]: members };
}

/** A GitHub user's address, normalized. An invalid one is left for the library to refuse. */
function normalized({ email }: { email: string | null }): { email?: string } {
  const address = email === null ? null : normalizeEmail(email);
  return address === null ? {} : { email: address };
}
