/** A mail, ready to be sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  readonly html: string;
  /** Where it leads, for those who read it in a terminal instead. */
  readonly link: string;
}

/** Which installation writes. */
export interface Sender {
  /** What the service is called. */
  readonly name: string;
  /** Where people reach it, without a trailing slash. */
  readonly url: string;
}

/** What a mail says. Every text is plain; paragraphs hold no addresses of pages. */
export interface MailContent {
  /** Its heading, and its subject with the name of the service after it. */
  readonly subject: string;
  /** Paragraphs above the button. */
  readonly before: readonly string[];
  /** What to do now, in a few words, and the address at which it is done. */
  readonly button: { readonly text: string; readonly link: string };
  /** Paragraphs below the button. */
  readonly after: readonly string[];
}

/** Asks somebody who signed up to prove that the address is theirs. */
export function verificationMail(
  sender: Sender,
  to: string,
  link: string,
): Mail {
  return renderMail(sender, to, {
    subject: "Confirm your email address",
    before: [
      `Someone signed up for ${sender.name} with this address. If it was you, confirm the address.`,
    ],
    button: { text: "Confirm address", link },
    after: [
      "The link works for one hour. If this wasn't you, ignore this email; the address won't be used.",
    ],
  });
}

/** Lets somebody choose a new password. */
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

/** Tells somebody who signs up a second time that there is no need to. */
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

/** Writes a mail as all mails of an installation look: its name, a heading, a button, and the same as plain text. */
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

/** Colours are the reader's own, light or dark, but for the button's. A long link breaks anywhere, so that no line is wider than the page. */
function htmlOf(
  { name, url }: Sender,
  { after, before, button, subject }: MailContent,
): string {
  const link = escape(button.link);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 24px;font-weight:600">${escape(name)}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${escape(subject)}</h1>
${paragraphs(before)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td bgcolor="#0b5cad" style="border-radius:6px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#0b5cad;color:#ffffff;font-weight:600;text-decoration:none">${escape(button.text)}</a></td></tr></table>
${paragraphs(after)}
<p style="margin:0 0 16px;font-size:14px">If the button doesn't work, open this link:<br><a href="${link}" style="word-break:break-all">${link}</a></p>
<p style="margin:24px 0 0;font-size:14px">${escape(name)}<br><a href="${escape(url)}">${escape(url)}</a></p>
</div>
</body>
</html>
`;
}

function paragraphs(texts: readonly string[]): string {
  return texts
    .map((text) => `<p style="margin:0 0 16px">${escape(text)}</p>`)
    .join("\n");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
