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
const NO_DATA_LENGTH = changes(/^content-length: 2\d\d$/, /: \d+$/);
const TAG = changes(/^etag: W\/"[\w-]{16}"$/, /^etag: W\/"[\w-]{16}"$/);
const CALLERS_MONTH = changes(/\b9\d{7}\b/, /\b9\d{7}\b/);

const ACCEPTED: readonly Accepted[] = [
  {
    reason:
      "a bad parameter is reported before missing data, as on other routes",
    of: named(/^\/explore\//),
    parts: {
      status: changes(/^503$/, /^400$/),
      "retry-after": changes(/^retry-after: 5$/, /^$/),
      "content-length": NO_DATA_LENGTH,
      body: changes(/data_not_loaded/, /invalid_(?:parameter|location|npi)/),
    },
  },
  {
    reason: "an export lists the headers for scripts in one line, not two",
    of: ({ name, target }) =>
      target.startsWith("/v1/providers/export") ||
      name === "connection: half closed list",
    parts: {
      "access-control-expose-headers": (before, after) =>
        !after.includes("\n") && listed(before) === listed(after),
    },
  },
  {
    reason: "a wrong method is reported before a foreign origin",
    of: named(/^\/account\b/),
    parts: {
      status: changes(/^403$/, /^405$/),
      allow: changes(/^$/, /^allow: [A-Z, ]+$/),
      body: changes(/foreign_origin/, /method_not_allowed/),
    },
  },
  {
    reason: "Vary spells Accept-Encoding as everywhere else",
    of: named(/: encoding /),
    parts: {
      vary: changes(/^vary: accept-encoding$/, /^vary: Accept-Encoding$/),
    },
  },
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
    reason: "JSON Lines is a new format of exports",
    of: ({ target }) =>
      /^\/v1\/providers\/export\?(?:.*&)?format=jsonl\b/i.test(target) ||
      /^\/explore\/(?:search|nearby)\.jsonl\b/.test(target),
  },
  {
    reason: "messages list JSON Lines",
    of: named(/^\/v1\/providers\/export: format /),
    parts: {
      "content-length": LENGTH,
      body: (before, after) =>
        after.replaceAll("ndjson, jsonl or csv", "ndjson or csv") === before,
    },
  },
  {
    reason: "the OpenAPI document has JSON Lines",
    of: named(/^\/openapi\.json:/),
    parts: {
      "content-length": LENGTH,
      body: (before, after) => withoutExports(before) === withoutExports(after),
    },
  },
  {
    reason:
      "the OpenAPI document has snapshot_behind of taxonomies, and its schemas in another order",
    of: named(/^\/openapi\.json:/),
    parts: {
      "content-length": LENGTH,
      body: (before, after) => withoutBehind(before) === withoutBehind(after),
    },
  },
  {
    reason: "the help of `export` has JSON Lines",
    of: ({ target }) => target === "export --help",
    parts: { out: changes(/ndjson\|csv\|parquet/, /ndjson\|jsonl\|csv/) },
  },
  {
    reason: "exports as JSON Lines took from the month before",
    of: named(/^key bulk: |^\/v1\/providers\/:npi: plain$/),
    parts: { ratelimit: CALLERS_MONTH, "x-ratelimit-remaining": CALLERS_MONTH },
  },
  {
    reason: "downloads as JSON Lines took from the address's burst before",
    of: named(/^\/explore\/\w+\.csv: /),
    parts: {
      ratelimit: changes(
        /^ratelimit: "burst";r=299\d\d;t=1$/,
        /^ratelimit: "burst";r=\d+ less;t=1$/,
      ),
    },
  },
  {
    reason: "a 404 of the explorer says which snapshot it comes from",
    of: named(/^\/explore\/providers\/:npi: path$/),
    parts: { snapshot: changes(/^$/, /^snapshot: \w+$/) },
  },
  {
    reason: "a client that closes its side gets the last responses too",
    of: named(/^connection: half closed$/),
    parts: {
      responses: (before, after) => Number(before) < Number(after),
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
    of: named(/^(?:\/openapi\.json|\/portal\.json|account: GET \/account)\b/),
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
    reason: "plans have no explorer pages",
    of: named(/^command: /),
    parts: {
      out: changes(/optionally\s+explorerPages/, /^(?![^]*explorerPages)/),
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

/** The names that the lines of a header list, sorted. */
function listed(lines: string): string {
  return lines
    .split("\n")
    .flatMap((line) => line.slice(line.indexOf(":") + 1).split(","))
    .map((name) => name.trim())
    .sort()
    .join();
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
  return text.replaceAll(
    /"explorer_limit_reached",|"explorer":null,|"explorer_pages":\d+,/g,
    "",
  );
}

/** The document without the path of exports. */
function withoutExports(document: string): string {
  const { paths, ...rest }: { paths: Record<string, unknown> } =
    JSON.parse(document);
  return JSON.stringify({
    ...rest,
    paths: { ...paths, "/v1/providers/export": null },
  });
}

/** The document without the responses that routes share, and snapshot_behind in their names; its schemas by name. */
function withoutBehind(document: string): string {
  const {
    components: { responses: _, schemas, ...rest },
    ...others
  }: { components: { responses: unknown; schemas: object } } =
    JSON.parse(document);
  const byName = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify({ ...others, ...rest, schemas: byName });
  return text.replaceAll("-or-snapshot_behind", "");
}
