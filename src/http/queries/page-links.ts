import { isBlank } from "./query-string.ts";
import type { QueryPairs } from "./query-string.ts";

/** Where a page stands among the others. */
export interface PagePlace {
  readonly page: number;
  /** Whether a page follows. */
  readonly hasNext: boolean;
  /** The last page that can have rows, at least 1; the page itself where nobody knows. */
  readonly lastPage: number;
}

/** The value of a Link header (RFC 8288) with the first, the previous and the next page of the same question. */
export function pageLinks(
  path: string,
  pairs: QueryPairs,
  place: PagePlace,
): string {
  const question = pairs
    .filter(([name, value]) => name !== "page" && !isBlank(value))
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`,
    )
    .join("");
  const link = (page: number, rel: string) =>
    `<${path}?${question}page=${page}>; rel="${rel}"`;
  const links = [link(1, "first")];
  // From far past the end, the page before that has rows is the last one.
  if (place.page > 1)
    links.push(link(Math.min(place.page - 1, place.lastPage), "prev"));
  if (place.hasNext) links.push(link(place.page + 1, "next"));
  return links.join(", ");
}
