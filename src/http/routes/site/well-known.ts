import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { prefixOf, publicPath } from "../../../text/public-path.ts";
import type { AppContext } from "../../app-context.ts";
import { content, redirect } from "../../call.ts";
import { TEXT_TYPE } from "../../pipeline/headers.ts";
import { hasPages, type Route } from "../route.ts";

const ICON = fileURLToPath(new URL("../../pages/favicon.ico", import.meta.url));
const ONE_DAY = ["cache-control", "public, max-age=86400"];
const SECURITY_TXT = "/.well-known/security.txt";
const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. The file is generated on each request, so it never expires. */
const EXPIRES_DAYS = 180;

/** `GET /.well-known/security.txt` (RFC 9116), if the operator configured a contact. */
export const SECURITY_CONTACTS_ROUTE: Route = {
  method: "GET",
  path: SECURITY_TXT,
  access: "public",
  counted: "documentation",
  handler: ({ deps }) =>
    deps.settings.securityContacts.length === 0
      ? null
      : () => content(securityText(deps), TEXT_TYPE, ONE_DAY),
};

/** `GET /.well-known/change-password` redirects password managers to the portal's page for passwords. */
export const CHANGE_PASSWORD_ROUTE: Route = {
  method: "GET",
  path: "/.well-known/change-password",
  access: "public",
  counted: "page",
  handler: ({ deps }) =>
    deps.auth === null || !hasPages(deps)
      ? null
      : () =>
          redirect(publicPath(deps.settings.publicUrl, PAGE_PATHS.security), [
            "cache-control",
            "no-cache",
          ]),
};

/** Paths for programs and accounts. Pages of providers and searches say themselves that they aren't to be listed. */
const NOT_FOR_CRAWLERS = ["/explore/", "/v1/", "/api/", "/auth/", "/settings"];

/** `GET /robots.txt`, for search engines. */
export const ROBOTS_ROUTE: Route = {
  method: "GET",
  path: "/robots.txt",
  access: "public",
  counted: "documentation",
  handler({ deps }) {
    if (!hasPages(deps)) return null;
    const lines = NOT_FOR_CRAWLERS.map(
      (path) => `Disallow: ${publicPath(deps.settings.publicUrl, path)}\n`,
    );
    const text = `User-agent: *\n${lines.join("")}`;
    return () => content(text, TEXT_TYPE, ONE_DAY);
  },
};

/** `GET /favicon.ico`, which browsers request by themselves, even for JSON. */
export const FAVICON_ROUTE: Route = {
  method: "GET",
  path: "/favicon.ico",
  access: "public",
  counted: "asset",
  handler() {
    const bytes = readFileSync(ICON);
    const headers = ["cross-origin-resource-policy", "same-origin"];
    return () => content(bytes, "image/x-icon", [...ONE_DAY, ...headers]);
  },
};

function securityText({
  now,
  settings: { publicUrl, securityContacts },
}: AppContext): string {
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const expires = new Date(today + EXPIRES_DAYS * DAY_MS).toISOString();
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    "Preferred-Languages: en",
  ];
  // With a path in the URL, the file would not be at its canonical place.
  if (publicUrl !== null && prefixOf(publicUrl) === "")
    lines.push(`Canonical: ${publicUrl}${SECURITY_TXT}`);
  return `${lines.join("\n")}\n`;
}
