/** The hooks before and after each request that the library answers. */

import type { BetterAuthOptions } from "better-auth";
import {
  APIError,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
} from "better-auth/api";
import { limitSessions } from "../../accounts/users/purge-expired-users.ts";
import { MIN_PASSWORD_LENGTH } from "../../contract/credentials.ts";
import type { AuthParts } from "./auth-parts.ts";
import {
  deviceCookieOf,
  userOfLink,
  type PasswordOwner,
} from "./hook-context.ts";
import { refusalOfPassword } from "../password-rules.ts";
import {
  checkAuthRequest,
  emailOf,
  targetsToUse,
  membersOf,
  pageOfInvalidLink,
} from "../request-check.ts";
import { confirmAttempt } from "../request-limits.ts";
import { secondFactorChange } from "../second-factor.ts";
import { rememberSignUp } from "../sign-up/sign-in-by-link.ts";
import { SignInCounts } from "../sign-in-counts.ts";

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

/** Checks, limits, and counts requests; remembers devices and reports changes. */
export function libraryHooks(
  parts: AuthParts,
): Required<NonNullable<BetterAuthOptions["hooks"]>> {
  const { accounts, db, devices, url } = parts;
  const counts = new SignInCounts(parts);
  /** Users whose password reset is in progress, by request. */
  const resetting = new WeakMap<Request, PasswordOwner>();
  return {
    before: createAuthMiddleware(async (context) => {
      const { body, path } = context;
      const page = pageOfInvalidLink(context);
      if (page !== null)
        throw context.redirect(`${url}${page}?error=INVALID_TOKEN`);
      const email = checkAuthRequest(context);
      if (path === "/sign-up/email") refuseGuessable(body, { email });
      if (context.request !== undefined)
        await counts.countRequest(path, context.request.headers);
      if (path === "/sign-in/email" && email !== null)
        await counts.countAttempt(await counts.attemptsOf(context, email));
      if (CONFIRMED.has(path)) {
        const session = await getSessionFromCtx(context);
        if (path === "/change-password") refuseGuessable(body, session?.user);
        if (session !== null)
          await counts.countAttempt([confirmAttempt(session.user.id)]);
      }
      if (path === "/reset-password" && context.request !== undefined) {
        const user = await userOfLink(context);
        if (user !== null) resetting.set(context.request, user);
        refuseGuessable(body, user);
      }
      return {
        context: {
          ...changes("query", targetsToUse(path, context.query, url)),
          ...changes("body", {
            ...targetsToUse(path, body, url),
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
      if (signedIn !== null) await limitSessions(db, signedIn.id);
      if (path === "/sign-in/email" && signedIn !== null) {
        const [way] = await counts.attemptsOf(hook, emailOf(body));
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
      if (user === null || isWaiting) return undefined;
      const isKnown = devices.find(deviceCookieOf(hook), user.email) !== null;
      const isRemembered = await counts.rememberDevice(hook, user);
      // A renewed session counts as new too, and a device that can't be remembered would cause a notice each time.
      if (signedIn !== null && SIGN_INS.has(path) && !isKnown && isRemembered)
        parts.onNewDevice(signedIn);
      // The page says whose password it was: the browser may be signed in as another user.
      return reset === null
        ? undefined
        : hook.json({ status: true, email: reset.email });
    }),
  };

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
}

/** Returns members to change in a part of the request; nothing if there are none. */
function changes(
  part: "body" | "query",
  members: Readonly<Record<string, string>>,
): Record<string, Readonly<Record<string, string>>> {
  return Object.keys(members).length === 0 ? {} : { [part]: members };
}
