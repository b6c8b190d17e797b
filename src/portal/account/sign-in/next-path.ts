import {
  PAGE_PATHS,
  matchPage,
  type PageName,
} from "../../../site/page-paths.ts";

const ORIGIN = "https://portal.invalid";

/** Pages that somebody who is signed in has no use for. */
const AUTH_PAGES: ReadonlySet<PageName> = new Set([
  "sign-in",
  "sign-up",
  "forgot-password",
  "reset-password",
  "email-confirmed",
]);

/** Where somebody goes after signing in: the page that was asked for if it is one of ours, else to the keys. */
export function nextPath(wanted: string | null): string {
  if (wanted?.startsWith("/") !== true || !URL.canParse(wanted, ORIGIN))
    return PAGE_PATHS.settings;
  const url = new URL(wanted, ORIGIN);
  if (url.origin !== ORIGIN) return PAGE_PATHS.settings;
  const place = matchPage(url.pathname);
  return place === null || AUTH_PAGES.has(place.page)
    ? PAGE_PATHS.settings
    : url.pathname + url.search + url.hash;
}

/** A path with a query of those values that are there. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | null>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
