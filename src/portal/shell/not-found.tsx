import { lazy, Suspense } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { NOT_FOUND_TITLE } from "../../site/page-titles.ts";
import { Page } from "./page.tsx";
import { Link } from "./router.tsx";
import styles from "./shell.module.css";

/** Not loaded with every page. */
const SearchElsewhere = lazy(async () => {
  const { SearchElsewhere: Box } =
    await import("../explorer/question/search-box.tsx");
  return { default: Box };
});

export function NotFound() {
  return (
    <Page
      title={NOT_FOUND_TITLE}
      lead={
        <>
          Check the address for a typo, search for a provider, or go to the{" "}
          <Link href={PAGE_PATHS.explorer}>explorer</Link> or the{" "}
          <Link href={PAGE_PATHS.guide}>guide</Link>.
        </>
      }
    >
      <div className={styles.notFoundSearch}>
        <Suspense>
          <SearchElsewhere />
        </Suspense>
      </div>
    </Page>
  );
}
