import type { Failure } from "../pipeline/failure.ts";

/** Refusals that several paths share. */

/** Nobody is signed in by the request. */
export function notSignedIn(
  message = "You are not signed in. Sign in and send the session cookie.",
): Failure {
  return { code: "not_signed_in", message };
}

/** The account is suspended; `message` says whose, and what that keeps it from. */
export function accountSuspended(message: string): Failure {
  return { code: "account_suspended", message };
}
