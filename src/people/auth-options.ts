import type { BetterAuthOptions } from "better-auth";
import {
  APIError,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
} from "better-auth/api";
import type { AccountsDatabase } from "../accounts/open-database.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { normalizeEmail } from "../accounts/email.ts";
import {
  checkAsked,
  emailOf,
  LONGEST_PASSWORD,
  pageOfVoidLink,
  sendableTargets,
} from "./asked.ts";
import { AUTH_PATH, CLIENT_ADDRESS_HEADER } from "./mount.ts";
import { signNobodysLink } from "./nobodys-link.ts";
import { SIGN_IN_PAGE } from "./pages.ts";
import { redact } from "./redact.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { Mails } from "./mails.ts";
import type { KnownPerson } from "./second-sign-up.ts";
import { SIGN_IN_LIMIT, signInAttempt } from "./sign-in-limit.ts";

const LEAST_PASSWORD_LENGTH = 12;
const LINK_SECONDS = 3_600;
/** How long a session lasts without use. */
const SESSION_SECONDS = 30 * 86_400;
const DAY_SECONDS = 86_400;

/** GitHub's OAuth app. */
export interface GithubApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Whose password it is. */
export interface PasswordOwner {
  readonly id: string;
  readonly email: string;
}

export interface AuthParts {
  readonly database: AccountsDatabase;
  readonly accounts: Accounts;
  readonly limits: RequestLimits;
  /** What the service is called. */
  readonly name: string;
  /** Where people reach the service, without a trailing slash. */
  readonly url: string;
  /** Whose pages may ask with a session. */
  readonly origins: readonly string[];
  readonly secret: string;
  readonly github: GithubApp | null;
  readonly mails: Mails;
  readonly onFault: (reason: string) => void;
  /** Told that somebody signed up with an address that is known; returns at once. */
  readonly onSecondSignUp: (
    person: KnownPerson,
    request: Request | undefined,
  ) => void;
  /** Told that somebody has proved to own an address by way of a mailed link, and chose a new password by it. */
  readonly onPasswordReset: (userId: string) => Promise<void>;
  /** Told that somebody signed in has changed the password. */
  readonly onPasswordChange: (person: PasswordOwner) => Promise<void>;
}

/** How people sign up and in, with all that protects them. */
export function authOptions(parts: AuthParts): BetterAuthOptions {
  const { accounts, database, github, limits, mails } = parts;
  const { onFault, origins, secret, url } = parts;
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
      // It says what kept somebody from signing in, by `error` in its address.
      errorURL: `${url}${SIGN_IN_PAGE}`,
      // Without it the library writes faults to the terminal, with all that they hold; `answer` logs them.
      throw: true,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: true,
      minPasswordLength: LEAST_PASSWORD_LENGTH,
      maxPasswordLength: LONGEST_PASSWORD,
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ url: link, user }) =>
        Promise.resolve(mails.reset(user.email, link)),
      onPasswordReset: ({ user }) => parts.onPasswordReset(user.id),
      async onExistingUserSignUp({ user }, request) {
        parts.onSecondSignUp(user, request);
        await signNobodysLink(secret);
      },
    },
    emailVerification: {
      expiresIn: LINK_SECONDS,
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ url: link, user }) =>
        Promise.resolve(mails.verification(user.email, link)),
      async afterEmailVerification({ email, id }) {
        await accounts.accountOfPerson({ userId: id, email });
      },
    },
    socialProviders:
      github === null
        ? {}
        : { github: { ...github, mapProfileToUser: normalized } },
    account: {
      encryptOAuthTokens: true,
      // The other way has a row for each attempt to sign in.
      storeStateStrategy: "cookie",
      accountLinking: { enabled: true, requireLocalEmailVerified: true },
    },
    verification: { storeIdentifier: "hashed" },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      // Each request reads its session, so that one that is revoked ends at once.
      cookieCache: { enabled: false },
    },
    // It has a count, and a row, for each path that anybody names; `RequestLimits` has one for each that there is.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "provider-directory",
      useSecureCookies: url.startsWith("https:"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        const { body, path } = context;
        const page = pageOfVoidLink(context);
        if (page !== null)
          throw context.redirect(`${url}${page}?error=INVALID_TOKEN`);
        const email = checkAsked(context);
        if (context.request !== undefined)
          await takeRequest(path, context.request.headers);
        if (path === "/sign-in/email")
          await takeAttempt(email ?? emailOf(body));
        if (path === "/change-password") {
          const session = await getSessionFromCtx(context);
          if (session !== null) await takeAttempt(session.user.email);
        }
        return {
          context: {
            ...changes("query", sendableTargets(context.query)),
            ...changes("body", {
              ...sendableTargets(body),
              ...(email === null ? {} : { email }),
            }),
          },
        };
      }),
      after: createAuthMiddleware(async ({ body, context, path }) => {
        if (context.newSession !== null)
          await accounts.boundSessions(context.newSession.user.id);
        if (path === "/sign-in/email" && context.newSession !== null)
          await accounts.attempts.forget(signInAttempt(emailOf(body)));
        if (
          path === "/change-password" &&
          context.session !== null &&
          !isAPIError(context.returned)
        )
          await parts.onPasswordChange(context.session.user);
      }),
    },
  };

  /** Counts a request of a client's network. */
  async function takeRequest(path: string, headers: Headers): Promise<void> {
    const network = headers.get(CLIENT_ADDRESS_HEADER) ?? "";
    const wait = await limits.take(path, network);
    if (wait === 0) return;
    throw new APIError(
      "TOO_MANY_REQUESTS",
      {
        code: "TOO_MANY_REQUESTS",
        message: `There are too many such requests from this network. Try again in ${wait} s.`,
      },
      { "retry-after": String(wait) },
    );
  }

  /** Counts a try of somebody's password. */
  async function takeAttempt(email: string): Promise<void> {
    const wait = await accounts.takeAttempt(
      signInAttempt(email),
      SIGN_IN_LIMIT,
    );
    if (wait === 0) return;
    throw new APIError(
      "TOO_MANY_REQUESTS",
      {
        code: "TOO_MANY_ATTEMPTS",
        message: `The password of this address was tried too often. Try again in ${wait} s, or have a link for a new one mailed.`,
      },
      { "retry-after": String(wait) },
    );
  }
}

/** Members to change in a part of what was asked, nothing where there are none. */
function changes(
  part: "body" | "query",
  members: Readonly<Record<string, string>>,
): Record<string, Readonly<Record<string, string>>> {
  return Object.keys(members).length === 0 ? {} : { [part]: members };
}

/** GitHub's address of a person in the form in which accounts have it; one that is none stays for the library to refuse. */
function normalized({ email }: { email: string | null }): { email?: string } {
  const address = email === null ? null : normalizeEmail(email);
  return address === null ? {} : { email: address };
}
