import { PAGE_PATHS } from "../../site/page-paths.ts";

/** The path of a page of the guide. */
export function guidePath(name: string): string {
  return PAGE_PATHS["guide-page"].replace(":page", name);
}

/** Where the guide shows what it finds. */
export function guideSearchPath(query: string): string {
  return query === ""
    ? PAGE_PATHS.guide
    : `${PAGE_PATHS.guide}?${new URLSearchParams({ q: query })}`;
}
