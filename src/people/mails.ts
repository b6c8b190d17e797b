import type { Accounts } from "../accounts/accounts.ts";
import type { AttemptLimit } from "../accounts/attempts.ts";
import {
  existingLetter,
  resetLetter,
  verificationLetter,
  type Letter,
  type Sender,
} from "./letters.ts";
import { noticeLetter, type Notice, type NoticeGroup } from "./notices.ts";
import type { Post } from "./post.ts";

/** How many mails one address gets, whoever asks for them. */
const MAIL_LIMIT: AttemptLimit = { most: 5, windowMs: 3_600_000 };

/** How many notices one address gets of each group. They have counts of their own, lest what a stranger asks for uses them up. */
const NOTICE_LIMITS: Readonly<Record<NoticeGroup, AttemptLimit>> = {
  password: { most: 5, windowMs: 3_600_000 },
  keys: { most: 10, windowMs: 3_600_000 },
  ends: { most: 10, windowMs: 86_400_000 },
};

/** The mails that people get. Each call returns at once: whether there is a mail, and what becomes of it, nobody learns. */
export interface Mails {
  verification(to: string, link: string): void;
  reset(to: string, link: string): void;
  /** To a confirmed address that was signed up a second time. */
  existing(to: string): void;
  /** To the owner of an account, of what was just done to it. */
  notice(to: string, notice: Notice): void;
}

export interface MailsOptions {
  readonly post: Post;
  readonly accounts: Accounts;
  readonly sender: Sender;
  /** Where people sign in. */
  readonly signInUrl: string;
  readonly clock: () => number;
  readonly onFault: (reason: string) => void;
}

/** Does work that no answer waits for, lest its time tells who is known. */
export function doBeside(
  work: () => Promise<void>,
  onFault: (reason: string) => void,
): void {
  work().catch((error: unknown) => {
    onFault(error instanceof Error ? error.name : "unknown");
  });
}

export function mailsBy({
  accounts,
  clock,
  onFault,
  post,
  sender,
  signInUrl,
}: MailsOptions): Mails {
  return {
    verification: (to, link) =>
      beside(() => send(verificationLetter(sender, to, link))),
    reset: (to, link) => beside(() => send(resetLetter(sender, to, link))),
    existing: (to) => beside(() => send(existingLetter(sender, to, signInUrl))),
    notice(to, notice) {
      const { group, letter } = noticeLetter(sender, to, notice, clock());
      beside(async () => {
        const wait = await accounts.takeAttempt(
          { kind: "notice", of: `${group} ${to}` },
          NOTICE_LIMITS[group],
        );
        if (wait === 0) post.send(letter);
      });
    },
  };

  async function send(letter: Letter): Promise<void> {
    const wait = await accounts.takeAttempt(
      { kind: "mail", of: letter.to },
      MAIL_LIMIT,
    );
    if (wait === 0) post.send(letter);
  }

  function beside(work: () => Promise<void>): void {
    doBeside(work, onFault);
  }
}
