import { escaped } from "../../text/lists.ts";

/** A mail, ready to send. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  readonly html: string;
  /** The button's link, shown when mails are printed in a terminal. */
  readonly link: string;
}

/** The installation that sends mails. */
export interface Sender {
  /** The name of the service. */
  readonly name: string;
  /** Its public URL, without a trailing slash. */
  readonly url: string;
}

/** The content of a mail, as plain text. Only the button contains a link. */
export interface MailContent {
  /** The heading, and the subject when followed by the service's name. */
  readonly subject: string;
  /** Paragraphs above the button. */
  readonly before: readonly string[];
  /** The action in a few words, and its URL. */
  readonly button: { readonly text: string; readonly link: string };
  /** Paragraphs below the button. */
  readonly after: readonly string[];
}

/** Asks a new user to confirm the address. */
export function verificationMail(
  sender: Sender,
  to: string,
  link: string,
): Mail {
  return renderMail(sender, to, {
    subject: "Confirm your email address",
    before: [
      `Someone signed up for ${sender.name} with this address. If it was you, confirm the address on the page that this link opens.`,
    ],
    button: { text: "Confirm address", link },
    after: [
      "The link works once, within one hour. In the browser in which you signed up, it also signs you in.",
      "If this wasn't you, ignore this email; the address won't be used.",
    ],
  });
}

/** Asks a user to confirm that an account's new address can be reached. */
export function newAddressMail(sender: Sender, to: string, link: string): Mail {
  return renderMail(sender, to, {
    subject: "Confirm your new email address",
    before: [
      `Someone wants to use this address for their ${sender.name} account. If it was you, confirm the address on the page that this link opens.`,
    ],
    button: { text: "Confirm address", link },
    after: [
      "The link works once, within one hour. If this wasn't you, ignore this email; the address won't be used.",
    ],
  });
}

/** Says to the owner of an account that someone wants to use its address for another one. */
export function takenAddressMail(
  sender: Sender,
  to: string,
  link: string,
): Mail {
  return renderMail(sender, to, {
    subject: "You already have an account",
    before: [
      `Someone wants to use this address for another ${sender.name} account, but it already has one. If it was you, delete that account first, or choose another address.`,
    ],
    button: { text: "Sign in", link },
    after: ["If this wasn't you, ignore this email; nothing has changed."],
  });
}

/** Lets a user choose a new password. */
export function resetMail(sender: Sender, to: string, link: string): Mail {
  return renderMail(sender, to, {
    subject: "Choose a new password",
    before: [
      `Someone asked for a new password for your ${sender.name} account. If it was you, choose one now.`,
    ],
    button: { text: "Choose a password", link },
    after: [
      "The link works once, within one hour. If this wasn't you, ignore this email; your password hasn't changed.",
    ],
  });
}

/** Asks a user who signed up again to sign in instead. */
export function existingMail(sender: Sender, to: string, link: string): Mail {
  return renderMail(sender, to, {
    subject: "You already have an account",
    before: [
      `Someone signed up for ${sender.name} with this address, which already has an account. If it was you, sign in instead.`,
    ],
    button: { text: "Sign in", link },
    after: [
      "Forgot your password? Choose a new one from the sign-in page. If this wasn't you, ignore this email; nothing has changed.",
    ],
  });
}

/** Renders a mail in the common layout, as HTML and as plain text. */
export function renderMail(
  sender: Sender,
  to: string,
  content: MailContent,
): Mail {
  const { button, subject } = content;
  return {
    to,
    subject: `${subject} - ${sender.name}`,
    link: button.link,
    text: textOf(sender, content),
    html: htmlOf(sender, content),
  };
}

function textOf(
  { name, url }: Sender,
  { after, before, button, subject }: MailContent,
): string {
  return [
    subject,
    ...before,
    `${button.text}:\n${button.link}`,
    ...after,
    `-- \n${name}\n${url}\n`,
  ].join("\n\n");
}

/**
 * Colors are the reader's, light or dark, except for the button. Long links may break anywhere, so no line is wider
 * than the page.
 */
function htmlOf(
  { name, url }: Sender,
  { after, before, button, subject }: MailContent,
): string {
  const link = escaped(button.link);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 24px;font-weight:600">${escaped(name)}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${escaped(subject)}</h1>
${paragraphs(before)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td bgcolor="#0b5cad" style="border-radius:6px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#0b5cad;color:#ffffff;font-weight:600;text-decoration:none">${escaped(button.text)}</a></td></tr></table>
${paragraphs(after)}
<p style="margin:0 0 16px;font-size:14px">If the button doesn't work, open this link:<br><a href="${link}" style="word-break:break-all">${link}</a></p>
<p style="margin:24px 0 0;font-size:14px">${escaped(name)}<br><a href="${escaped(url)}">${escaped(url)}</a></p>
</div>
</body>
</html>
`;
}

function paragraphs(texts: readonly string[]): string {
  return texts
    .map((text) => `<p style="margin:0 0 16px">${escaped(text)}</p>`)
    .join("\n");
}
