import {
  PAGE_PATHS,
  matchPage,
  type PageName,
} from "../../../site/page-paths.ts";

const ORIGIN = "https://portal.invalid";

/** The service refuses longer targets of links in emails. */
const MAX_TARGET_LENGTH = 2_048;

/** Pages that are of no use to a signed-in user. */
const AUTH_PAGES: ReadonlySet<PageName> = new Set([
  "sign-in",
  "sign-up",
  "forgot-password",
  "reset-password",
  "confirm-email",
]);

/** Returns the path to go to after sign-in: the wanted page if it is one of the portal's, otherwise the API keys. */
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

/** Does the same for a link in an email, where it can't be too long. */
export function mailedPath(wanted: string | null): string {
  const path = nextPath(wanted);
  return path.length > MAX_TARGET_LENGTH ? nextPath(null) : path;
}

/** Adds to a path a query of the values that aren't null. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | null>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
