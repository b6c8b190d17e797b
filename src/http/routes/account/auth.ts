import { AUTH_PATH, CLIENT_ADDRESS_HEADER } from "../../../auth/auth.ts";
import type { Reply } from "../../call.ts";
import { notFound, Refusal } from "../../pipeline/failure.ts";
import { accountsUnreachable, withAccounts } from "../../access/failures.ts";
import type { Route } from "../route.ts";
import { networkAddressOf } from "../../access/client-address.ts";
import { headersOf, JSON_TYPE } from "../../pipeline/headers.ts";

/** The longest `User-Agent` stored with a session, in characters. */
const MAX_BROWSER_LENGTH = 512;

/**
 * `/auth/*`: sign-up, sign-in, sessions and passwords, answered by better-auth. It gets the client's address only from
 * us, and the service's URL from the configuration, never from `Host`.
 */
export const AUTH_ROUTE: Route = {
  method: ["GET", "HEAD", "POST"],
  path: `${AUTH_PATH}/*`,
  access: "session",
  counted: "auth",
  handler({ deps: { auth } }) {
    if (auth === null) return null;
    return async (call) => {
      const headers = headersOf(call);
      headers.delete("content-length");
      headers.delete("x-forwarded-host");
      headers.delete("x-forwarded-proto");
      headers.set(CLIENT_ADDRESS_HEADER, networkAddressOf(call.ip));
      const browser = headers.get("user-agent")?.slice(0, MAX_BROWSER_LENGTH);
      if (browser !== undefined) headers.set("user-agent", browser);
      // A request without an origin had a header that other sites' pages cannot send.
      if (!headers.has("origin")) {
        headers.delete("referer");
        headers.set("origin", new URL(auth.url()).origin);
      }
      const { body, method } = call;
      // The target can be an absolute URL; only its path counts.
      const { pathname, search } = new URL(call.url, auth.url());
      return withAccounts(auth, async (service) => {
        const response = await service.answer(
          new Request(`${auth.url()}${pathname}${search}`, {
            method,
            headers,
            ...(typeof body === "string" ? { body } : {}),
          }),
        );
        if (response.status >= 500 && !(await service.accounts.isReachable()))
          throw new Refusal(accountsUnreachable());
        if (response.status === 404) throw new Refusal(notFound());
        return passOn(response);
      });
    };
  },
};

async function passOn(response: Response): Promise<Reply> {
  const headers = [...response.headers].flatMap(([name, value]) =>
    name === "content-length"
      ? []
      : [name, value === "application/json" ? JSON_TYPE : value],
  );
  return { status: response.status, headers, body: await response.text() };
}
