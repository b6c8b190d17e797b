/** The work that better-auth leaves to its callers. */
import type { AuthContext } from "better-auth";
import { createEmailVerificationToken } from "better-auth/api";
import { CHANGE_REQUEST } from "../../text/link-token.ts";
import { LINK_SECONDS } from "../auth.ts";
import { MAX_SESSION_MS } from "../../accounts/users/purge-expired-users.ts";

/** Never logged: addresses, URLs, and anything as long as a token. */
const ADDRESS = /[^\s"'<>]+@[^\s"'<>]+/g;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const TOKEN = /[A-Za-z0-9_.+/=%-]{20,}/g;

/** A message of the library about a refused target or origin: what follows the colon quotes the client. */
const REFUSED = /^(Invalid [A-Za-z]+): .*$/s;

/** Makes a message of the library safe to log. */
export function redact(text: string): string {
  return text
    .replace(REFUSED, "$1")
    .replace(URL_TEXT, "[url]")
    .replace(ADDRESS, "[address]")
    .replace(TOKEN, "[...]");
}

/**
 * Signs a link that is never sent. Signing queues in the runtime's thread pool behind password hashing. Without this,
 * answers that send no mail would return sooner, by seconds under load.
 */
export async function signDummyLink(secret: string): Promise<void> {
  await createEmailVerificationToken(secret, "unused@localhost");
}

/** Signs the token of a link that gives an account another address; `change` is its secret. */
export function signAddressLink(
  secret: string,
  email: string,
  change: string,
): Promise<string> {
  return createEmailVerificationToken(secret, email, undefined, LINK_SECONDS, {
    requestType: CHANGE_REQUEST,
    change,
  });
}

/**
 * Ends each session 180 days after its start, however much it is used; the library only has an idle limit. A session
 * that is too old is deleted when it is read.
 */
export function endOldSessions({
  internalAdapter,
}: Pick<AuthContext, "internalAdapter">): void {
  const findSession = internalAdapter.findSession.bind(internalAdapter);
  internalAdapter.findSession = async (token) => {
    const found = await findSession(token);
    if (found === null) return null;
    const began = new Date(found.session.createdAt).getTime();
    // The library's clock, which also wrote `createdAt`.
    if (Date.now() < began + MAX_SESSION_MS) return found;
    await internalAdapter.deleteSession(token);
    return null;
  };
}
