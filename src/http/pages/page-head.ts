import type { SearchEntry } from "../../contract/provider.ts";
import type { Directory } from "../../search/directory.ts";
import { guidePage } from "../../site/guide-pages.ts";
import type { PageMatch, PageName } from "../../site/page-paths.ts";
import {
  NOT_FOUND_TITLE,
  PAGE_TITLES,
  SEARCH_PARAMETERS,
  oneLine,
  providerTitle,
  searchTitle,
  unknownNpiTitle,
  windowTitle,
} from "../../site/page-titles.ts";
import { escaped } from "../../text/lists.ts";
import { publicPath } from "../../text/public-path.ts";
import { queryOf } from "../queries/query-string.ts";

/** The facts in a page's head. */
export interface PageHead {
  /** Without the service's name. */
  readonly title: string;
  readonly description: string;
  /** The page's public URL; null if the service doesn't know its own. */
  readonly url: string | null;
  /** True if search engines may list the page. */
  readonly isIndexed: boolean;
  /** The paths of JSON that the page requests first. */
  readonly requests: readonly string[];
}

type Preview = Pick<PageHead, "title" | "description"> &
  Partial<Pick<PageHead, "isIndexed" | "requests">>;

/** Of pages that are not about data; the account's own pages have the general one. */
const DESCRIPTIONS: Partial<Readonly<Record<PageName, string>>> = {
  "sign-in": "Sign in to manage your API keys and usage.",
  "sign-up": "Create an account and get an API key for provider data.",
  guide: "How to use the API: quick start, operations, errors, and updates.",
  reference:
    "Every operation of the API: parameters, responses, and errors, with requests to try.",
};
const GENERAL =
  "Look up, search, and map U.S. healthcare providers from the national registry, and get an API key.";
const CONFIG_PATH = "/portal.json";

/** A longer query isn't repeated in the page. */
const MAX_QUERY_CHARACTERS = 500;

/** The subject of a page: a request's target, and what may be said about the data. */
interface Visit {
  readonly place: PageMatch;
  readonly url: string;
  /** The data, if the explorer is open to everyone. */
  readonly data: Directory | null;
  /** The provider of a provider's page; null if it may not be said. */
  readonly provider: SearchEntry | null;
}

/** Makes the head of a page. `publicUrl` is the service's, without a trailing slash. */
export function headOf(visit: Visit, publicUrl: string | null): PageHead {
  const { isIndexed = true, requests = [], ...said } = previewOf(visit);
  return {
    ...said,
    url: publicUrl === null ? null : publicUrl + addressOf(visit),
    isIndexed,
    requests: [CONFIG_PATH, ...requests].map((path) =>
      publicPath(publicUrl, path),
    ),
  };
}

/** Makes the head of a page that isn't found. */
export function unknownHead(
  place: PageMatch | null,
  publicUrl: string | null,
): PageHead {
  const npi = place?.page === "provider" ? place.parameters["npi"] : undefined;
  return {
    title: npi === undefined ? NOT_FOUND_TITLE : unknownNpiTitle(npi),
    description: GENERAL,
    url: null,
    isIndexed: false,
    requests: [publicPath(publicUrl, CONFIG_PATH)],
  };
}

function previewOf({ data, place, provider, url }: Visit): Preview {
  const { page, parameters } = place;
  switch (page) {
    case "explorer":
      return explorerPreview(data, queryOf(url));
    case "provider":
      return providerPreview(parameters["npi"] ?? "", provider);
    case "guide-page": {
      const { about, title } = guidePage(parameters["page"] ?? "") ?? {};
      return {
        title: title ?? PAGE_TITLES.guide,
        description: about ?? GENERAL,
      };
    }
    default:
      return {
        title: PAGE_TITLES[page],
        description: DESCRIPTIONS[page] ?? GENERAL,
        isIndexed: DESCRIPTIONS[page] !== undefined,
      };
  }
}

function explorerPreview(data: Directory | null, query: string): Preview {
  const isIndexed = query === "";
  const title = PAGE_TITLES.explorer;
  if (data === null) return { title, description: GENERAL, isIndexed };
  const through =
    data.dataDate === null ? "" : ` Data through ${data.dataDate}.`;
  const searched = searchTitle(
    new URLSearchParams(query),
    (code) => data.lookup.taxonomies.find(code)?.description ?? null,
  );
  if (searched !== null)
    return {
      title: searched,
      description: `${searched}: names, specialties, addresses, and phone numbers from the national registry.${through}`,
      isIndexed: false,
    };
  const providers = data.counts.providers.toLocaleString("en-US");
  const description = `Look up, search, and map ${providers} U.S. healthcare providers from the national registry.${through}`;
  return { title, description, isIndexed };
}

function providerPreview(npi: string, provider: SearchEntry | null): Preview {
  if (provider === null)
    return { title: `NPI ${npi}`, description: GENERAL, isIndexed: false };
  const { status } = provider;
  return {
    title: providerTitle(provider),
    description:
      status === "active"
        ? `NPI ${npi}: address, phone, specialties, licenses, and other names, from the national registry.`
        : `NPI ${npi} is deactivated in the national registry.`,
    isIndexed: false,
    requests: [`/explore/providers/${npi}`],
  };
}

/** Returns the path and, for a search, its parameters. */
function addressOf({ place: { page }, url }: Visit): string {
  const [path = ""] = url.split("?", 1);
  const query = queryOf(url);
  if (page !== "explorer" || query.length > MAX_QUERY_CHARACTERS) return path;
  const kept = new URLSearchParams(
    [...new URLSearchParams(query)].filter(
      ([name, value]) => SEARCH_PARAMETERS.has(name) && value !== "",
    ),
  );
  return kept.size === 0 ? path : `${path}?${kept.toString()}`;
}

/** Writes the head of a page as HTML: title, description, Open Graph for link previews, and early requests. */
export function headHtml(
  { description, isIndexed, requests, title, url }: PageHead,
  serviceName: string,
): string {
  return [
    `<title>${escaped(windowTitle(title, serviceName))}</title>`,
    meta("name", "description", oneLine(description)),
    ...(isIndexed ? [] : [meta("name", "robots", "noindex")]),
    meta("property", "og:title", oneLine(title)),
    meta("property", "og:description", oneLine(description)),
    meta("property", "og:site_name", serviceName),
    meta("property", "og:type", "website"),
    ...(url === null ? [] : [meta("property", "og:url", url)]),
    // As `fetch` sends them, so that each is used instead of another request.
    ...requests.map(
      (path) =>
        `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escaped(path)}">`,
    ),
    "",
  ].join("\n");
}

function meta(kind: "name" | "property", of: string, content: string): string {
  return `<meta ${kind}="${of}" content="${escaped(content)}">`;
}
