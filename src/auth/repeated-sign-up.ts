import type { Mailer } from "./mail/mailer.ts";

/** Somebody with whose address a sign-up came before. */
export interface KnownUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

export interface RepeatedSignUpParts {
  readonly mails: Mailer;
  /** The password of a person, null when there is none: the number of its row, and whether it is the one that was given. */
  readonly findPassword: (
    userId: string,
    given: string,
  ) => Promise<{ readonly row: string; readonly isGiven: boolean } | null>;
  readonly removePassword: (row: string) => Promise<void>;
  /** Mails another link that confirms an address. */
  readonly sendConfirmation: (email: string) => Promise<void>;
  /** Mails a link for a new password, which confirms the address too. */
  readonly sendReset: (email: string) => Promise<void>;
}

/**
 * Deals with a sign-up for an address that is known. Whoever signed up first with one that nobody confirmed may have been
 * somebody else: unless the second one knows the password, the first one's ends, so that no mail of theirs lets them in.
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
  given: string,
): Promise<void> {
  if (emailVerified) {
    mails.existing(email);
    return;
  }
  const found = await findPassword(id, given);
  if (found?.isGiven === true) {
    await sendConfirmation(email);
    return;
  }
  if (found !== null) await removePassword(found.row);
  await sendReset(email);
}
