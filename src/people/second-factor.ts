import { isAPIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";

/** Where a sign-in goes on that needs a second step. Another way in would be one past the second factor. */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set([
  "/sign-in/email",
  "/callback/:id",
]);

/**
 * A code of an authenticator app (TOTP) as second factor. The library asks for it after a password only; here also after
 * a sign-in at GitHub, for an account there can be had with nothing but the mailbox of somebody else.
 */
export function secondFactor() {
  const plugin = twoFactor({
    backupCodeOptions: { storeBackupCodes: "encrypted" },
  });
  return {
    ...plugin,
    hooks: {
      after: plugin.hooks.after.map(({ handler }) => ({
        handler,
        matcher: ({ path }: { readonly path?: string | undefined }) =>
          SIGN_IN_PATHS.has(path ?? ""),
      })),
    },
  };
}

/** The cookie of a sign-in that waits for its second step. */
const WAITING = /\.two_factor=[^;]/;

/** What a sign-in at GitHub answers: where it needs a second step, a way to the page that asks for it. */
export function leadToSecondStep(response: Response, page: string): Response {
  const cookies = response.headers.getSetCookie();
  if (!cookies.some((cookie) => WAITING.test(cookie))) return response;
  const headers = new Headers({ location: `${page}?step=code` });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** What was done to a second factor, as the audit log calls it. */
export type SecondFactorChange =
  | "two_factor_enabled"
  | "two_factor_disabled"
  | "recovery_codes_made"
  | "recovery_code_used";

interface Person {
  readonly id: string;
  readonly email: string;
}

interface Asked {
  /** What the library answered. */
  readonly returned?: unknown;
  /** The session that asked, as it was before. */
  readonly session: {
    readonly user: Person & Readonly<Record<string, unknown>>;
  } | null;
  /** The session that began. */
  readonly newSession: { readonly user: Person } | null;
}

/** What a request that the library has answered did to a second factor, and whose; null for nothing. */
export function secondFactorChange(
  path: string,
  { newSession, returned, session }: Asked,
): readonly [Person, SecondFactorChange] | null {
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
