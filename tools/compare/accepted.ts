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
    reason: "the pages are other ones, and errors are on them",
    of: named(
      /^(?:path )?\/(?!v1\/|explore\/|account\/|api\/|openapi)|: as text\/html$/,
    ),
  },
  {
    reason: "paths are new",
    of: named(
      /^\/(?:explore\/(?:check|\w+\.xlsx)|account\/(?:email|keys\/:id\/rename))/,
    ),
  },
  {
    reason: "the map's response has facets",
    of: named(/^\/explore\/map\//),
    parts: {
      "content-length": LENGTH,
      body: (before, after) => {
        const { facets: _, ...rest } = JSON.parse(after);
        return JSON.stringify(rest) === before;
      },
    },
  },
  {
    reason: "a name that finds no one leads on, and everyday words find more",
    of: named(
      /^\/(?:explore\/(?:alternatives|interpret|suggest)|v1\/providers\/interpret)/,
    ),
    parts: { "content-length": LENGTH, etag: TAG, body: () => true },
  },
  {
    reason: "a download has a set of columns",
    of: named(/^\/explore\/(?:search|nearby)\.\w+:/),
    parts: {
      "content-length": LENGTH,
      body: (before, after) => after.replaceAll(", column_set", "") === before,
    },
  },
  {
    reason: "a key says which one replaced it, and the log has words",
    of: named(/^account: /),
    parts: { "content-length": LENGTH, body: () => true },
  },
  {
    reason: "the help names the command as it was typed",
    of: named(/^command: /),
    parts: { out: (before) => before.startsWith("Usage: ") },
  },
  {
    reason: "the reference describes everyday words, and what is new",
    of: named(/^\/(?:openapi\.json|docs\/errors):/),
    parts: { "content-length": LENGTH, etag: TAG, body: () => true },
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
