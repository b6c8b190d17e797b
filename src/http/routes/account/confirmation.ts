import type { RouteHandlerMethod } from "fastify";
import { readLinkToken } from "../../../text/link-token.ts";
import {
  CONFIRMATION_HEADERS,
  confirmationPage,
} from "../../pages/confirmation-page.ts";
import type { RouteContext } from "../route.ts";

/** The page of the link in a sign-up's mail, for installations without the portal's pages. */
export function plainConfirmation({
  deps: { auth, settings },
}: RouteContext): RouteHandlerMethod | null {
  if (auth === null) return null;
  return (request, reply) => {
    const url = auth.url();
    const { searchParams } = new URL(request.url, url);
    const page = confirmationPage({
      service: settings.signUp?.name ?? new URL(url).host,
      email: readLinkToken(searchParams.get("token") ?? "")?.email ?? null,
      next: ownUrl(searchParams.get("callbackURL") ?? "/", url),
    });
    return reply
      .headers(CONFIRMATION_HEADERS)
      .type("text/html; charset=utf-8")
      .send(page);
  };
}

/** The URL of a path of the service; null for another site, and for `/`, to which links lead by default. */
function ownUrl(path: string, base: string): string | null {
  const url = URL.parse(path, base);
  return path === "/" || url?.origin !== new URL(base).origin ? null : url.href;
}
