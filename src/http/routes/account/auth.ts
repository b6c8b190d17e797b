import type { FastifyReply } from "fastify";
import { AUTH_PATH, CLIENT_ADDRESS_HEADER } from "../../../auth/paths.ts";
import { notFound } from "../../pipeline/failure.ts";
import {
  accountsUnreachable,
  isAccountsDatabaseDown,
} from "../../access/failures.ts";
import type { Route } from "../route.ts";
import { networkAddressOf } from "../../access/client-address.ts";
import { headersOf } from "../../pipeline/headers.ts";

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
  handler({ deps, refuse }) {
    const { auth } = deps;
    if (auth === null) return null;
    return async (request, reply) => {
      const headers = headersOf(request);
      headers.delete("content-length");
      headers.delete("x-forwarded-host");
      headers.delete("x-forwarded-proto");
      headers.set(CLIENT_ADDRESS_HEADER, networkAddressOf(request.ip));
      const browser = headers.get("user-agent")?.slice(0, MAX_BROWSER_LENGTH);
      if (browser !== undefined) headers.set("user-agent", browser);
      // A request without an origin had a header that other sites' pages cannot send.
      if (!headers.has("origin")) {
        headers.delete("referer");
        headers.set("origin", new URL(auth.url()).origin);
      }
      const body = typeof request.body === "string" ? request.body : undefined;
      // The target can be an absolute URL; only its path counts.
      const { pathname, search } = new URL(request.url, auth.url());
      try {
        const response = await (
          await auth.open()
        ).answer(
          new Request(`${auth.url()}${pathname}${search}`, {
            method: request.method,
            headers,
            ...(body === undefined ? {} : { body }),
          }),
        );
        if (
          response.status >= 500 &&
          (await isAccountsDatabaseDown(auth, null))
        )
          return refuse(request, reply, accountsUnreachable());
        return response.status === 404
          ? refuse(request, reply, notFound())
          : await passOn(response, reply);
      } catch (error) {
        if (await isAccountsDatabaseDown(auth, error))
          return refuse(request, reply, accountsUnreachable());
        throw error;
      }
    };
  },
};

async function passOn(
  response: Response,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie" && name !== "content-length")
      reply.header(name, value);
  });
  for (const cookie of response.headers.getSetCookie())
    reply.header("set-cookie", cookie);
  return reply.send(await response.text());
}
