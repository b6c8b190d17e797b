import type { Mailer } from "../mail/mailer.ts";

/** The user with whose address someone signed up before. */
export interface KnownUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** The data that the second sign-up sent. */
export interface GivenSignUp {
  readonly password: string;
  readonly callbackURL: string;
}

export interface RepeatedSignUpParts {
  readonly mails: Mailer;
  /** Finds a user's password, null without one: its row, and whether it is the given one. */
  readonly findPassword: (
    userId: string,
    given: string,
  ) => Promise<{ readonly row: string; readonly isGiven: boolean } | null>;
  readonly removePassword: (row: string) => Promise<void>;
  /** Mails another confirmation link, which leads on to a path. */
  readonly sendConfirmation: (
    email: string,
    callbackURL: string,
  ) => Promise<void>;
  /** Mails a reset link, which also confirms the address. */
  readonly sendReset: (email: string) => Promise<void>;
}

/**
 * Handles a sign-up for a known address. If the address is unconfirmed, the first sign-up may have come from someone
 * else. Unless the second one knows the password, the first password is removed, so that no mailed link lets its author
 * in.
 */
export async function handleRepeatedSignUp(
  {
    sendConfirmation,
    sendReset,
    findPassword,
    mails,
    removePassword,
  }: RepeatedSignUpParts,
  { email, emailVerified, id }: KnownUser,
  { callbackURL, password }: GivenSignUp,
): Promise<void> {
  if (emailVerified) {
    mails.existing(email);
    return;
  }
  const found = await findPassword(id, password);
  if (found?.isGiven === true) {
    await sendConfirmation(email, callbackURL);
    return;
  }
  if (found !== null) await removePassword(found.row);
  await sendReset(email);
}
