import type { RouteHandlerMethod } from "fastify";
import { publicPath } from "../../../text/public-path.ts";
import { readLinkToken } from "../../../text/link-token.ts";
import {
  CONFIRMATION_HEADERS,
  confirmationPage,
  type Confirmation,
} from "../../pages/confirmation-page.ts";
import type { RouteContext } from "../route.ts";

/** The page of the link in a sign-up's mail, for installations without the portal's pages. */
export function plainConfirmation({
  deps: { auth, now, settings },
}: RouteContext): RouteHandlerMethod | null {
  if (auth === null) return null;
  return (request, reply) => {
    const url = auth.url();
    const { searchParams } = new URL(request.url, url);
    const page = confirmationPage({
      service: settings.signUp?.name ?? new URL(url).host,
      link: linkOf(searchParams.get("token") ?? "", now()),
      next: ownUrl(searchParams.get("callbackURL") ?? "/", url),
    });
    return reply
      .headers(CONFIRMATION_HEADERS)
      .type("text/html; charset=utf-8")
      .send(page);
  };
}

/** What a link is for, or why it can't work. */
function linkOf(token: string, nowMs: number): Confirmation["link"] {
  const link = readLinkToken(token);
  if (link === null) return "unknown";
  return link.expiresAt <= nowMs ? "expired" : link;
}

/** The URL of a target on the service; null for another site, and for `/`, to which links lead by default. */
function ownUrl(target: string, base: string): string | null {
  const isPath = /^\/(?!\/)/.test(target);
  const url = URL.parse(isPath ? publicPath(base, target) : target, base);
  return target === "/" || url?.origin !== new URL(base).origin
    ? null
    : url.href;
}
