/** What better-auth leaves to its user. */
import type { AuthContext } from "better-auth";
import { createEmailVerificationToken } from "better-auth/api";
import { LONGEST_SESSION_MS } from "../accounts/users/purge-expired-users.ts";

/** What never goes into a log line: addresses of people and of pages, and anything as long as a token. */
const ADDRESS = /[^\s"'<>]+@[^\s"'<>]+/g;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const TOKEN = /[A-Za-z0-9_.+/=%-]{20,}/g;

/** What the library says of a target or an origin that it refuses; the rest is the client's own words. */
const REFUSED = /^(Invalid [A-Za-z]+): .*$/s;

/** The library's words, fit for the log. */
export function redact(text: string): string {
  return text
    .replace(REFUSED, "$1")
    .replace(URL_TEXT, "[url]")
    .replace(ADDRESS, "[address]")
    .replace(TOKEN, "[...]");
}

/**
 * Signs a link that goes to no one. It waits in the runtime's pool behind the passwords that are just being hashed, as the
 * signing of a mail's link does: without it an answer without a mail would come sooner, by seconds while many ask.
 */
export async function signDummyLink(secret: string): Promise<void> {
  await createEmailVerificationToken(secret, "nobody@localhost");
}

/**
 * Ends each session 180 days after it began, however much it is used: the library knows only the end without use. A
 * session that is too old is removed when it is read, and read as none.
 */
export function endOldSessions({
  internalAdapter,
}: Pick<AuthContext, "internalAdapter">): void {
  const findSession = internalAdapter.findSession.bind(internalAdapter);
  internalAdapter.findSession = async (token) => {
    const found = await findSession(token);
    if (found === null) return null;
    const began = new Date(found.session.createdAt).getTime();
    // By the clock of the library, which wrote when the session began.
    if (Date.now() < began + LONGEST_SESSION_MS) return found;
    await internalAdapter.deleteSession(token);
    return null;
  };
}
