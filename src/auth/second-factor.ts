import {
  APIError,
  createAuthMiddleware,
  getSessionFromCtx,
  isAPIError,
} from "better-auth/api";
import type { AttemptLimit, Attempts } from "../accounts/users/attempts.ts";
import type { HookContext } from "./library/hook-context.ts";
import { membersOf } from "./request-check.ts";
import { twoFactor } from "better-auth/plugins/two-factor";

/** Sign-ins after which the second step follows. A sign-in missing here would bypass it. */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set([
  "/sign-in/email",
  "/callback/:id",
]);

const VERIFY_PATH = "/two-factor/verify-totp";
const COOKIE = "two_factor";
const CODE = /^\d{6}$/;

/** Codes of the step before and after are accepted too, so a code is valid for a minute and a half. */
const ONCE: AttemptLimit = { most: 1, windowMs: 90_000 };

/**
 * Makes authenticator codes (TOTP) the second factor. The library requests one only after a password; here also after a
 * sign-in with GitHub, because a GitHub account takes nothing but access to a mailbox. A code works once (RFC 6238,
 * 5.2), which the library does not enforce: neither at a sign-in nor in a session, where it turns the factor on.
 */
export function secondFactor(attempts: Attempts) {
  const plugin = twoFactor({
    backupCodeOptions: { storeBackupCodes: "encrypted" },
  });
  return {
    ...plugin,
    hooks: {
      before: [
        {
          matcher: ({ path }: { readonly path?: string | undefined }) =>
            path === VERIFY_PATH,
          handler: createAuthMiddleware(async (hook) => {
            const { code } = membersOf(hook.body);
            if (!isCode(code)) return;
            const session = await getSessionFromCtx(hook);
            const user = session?.user.id ?? (await userAtSecondStep(hook));
            if (user === null) return;
            const of = `totp ${user} ${code}`;
            const wait = await attempts.take({ kind: "code", of }, ONCE);
            if (wait > 0)
              throw new APIError("UNAUTHORIZED", {
                code: "CODE_USED",
                message:
                  "This code was already tried, and each code works only once. Wait for the next code from your app.",
              });
          }),
        },
      ],
      after: plugin.hooks.after.map(({ handler }) => ({
        handler,
        matcher: ({ path }: { readonly path?: string | undefined }) =>
          SIGN_IN_PATHS.has(path ?? ""),
      })),
    },
  };
}

function isCode(given: unknown): given is string {
  return typeof given === "string" && CODE.test(given);
}

/** Finds the user (`user.id`) whose sign-in waits for a code; null if none does. */
async function userAtSecondStep(hook: HookContext): Promise<string | null> {
  const { createAuthCookie, internalAdapter, secret } = hook.context;
  const { name } = createAuthCookie(COOKIE);
  const challenge = await hook.getSignedCookie(name, secret);
  if (typeof challenge !== "string") return null;
  const found = await internalAdapter.findVerificationValue(challenge);
  return found?.value ?? null;
}

/** The cookie of a sign-in that waits for its second step. */
const WAITING = /\.two_factor=[^;]/;

/** Returns the answer to a sign-in with GitHub; redirects to the code page if a second step follows. */
export function leadToSecondStep(response: Response, page: string): Response {
  const cookies = response.headers.getSetCookie();
  if (!cookies.some((cookie) => WAITING.test(cookie))) return response;
  const headers = new Headers({ location: `${page}?step=code` });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** A change to a second factor, as named in the audit log. */
export type SecondFactorChange =
  | "two_factor_enabled"
  | "two_factor_disabled"
  | "recovery_codes_made"
  | "recovery_code_used";

interface AuthUser {
  readonly id: string;
  readonly email: string;
}

interface AnsweredRequest {
  /** The library's response. */
  readonly returned?: unknown;
  /** The session of the request, as it was before. */
  readonly session: {
    readonly user: AuthUser & Readonly<Record<string, unknown>>;
  } | null;
  /** The session that the request started. */
  readonly newSession: { readonly user: AuthUser } | null;
}

/** Returns what an answered request changed about a second factor, and whose; null for nothing. */
export function secondFactorChange(
  path: string,
  { newSession, returned, session }: AnsweredRequest,
): readonly [AuthUser, SecondFactorChange] | null {
  if (isAPIError(returned)) return null;
  const by = session?.user ?? null;
  if (by === null)
    return path === "/two-factor/verify-backup-code" && newSession !== null
      ? [newSession.user, "recovery_code_used"]
      : null;
  if (path === "/two-factor/verify-totp" && by["twoFactorEnabled"] !== true)
    return [by, "two_factor_enabled"];
  if (path === "/two-factor/disable") return [by, "two_factor_disabled"];
  return path === "/two-factor/generate-backup-codes"
    ? [by, "recovery_codes_made"]
    : null;
}
