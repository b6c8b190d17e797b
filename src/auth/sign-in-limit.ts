import type { Attempt, AttemptLimit } from "../accounts/users/attempts.ts";

/**
 * How often a password may be tried in each of the ways below: with the limit for each network this leaves a guesser some
 * two thousand guesses a day.
 */
export const SIGN_IN_LIMIT: AttemptLimit = { most: 20, windowMs: 900_000 };

/** What is counted of strangers: the same for a person who exists and for one who does not. */
export function signInAttempt(email: string): Attempt {
  return { kind: "password", of: `sign-in ${email}` };
}

/** What is counted of a person (`user.id`) who is signed in, and confirms something by the password. */
export function confirmAttempt(userId: string): Attempt {
  return { kind: "password", of: `signed-in ${userId}` };
}
