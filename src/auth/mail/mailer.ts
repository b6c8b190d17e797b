import type { Accounts } from "../../accounts/accounts.ts";
import type { AttemptLimit } from "../../accounts/users/attempts.ts";
import {
  existingMail,
  newAddressMail,
  resetMail,
  takenAddressMail,
  verificationMail,
  type Mail,
  type Sender,
} from "./templates.ts";
import { noticeMail, type Notice, type NoticeGroup } from "../notices.ts";
import type { MailTransport } from "./smtp.ts";

/**
 * Mails of each kind to one address, regardless of who requested them. The window is no longer than links are valid, so
 * even when strangers use up the mails for a new password, one that arrived still works.
 */
const MAIL_LIMIT: AttemptLimit = { most: 5, windowMs: 3_600_000 };

/** Notices of each group to one address. They have separate counts, which strangers cannot use up. */
const NOTICE_LIMITS: Readonly<Record<NoticeGroup, AttemptLimit>> = {
  devices: { most: 5, windowMs: 3_600_000 },
  address_requests: { most: 5, windowMs: 3_600_000 },
  addresses: { most: 5, windowMs: 3_600_000 },
  password: { most: 5, windowMs: 3_600_000 },
  two_factor: { most: 5, windowMs: 3_600_000 },
  keys: { most: 10, windowMs: 3_600_000 },
  ends: { most: 10, windowMs: 86_400_000 },
};

/** Counted separately, so that sign-ups cannot use up mails for a new password. */
type MailKind = "reset" | "sign-up";

/** Mails to users. Each call returns at once, so callers cannot learn whether a mail is sent. */
export interface Mailer {
  verification(to: string, link: string): void;
  reset(to: string, link: string, token: string): void;
  /** Mails a reset link to an unconfirmed address that was signed up again. */
  resetForSignUp(to: string, link: string, token: string): void;
  /** Mails to a confirmed address that was signed up again. */
  existing(to: string): void;
  /** Mails a link that gives an account this address; if another account has it, only says so. */
  newAddress(to: string, link: string, isTaken: boolean): void;
  /** Mails to an account's owner, about what was just done to it. */
  notice(to: string, notice: Notice): void;
}

export interface MailerOptions {
  readonly transport: MailTransport;
  readonly accounts: Accounts;
  readonly sender: Sender;
  /** The sign-in page. */
  readonly signInUrl: string;
  readonly clock: () => number;
  /** Deletes the reset link of a token. */
  readonly dropLink: (token: string) => Promise<void>;
  readonly onFault: (reason: string) => void;
}

/** Does work that no answer waits for, so response times don't reveal which addresses are known. */
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
    newAddress: (to, link, isTaken) =>
      background(async () => {
        const mail = isTaken
          ? takenAddressMail(sender, to, signInUrl)
          : newAddressMail(sender, to, link);
        await send("sign-up", mail);
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

  /** Deletes a link that was not mailed, so the number of links per address is bounded. */
  async function sendReset(
    kind: MailKind,
    to: string,
    link: string,
    token: string,
  ): Promise<void> {
    const isSent = await send(kind, resetMail(sender, to, link));
    if (!isSent) await dropLink(token);
  }

  /** Sends a mail if its address has any left. */
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
