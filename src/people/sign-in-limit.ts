import type { Attempt, AttemptLimit } from "../accounts/attempts.ts";

/**
 * How often a password may be tried for one address, from wherever: with the limit for each client this leaves a guesser
 * some two thousand guesses a day.
 */
export const SIGN_IN_LIMIT: AttemptLimit = { most: 20, windowMs: 900_000 };

/** What is counted: the same for a person who exists and for one who does not. */
export function signInAttempt(email: string): Attempt {
  return { kind: "password", of: `sign-in ${email.trim().toLowerCase()}` };
}
