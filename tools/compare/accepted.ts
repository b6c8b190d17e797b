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

const WITHOUT_COUNTRY: Values = (before, after) =>
  before === after.replaceAll(" zip, country,", " zip,");
const WITHOUT_TYPES: Values = (before, after) =>
  before === after.replaceAll(/,"address_type":(?:"\w+"|null)/g, "");

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
    reason: "country is a new filter",
    of: ({ name, target }) =>
      /^country\b|: country /.test(name) || /[?&]country\b/.test(target),
  },
  {
    reason: "messages list the filter country",
    of: () => true,
    parts: {
      body: WITHOUT_COUNTRY,
      out: WITHOUT_COUNTRY,
      err: WITHOUT_COUNTRY,
    },
  },
  {
    reason: "addresses of details have their type",
    of: named(/^(?:\/(?:v1|explore)\/providers|command: export)\b/),
    parts: {
      "content-length": LENGTH,
      body: WITHOUT_TYPES,
      out: WITHOUT_TYPES,
    },
  },
  {
    reason: "compressed, addresses of details have their type",
    of: named(/^\/v1\/providers: encoding /),
    parts: { body: (before, after) => before.length < after.length },
  },
  {
    reason: "a file of format 3 has other entity tags",
    of: () => true,
    parts: { etag: TAG },
  },
  {
    reason: "texts are read by the registry's own words",
    of: named(
      /^\/(?:v1\/providers\/interpret|explore\/(?:interpret|alternatives|suggest)|portal\.json)\b/,
    ),
    parts: { "content-length": LENGTH, body: () => true },
  },
  {
    reason: "files of format 3 have other sizes",
    of: named(/^command: status\b/),
    parts: {
      out: (before, after) => withoutSizes(before) === withoutSizes(after),
    },
  },
  {
    reason: "requests with country were counted before",
    of: () => true,
    parts: {
      ratelimit: changes(
        /^ratelimit: "month";r=\d+/,
        /^ratelimit: "month";r=\d+/,
      ),
      "x-ratelimit-remaining": changes(/^x-/, /^x-/),
    },
  },
  {
    reason: "details_not_held is also about the order by name",
    of: named(/^\/docs\/errors:/),
    parts: { "content-length": LENGTH, body: () => true },
  },
  {
    reason: "the OpenAPI document has country and address_type",
    of: named(/^\/openapi\.json:/),
    parts: { "content-length": LENGTH, body: () => true },
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

/** The output of `status` without the disk that is used. */
function withoutSizes(output: string): string {
  return output.replaceAll(/^Disk: .*$/gm, "");
}
