export type GuideAudience = "offices" | "developers" | "operators" | "deciders";

/** A page of the guide: the document `docs/NAME.md`. */
export interface GuidePage {
  readonly name: string;
  readonly title: string;
  /** One sentence about its content. */
  readonly about: string;
  /** The readers that the page is for. */
  readonly audience: GuideAudience;
  /** Sections that readers look for by name. */
  readonly sections?: readonly {
    readonly title: string;
    readonly id: string;
  }[];
}

/** The pages of the guide that an installation shows: all, or those for developers and offices, its users. */
export type GuideScope = "all" | "developers";

/** All pages, in the order in which they are listed. */
export const GUIDE_PAGES: readonly GuidePage[] = [
  {
    name: "searching",
    about:
      "What to type, what to do if nothing is found, and what a record confirms.",
    title: "How to search, and what a record means",
    audience: "offices",
    sections: [
      { title: "What a record confirms", id: "what-a-record-confirms" },
    ],
  },
  {
    name: "quick-start",
    about: "Get a key, make your first requests, and handle an error.",
    title: "Quick start",
    audience: "developers",
  },
  {
    name: "http-api",
    about:
      "How text matches, how results are ordered, pagination, quotas, caching, and how to use each path.",
    title: "HTTP API",
    audience: "developers",
    sections: [
      { title: "Text matching", id: "matching" },
      { title: "Order of results", id: "order" },
      { title: "Pagination", id: "pagination-and-totals" },
      { title: "Quotas and rate limits", id: "quotas-and-rate-limits" },
      { title: "Caching", id: "caching" },
      { title: "Response headers", id: "response-headers" },
    ],
  },
  {
    name: "clients",
    about: "Libraries for TypeScript and Python, and what to use elsewhere.",
    title: "Clients",
    audience: "developers",
  },
  {
    name: "sql",
    about: "All providers as Parquet tables, with recipes for databases.",
    title: "Files for SQL",
    audience: "developers",
    sections: [{ title: "A nightly copy", id: "a-nightly-copy" }],
  },
  {
    name: "npi-registry-api",
    about:
      "Point programs that call the registry’s own API to this service by changing their base URL.",
    title: "NPI Registry API",
    audience: "developers",
  },
  {
    name: "mcp",
    about: "Let Claude, VS Code, and other assistants search the registry.",
    title: "Assistants (MCP)",
    audience: "developers",
  },
  {
    name: "errors",
    about: "Every error code, when you get it, and what to do about it.",
    title: "Errors",
    audience: "developers",
  },
  {
    name: "changes",
    about: "How to keep a copy up to date, and how fresh the data is.",
    title: "What changed",
    audience: "developers",
    sections: [
      { title: "Following the list", id: "following-the-list" },
      {
        title: "Data freshness",
        id: "the-state-of-an-installation",
      },
    ],
  },
  {
    name: "keys-and-quotas",
    about: "Key rotation, quotas, usage, and managing your account over HTTP.",
    title: "Keys and quotas",
    audience: "developers",
    sections: [{ title: "Usage", id: "usage" }],
  },
  {
    name: "one-machine",
    about:
      "From a new machine to a served registry, and what memory and disk it needs.",
    title: "One machine in ten minutes",
    audience: "operators",
    sections: [{ title: "Requirements", id: "requirements" }],
  },
  {
    name: "operating",
    about: "Automatic updates, stopping, the log, and damaged data.",
    title: "Operating",
    audience: "operators",
    sections: [{ title: "Commands", id: "commands" }],
  },
  {
    name: "users-and-plans",
    about:
      "Accounts, sign-up, how quotas are kept, and outages of the database.",
    title: "Users and plans",
    audience: "operators",
  },
  {
    name: "metrics",
    about: "Prometheus, alerts, and OpenTelemetry.",
    title: "Metrics",
    audience: "operators",
  },
  {
    name: "files",
    about:
      "Search, export, or check a list without the service; versions of the data.",
    title: "Files and snapshots",
    audience: "operators",
  },
  {
    name: "importing",
    about: "The registry’s files, how each is used, and how values are read.",
    title: "Importing",
    audience: "operators",
    sections: [{ title: "How values are read", id: "how-values-are-read" }],
  },
  {
    name: "configuration",
    about: "Every setting, and the data folder.",
    title: "Configuration",
    audience: "operators",
  },
  {
    name: "deploying",
    about: "Proxies, containers, email, secrets, and databases.",
    title: "Deploying",
    audience: "operators",
  },
  {
    name: "fleet",
    about:
      "From one machine to three: nodes, a snapshot store, and a load balancer.",
    title: "A fleet",
    audience: "operators",
  },
  {
    name: "billing",
    about: "Paid plans, through Stripe.",
    title: "Billing",
    audience: "operators",
  },
  {
    name: "portal",
    about: "These pages: their name, their map, and how to turn them off.",
    title: "The portal",
    audience: "operators",
  },
  {
    name: "deciding",
    about:
      "Who the service is for, what it costs, licenses, privacy, and a comparison.",
    title: "Before you decide",
    audience: "deciders",
    sections: [
      {
        title: "Comparison",
        id: "compared-with-the-registrys-own-api",
      },
    ],
  },
];

const FOR_USERS: ReadonlySet<GuideAudience> = new Set([
  "offices",
  "developers",
]);

/** Lists the pages that an installation shows. */
export function shownGuidePages(scope: GuideScope): readonly GuidePage[] {
  return scope === "all"
    ? GUIDE_PAGES
    : GUIDE_PAGES.filter(({ audience }) => FOR_USERS.has(audience));
}

/** Finds the page with this name, or undefined if there is none or the installation doesn't show it. */
export function guidePage(
  name: string,
  scope: GuideScope = "all",
): GuidePage | undefined {
  return shownGuidePages(scope).find((page) => page.name === name);
}
