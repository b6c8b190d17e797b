/**
 * Differences that are meant, each with its reason. Empty this list when the older program is no longer compared with.
 */
import type { Difference } from "./differences.ts";

interface Accepted {
  readonly reason: string;
  /** True for requests that may differ. */
  readonly of: (difference: Difference) => boolean;
  /** By the part that may differ: true for the values that are meant. Without it, every part may differ. */
  readonly parts?: Readonly<Record<string, Values>>;
}

type Values = (before: string, after: string) => boolean;

const LENGTH = changes(/^content-length: \d+$/, /^content-length: \d+$/);
const TAG = changes(/^etag: W\/"[\w-]{16}"$/, /^etag: W\/"[\w-]{16}"$/);

const ACCEPTED: readonly Accepted[] = [
  {
    reason: "built files of the portal have other names",
    of: named(/^(?:path )?\/(?!v1\/|explore\/|api\/|openapi)/),
    parts: {
      etag: TAG,
      body: (before, after) =>
        before.includes("</html>") &&
        withoutFiles(before) === withoutFiles(after),
    },
  },
  {
    reason: "the OpenAPI document describes what is prepaid and current",
    of: named(/^\/openapi\.json:/),
    parts: {
      "content-length": LENGTH,
      body: (before, after) => pathsOf(before) === pathsOf(after),
    },
  },
  {
    reason: "the explorer has one limit for all requests of a network",
    of: named(/^(?:account: GET )?\/explore\//),
    parts: {
      "ratelimit-policy": changes(
        /^ratelimit-policy: "burst";q=(?:60000|120000);w=3$/,
        /^ratelimit-policy: "burst";q=30000;w=3$/,
      ),
      ratelimit: changes(
        /^ratelimit: "burst";r=-?\d+/,
        /^ratelimit: "burst";r=-?\d+/,
      ),
    },
  },
  {
    reason: "explorer pages count against no month",
    of: named(/^(?:\/portal\.json|account: GET \/account)\b/),
    parts: {
      "content-length": LENGTH,
      etag: TAG,
      body: (before, after) => withoutExplorerMonth(before) === after,
    },
  },
  {
    reason: "the page of errors has no limit of the explorer's month",
    of: named(/^\/docs\/errors: /),
    parts: {
      "content-length": LENGTH,
      body: (before, after) =>
        before.includes("explorer_limit_reached") &&
        !after.includes("explorer_limit_reached"),
    },
  },
  {
    reason: "help says what holds of keys, quotas, and DATABASE_URL",
    of: named(/^command: /),
    parts: {
      out: changes(
        /explorerPages|Several\s+hosts|five\s+seconds|known\s+keys|leased/,
        /^(?![^]*(?:explorerPages|Several\s+hosts|leased))/,
      ),
    },
  },
];

/** Why a difference is meant; null if it isn't. */
export function reasonOf(difference: Difference): string | null {
  const { new: after, old, part } = difference;
  const found = ACCEPTED.find(
    ({ of, parts }) =>
      of(difference) && (parts === undefined || parts[part]?.(old, after)),
  );
  return found?.reason ?? null;
}

function named(pattern: RegExp): (difference: Difference) => boolean {
  return ({ name }) => pattern.test(name);
}

function changes(from: RegExp, to: RegExp): Values {
  return (before, after) => from.test(before) && to.test(after);
}

/** A page without the elements that load built files, whose order counts on their names. */
function withoutFiles(page: string): string {
  return page.replaceAll(
    /<(?:link|script)[^>]* (?:href|src)="[^"]*\/assets\/[^"]*"[^>]*>\s*/g,
    "",
  );
}

/** A text without what said how many explorer pages count against a month. */
function withoutExplorerMonth(text: string): string {
  return text.replaceAll(/"explorer":null,|"explorer_pages":\d+,/g, "");
}

/** The paths of an OpenAPI document. */
function pathsOf(document: string): string {
  const { paths }: { paths: object } = JSON.parse(document);
  return Object.keys(paths).join();
}
