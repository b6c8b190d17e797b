import { guidePage } from "./guide-pages.ts";

/** The paths of the portal's pages, for server and browser. `:name` is one segment of a path. */
export const PAGE_PATHS = {
  explorer: "/",
  provider: "/npi/:npi",
  check: "/check",
  "sign-in": "/sign-in",
  "sign-up": "/sign-up",
  "forgot-password": "/forgot-password",
  "reset-password": "/reset-password",
  "confirm-email": "/confirm-email",
  settings: "/settings",
  usage: "/settings/usage",
  plan: "/settings/plan",
  security: "/settings/security",
  guide: "/guide",
  "guide-page": "/guide/:page",
  reference: "/reference",
} as const;

export type PageName = keyof typeof PAGE_PATHS;

/** A page and the values of its path's parameters. */
export interface PageMatch {
  readonly page: PageName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the page at a path, or null. */
export function matchPage(path: string): PageMatch | null {
  for (const page of PAGE_NAMES) {
    const parameters = match(PAGE_PATHS[page], path);
    if (parameters === null) continue;
    const isThere =
      page !== "guide-page" || guidePage(parameters["page"] ?? "");
    return isThere ? { page, parameters } : null;
  }
  return null;
}

export const PAGE_NAMES = Object.keys(PAGE_PATHS).filter(
  (name): name is PageName => Object.hasOwn(PAGE_PATHS, name),
);

function match(pattern: string, path: string): Record<string, string> | null {
  const parts = path.split("/");
  const expected = pattern.split("/");
  if (parts.length !== expected.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const given = parts[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== given) return null;
    } else {
      const value = decode(given);
      if (value === null || value === "") return null;
      parameters[part.slice(1)] = value;
    }
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
