import type { AuthContext } from "better-auth";
import { LONGEST_SESSION_MS } from "../accounts/users/purge-expired-users.ts";

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
