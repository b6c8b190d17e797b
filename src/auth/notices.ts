import { letter, type Letter, type Sender } from "./mail/templates.ts";

/** Something that was done to an account, of which its owner is told. Keys are as lists show them. */
export type Notice =
  | {
      readonly of:
        | "new_device"
        | "password_changed"
        | "password_reset"
        | "two_factor_enabled"
        | "two_factor_disabled"
        | "recovery_codes_made"
        | "recovery_code_used";
    }
  | { readonly of: "key_created" | "key_revoked"; readonly key: string }
  | {
      readonly of: "key_rotated";
      readonly key: string;
      readonly successor: string;
    }
  | {
      readonly of: "key_ends";
      readonly key: string;
      /** Epoch milliseconds. */
      readonly endsAt: number;
    };

/** What is counted apart, so that a flood of one kind of notices keeps no other from its reader. */
export type NoticeGroup =
  "devices" | "password" | "two_factor" | "keys" | "ends";

const KEYS_PAGE = "/settings";
const SECURITY_PAGE = "/settings/security";

const TAKE_BACK =
  "If it was not you, someone else is in your account: choose a new password by “Forgot your password?” on the sign-in page, which ends all sessions, and revoke the API keys that you do not know.";

interface Words {
  readonly group: NoticeGroup;
  readonly subject: string;
  readonly what: string;
  readonly after: string;
  readonly button: string;
  readonly page: string;
}

/** The mail of a notice. `at` is when it happened, in epoch milliseconds. */
export function noticeLetter(
  sender: Sender,
  to: string,
  notice: Notice,
  at: number,
): { readonly letter: Letter; readonly group: NoticeGroup } {
  const { after, button, group, page, subject, what } = wordsOf(notice);
  const when =
    notice.of === "key_ends" ? "" : ` It happened on ${dayAndTime(at)}.`;
  return {
    group,
    letter: letter(sender, to, {
      subject,
      before: [`${what}${when}`],
      button: { text: button, link: `${sender.url}${page}` },
      after: [after],
    }),
  };
}

function wordsOf(notice: Notice): Words {
  switch (notice.of) {
    case "new_device":
      return {
        ...PASSWORD,
        group: "devices",
        subject: "A sign-in from a new device",
        what: "Someone signed in to your account with a browser that did not sign in before.",
      };
    case "password_changed":
      return {
        ...PASSWORD,
        subject: "Your password was changed",
        what: "The password of your account was changed by someone who is signed in and knows the old one.",
      };
    case "password_reset":
      return {
        ...PASSWORD,
        subject: "You have a new password",
        what: "A new password was chosen for your account by a link that was mailed to this address. All sessions have ended.",
        after:
          "If it was not you, someone else can read your mail: secure your mailbox first, then choose a new password by “Forgot your password?” on the sign-in page, and revoke the API keys that you do not know.",
      };
    case "two_factor_enabled":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "Two-factor authentication is on",
        what: "Two-factor authentication was switched on for your account. From now on a sign-in needs a code of your authenticator app, or a recovery code.",
      };
    case "two_factor_disabled":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "Two-factor authentication is off",
        what: "Two-factor authentication was switched off for your account by someone who is signed in and knows the password.",
      };
    case "recovery_codes_made":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "New recovery codes",
        what: "New recovery codes were made for your account. The old ones do not work any more.",
      };
    case "recovery_code_used":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "A recovery code was used",
        what: "Someone signed in to your account with a recovery code. That code does not work any more.",
      };
    case "key_created":
      return {
        ...KEYS,
        subject: "A new API key",
        what: `The API key ${notice.key} was made in your account.`,
      };
    case "key_rotated":
      return {
        ...KEYS,
        subject: "An API key was rotated",
        what: `The API key ${notice.successor} was made in your account in the place of ${notice.key}.`,
      };
    case "key_revoked":
      return {
        ...KEYS,
        subject: "An API key was revoked",
        what: `The API key ${notice.key} of your account was revoked, and is refused from now on.`,
      };
    default:
      return {
        ...KEYS,
        group: "ends",
        subject: "An API key ends soon",
        what: `The API key ${notice.key} of your account ends on ${dayAndTime(notice.endsAt)}. From then on requests with it are refused.`,
        after:
          "If you still need it, rotate it before: the new key lasts as long as this one did, and both work while you put it in place.",
      };
  }
}

const PASSWORD = {
  group: "password",
  after: TAKE_BACK,
  button: "Review security",
  page: SECURITY_PAGE,
} as const;

const KEYS = {
  group: "keys",
  after: TAKE_BACK,
  button: "See your keys",
  page: KEYS_PAGE,
} as const;

const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

function dayAndTime(epochMs: number): string {
  return `${TIME.format(new Date(epochMs))} UTC`;
}
