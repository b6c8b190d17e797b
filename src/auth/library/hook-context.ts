/** The part of better-auth's context of a request that our hooks read. */

import type { createAuthMiddleware } from "better-auth/api";
import { DEVICE_COOKIE, DEVICE_SECONDS } from "../devices.ts";
import { membersOf } from "../request-check.ts";

/** The context of a better-auth hook. */
export type HookContext = Parameters<
  Parameters<typeof createAuthMiddleware>[0]
>[0];

/** The user whose password it is. */
export interface PasswordOwner {
  readonly id: string;
  readonly email: string;
}

/** Returns the cookie of a known device: its name and attributes. */
export function deviceCookie({ context }: HookContext) {
  return context.createAuthCookie(DEVICE_COOKIE, { maxAge: DEVICE_SECONDS });
}

/** Returns the value of that cookie, if its signature is right; null without one. */
export function deviceCookieOf(hook: HookContext): string | null {
  return hook.getCookie(deviceCookie(hook).name) ?? null;
}

/** Finds the hash of a user's password; null for a user without one. */
export async function passwordHashOf(
  { context }: HookContext,
  userId: string | undefined,
): Promise<string | null> {
  if (userId === undefined) return null;
  const ways = await context.internalAdapter.findAccounts(userId);
  const way = ways.find(({ providerId }) => providerId === "credential");
  return way?.password ?? null;
}

/** Finds the user to whom a reset link was mailed; null for an invalid link. */
export async function userOfLink({
  body,
  context: { internalAdapter },
}: HookContext): Promise<PasswordOwner | null> {
  const token = String(membersOf(body)["token"]);
  const link = await internalAdapter.findVerificationValue(
    `reset-password:${token}`,
  );
  return link === null ? null : await internalAdapter.findUserById(link.value);
}
