import type { Accounts } from "../../accounts/accounts.ts";
import type { AttemptLimit } from "../../accounts/users/attempts.ts";
import {
  existingMail,
  resetMail,
  verificationMail,
  type Mail,
  type Sender,
} from "./templates.ts";
import { noticeMail, type Notice, type NoticeGroup } from "../notices.ts";
import type { MailTransport } from "./smtp.ts";

/**
 * How many mails of each kind one address gets, whoever asks for them. The window is no longer than the links work: while
 * strangers use up the mails for a new password, one that came works.
 */
const MAIL_LIMIT: AttemptLimit = { most: 5, windowMs: 3_600_000 };

/** How many notices one address gets of each group. They have counts of their own, lest what a stranger asks for uses them up. */
const NOTICE_LIMITS: Readonly<Record<NoticeGroup, AttemptLimit>> = {
  devices: { most: 5, windowMs: 3_600_000 },
  password: { most: 5, windowMs: 3_600_000 },
  two_factor: { most: 5, windowMs: 3_600_000 },
  keys: { most: 10, windowMs: 3_600_000 },
  ends: { most: 10, windowMs: 86_400_000 },
};

/** What is counted apart, so that no sign-up keeps anybody from a new password. */
type MailKind = "reset" | "sign-up";

/** The mails that people get. Each call returns at once: callers do not learn whether there is a mail, or what becomes of it. */
export interface Mailer {
  verification(to: string, link: string): void;
  reset(to: string, link: string, token: string): void;
  /** The same to an address that was signed up a second time before anybody confirmed it. */
  resetForSignUp(to: string, link: string, token: string): void;
  /** To a confirmed address that was signed up a second time. */
  existing(to: string): void;
  /** To the owner of an account, of what was just done to it. */
  notice(to: string, notice: Notice): void;
}

export interface MailerOptions {
  readonly transport: MailTransport;
  readonly accounts: Accounts;
  readonly sender: Sender;
  /** Where people sign in. */
  readonly signInUrl: string;
  readonly clock: () => number;
  /** Forgets the link for a new password that has a token. */
  readonly dropLink: (token: string) => Promise<void>;
  readonly onFault: (reason: string) => void;
}

/** Does work that no answer waits for, lest its time tells who is known. */
export function inBackground(
  work: () => Promise<void>,
  onFault: (reason: string) => void,
): void {
  work().catch((error: unknown) => {
    onFault(error instanceof Error ? error.name : "unknown");
  });
}

export function createMailer({
  accounts,
  clock,
  dropLink,
  onFault,
  transport,
  sender,
  signInUrl,
}: MailerOptions): Mailer {
  return {
    verification: (to, link) =>
      background(async () => {
        await send("sign-up", verificationMail(sender, to, link));
      }),
    reset: (...mail) => background(() => sendReset("reset", ...mail)),
    resetForSignUp: (...mail) =>
      background(() => sendReset("sign-up", ...mail)),
    existing: (to) =>
      background(async () => {
        await send("sign-up", existingMail(sender, to, signInUrl));
      }),
    notice(to, notice) {
      const { group, mail } = noticeMail(sender, to, notice, clock());
      background(async () => {
        const wait = await accounts.attempts.take(
          { kind: "notice", of: `${group} ${to}` },
          NOTICE_LIMITS[group],
        );
        if (wait === 0) transport.send(mail);
      });
    },
  };

  /** A link that is not mailed is none: so many at most are kept for an address. */
  async function sendReset(
    kind: MailKind,
    to: string,
    link: string,
    token: string,
  ): Promise<void> {
    const isSent = await send(kind, resetMail(sender, to, link));
    if (!isSent) await dropLink(token);
  }

  /** Sends a mail if its address may still get one. */
  async function send(kind: MailKind, mail: Mail): Promise<boolean> {
    const wait = await accounts.attempts.take(
      { kind: "mail", of: `${kind} ${mail.to}` },
      MAIL_LIMIT,
    );
    if (wait === 0) transport.send(mail);
    return wait === 0;
  }

  function background(work: () => Promise<void>): void {
    inBackground(work, onFault);
  }
}
