import { publicPath } from "../../../text/public-path.ts";
import { readLinkToken } from "../../../text/link-token.ts";
import {
  CONFIRMATION_HEADERS,
  confirmationPage,
  type Confirmation,
} from "../../pages/confirmation-page.ts";
import { content, type Handler } from "../../call.ts";
import type { RouteContext } from "../route.ts";

/** The page of the link in a sign-up's mail, for installations without the portal's pages. */
export function plainConfirmation({
  deps: { auth, now, settings },
}: RouteContext): Handler | null {
  if (auth === null) return null;
  const headers = Object.entries(CONFIRMATION_HEADERS).flat();
  return (call) => {
    const url = auth.url();
    const { searchParams } = new URL(call.url, url);
    const page = confirmationPage({
      service: settings.signUp?.name ?? new URL(url).host,
      link: linkOf(searchParams.get("token") ?? "", now()),
      next: ownUrl(searchParams.get("callbackURL") ?? "/", url),
    });
    return content(page, "text/html; charset=utf-8", headers);
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
