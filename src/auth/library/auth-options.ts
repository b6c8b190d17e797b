import { betterAuth, type BetterAuthOptions } from "better-auth";
import { isPostgresql } from "../../accounts/database/tables.ts";
import { confirmAddress } from "../../accounts/users/account-store.ts";
import { normalizeEmail } from "../../accounts/users/email.ts";
import {
  MIN_PASSWORD_LENGTH,
  MAX_PASSWORD_LENGTH,
} from "../../contract/credentials.ts";
import { prefixOf } from "../../text/public-path.ts";
import type { AuthParts } from "./auth-parts.ts";
import { addressConfirmation } from "../sign-up/confirm-address.ts";
import { libraryHooks } from "./hooks.ts";
import { redact, signDummyLink } from "./library-extras.ts";
import {
  AUTH_PATH,
  CLIENT_ADDRESS_HEADER,
  LINK_SECONDS,
  SIGN_IN_PAGE,
} from "../auth.ts";
import { secondFactor } from "../second-factor.ts";
import { signInByLink } from "../sign-up/sign-in-by-link.ts";

/** The time that a session lasts without use. */
const SESSION_SECONDS = 30 * 86_400;
const DAY_SECONDS = 86_400;

/** The library, which answers requests under `AUTH_PATH`. */
export type AuthLibrary = ReturnType<typeof createLibrary>;

export function createLibrary(parts: AuthParts) {
  return betterAuth(authOptions(parts));
}

/** Configures better-auth: sign-up, sign-in, sessions, and what the library must not do. */
function authOptions(parts: AuthParts): BetterAuthOptions {
  const { accounts, db, github, mails, onFault } = parts;
  const { origins, passwordHashing, secret, url } = parts;
  return {
    appName: parts.name,
    baseURL: `${url}${AUTH_PATH}`,
    basePath: AUTH_PATH,
    secret,
    database: {
      db,
      type: isPostgresql(db) ? "postgres" : "sqlite",
      transaction: false,
    },
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
      defaultCookieAttributes: {
        httpOnly: true,
        path: prefixOf(url) || "/",
        sameSite: "lax",
      },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    plugins: [
      secondFactor(accounts.attempts),
      addressConfirmation({
        async confirm({ email, id }) {
          const isFirst = await confirmAddress(db, id);
          if (isFirst) await accounts.users.accountOf({ userId: id, email });
          return isFirst;
        },
        change: parts.onNewAddress,
        signIn: (hook, user) => signInByLink(hook, parts.signUpCookies, user),
      }),
    ],
    hooks: libraryHooks(parts),
  };
}

/** Normalizes a GitHub user's address. An invalid one is left for the library to refuse. */
function normalized({ email }: { email: string | null }): { email?: string } {
  const address = email === null ? null : normalizeEmail(email);
  return address === null ? {} : { email: address };
}
