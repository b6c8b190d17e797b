import { renderMail, type Mail, type Sender } from "./mail/templates.ts";

/** An event of an account, for a mail to its owner. Keys are shown as in lists. */
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
  | {
      readonly of: "address_requested" | "address_changed";
      /** The new address. */
      readonly address: string;
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

/** Notices that are counted together, so that a flood in one group suppresses no other group. */
export type NoticeGroup =
  | "devices"
  | "address_requests"
  | "addresses"
  | "password"
  | "two_factor"
  | "keys"
  | "ends";

const KEYS_PAGE = "/settings";
const SECURITY_PAGE = "/settings/security";

const TAKE_BACK =
  "If this wasn't you, someone else can use your account. Reset your password with “Forgot your password?” on the sign-in page, which ends all sessions. Then revoke any API keys you don't recognize.";

interface Words {
  readonly group: NoticeGroup;
  readonly subject: string;
  readonly what: string;
  readonly after: string;
  readonly button: string;
  readonly page: string;
}

/** Writes the mail for a notice. `at` is when it happened, in epoch milliseconds. */
export function noticeMail(
  sender: Sender,
  to: string,
  notice: Notice,
  at: number,
): { readonly mail: Mail; readonly group: NoticeGroup } {
  const { after, button, group, page, subject, what } = wordsOf(notice);
  const when =
    notice.of === "key_ends" ? "" : ` This happened on ${dayAndTime(at)}.`;
  return {
    group,
    mail: renderMail(sender, to, {
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
        subject: "Sign-in from a new device",
        what: "Someone signed in to your account from a new device or browser.",
      };
    case "address_requested":
      return {
        ...PASSWORD,
        group: "address_requests",
        subject: "Your email address is about to change",
        what: `Someone who is signed in to your account wants its email address to be ${notice.address}. It changes when the link that was sent there is used, within an hour.`,
      };
    case "address_changed":
      return {
        ...PASSWORD,
        group: "addresses",
        subject: "Your email address was changed",
        what: `The email address of your account is now ${notice.address}. This one no longer belongs to it.`,
        after:
          "If this wasn't you, someone else uses your account. Contact the operator of this service.",
      };
    case "password_changed":
      return {
        ...PASSWORD,
        subject: "Your password was changed",
        what: "Your password was changed by someone who was signed in and knew the old one.",
      };
    case "password_reset":
      return {
        ...PASSWORD,
        subject: "Your password was reset",
        what: "A new password was set for your account with a link sent to this address. All sessions have ended.",
        after:
          "If this wasn't you, someone else can read your email. Secure your mailbox first. Then reset your password with “Forgot your password?” on the sign-in page, and revoke any API keys you don't recognize.",
      };
    case "two_factor_enabled":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "Two-factor authentication is on",
        what: "Two-factor authentication was turned on for your account. Signing in now takes a code from your authenticator app, or a recovery code.",
      };
    case "two_factor_disabled":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "Two-factor authentication is off",
        what: "Two-factor authentication was turned off by someone who was signed in and knew your password.",
      };
    case "recovery_codes_made":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "New recovery codes",
        what: "New recovery codes were created for your account. The old ones no longer work.",
      };
    case "recovery_code_used":
      return {
        ...PASSWORD,
        group: "two_factor",
        subject: "A recovery code was used",
        what: "Someone signed in to your account with a recovery code. That code no longer works.",
      };
    case "key_created":
      return {
        ...KEYS,
        subject: "An API key was created",
        what: `The API key ${notice.key} was created in your account.`,
      };
    case "key_rotated":
      return {
        ...KEYS,
        subject: "An API key was rotated",
        what: `The API key ${notice.key} in your account was replaced by ${notice.successor}.`,
      };
    case "key_revoked":
      return {
        ...KEYS,
        subject: "An API key was revoked",
        what: `The API key ${notice.key} in your account was revoked. Requests with it are now refused.`,
      };
    default:
      return {
        ...KEYS,
        group: "ends",
        subject: "An API key expires soon",
        what: `The API key ${notice.key} in your account expires on ${dayAndTime(notice.endsAt)}. After that, requests with it are refused.`,
        after:
          "If you still need it, rotate it before then. The new key gets the same lifetime, and the old one keeps working while you switch.",
      };
  }
}

const PASSWORD = {
  group: "password",
  after: TAKE_BACK,
  button: "Review security settings",
  page: SECURITY_PAGE,
} as const;

const KEYS = {
  group: "keys",
  after: TAKE_BACK,
  button: "View your keys",
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
