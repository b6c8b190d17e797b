import { oneLine, windowTitle } from "../../site/page-titles.ts";

/** What a page's head says about it. */
export interface PageHead {
  /** Without the service's name. */
  readonly title: string;
  readonly description: string;
  /** The page's public URL; null if the service doesn't know its own. */
  readonly url: string | null;
  /** Whether search engines may list the page. */
  readonly isIndexed: boolean;
  /** The paths of JSON that the page requests first. */
  readonly requests: readonly string[];
}

/** The head of a page as HTML: title, description, Open Graph for link previews, and early requests. */
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

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text in HTML, also within double quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}
