import type { Locator, Page } from "playwright-core";

/** The explorer's one box. */
export function box(page: Page): Locator {
  return page.getByRole("combobox", { name: "Search providers" });
}

/** The filters that are shown, such as `State: IL`. */
export function chips(page: Page): Promise<string[]> {
  return page
    .getByRole("link", { name: /^Remove / })
    .evaluateAll((links) =>
      links.map((link) =>
        (link.getAttribute("aria-label") ?? "").replace("Remove ", ""),
      ),
    );
}
