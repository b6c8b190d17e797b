/** A mail in our words. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  readonly html: string;
  /** Where it leads, for whoever reads it in a terminal instead. */
  readonly link: string;
}

/** Asks somebody who signed up to prove that the address is theirs. */
export function verificationLetter(to: string, link: string): Letter {
  return letter(to, "Confirm your e-mail address", link, [
    "Somebody signed up to the provider directory with this address. If it was you, confirm it:",
    "The link works for one hour. If it was not you, leave it alone: without it the address is not used.",
  ]);
}

/** Lets somebody choose a new password. */
export function resetLetter(to: string, link: string): Letter {
  return letter(to, "Choose a new password", link, [
    "Somebody asked for a new password for your account at the provider directory. If it was you, choose one:",
    "The link works once, for one hour. If it was not you, nothing has changed and you need not do anything.",
  ]);
}

/** Tells somebody who signs up a second time that there is no need to. */
export function existingLetter(to: string, link: string): Letter {
  return letter(to, "You have an account already", link, [
    "Somebody signed up to the provider directory with this address, which has an account already. To sign in, go to:",
    "If you do not know the password any more, ask for a new one there. If it was not you, nothing has changed and you need not do anything.",
  ]);
}

function letter(
  to: string,
  subject: string,
  link: string,
  [before, after]: readonly [string, string],
): Letter {
  return {
    to,
    subject,
    link,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: `<p>${escape(before)}</p><p><a href="${escape(link)}">${escape(link)}</a></p><p>${escape(after)}</p>`,
  };
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
