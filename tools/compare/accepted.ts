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
    reason: "the snapshot of a small registry has fewer buckets of NPIs",
    of: () => true,
    parts: { etag: TAG },
  },
  {
    reason: "built files of the portal have other names",
    of: named(/^(?:path )?\/(?!v1\/|explore\/|api\/|openapi)/),
    parts: {
      "content-length": LENGTH,
      body: (before, after) =>
        before.includes("</html>") &&
        withoutFiles(before) === withoutFiles(after),
    },
  },
  {
    reason: "the reference has the facts that the guide had, as responses",
    of: named(/^\/(?:openapi\.json|docs\/errors):/),
    parts: { "content-length": LENGTH, body: () => true },
  },
  {
    reason: "the help says rate limit and prepaid requests",
    of: named(/^command: (?:serve|start)\b/),
    parts: { out: (before) => before.includes("--quota-when-away") },
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
