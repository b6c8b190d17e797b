import { PAGE_PATHS } from "../../site/page-paths.ts";
import { NOT_FOUND_TITLE } from "../../site/page-titles.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { Page } from "./page.tsx";
import { Link } from "./router.tsx";

export function NotFound() {
  return (
    <Page title={NOT_FOUND_TITLE}>
      <EmptyState title="Check the address for a typo.">
        Or go to the <Link href={PAGE_PATHS.explorer}>explorer</Link> or the{" "}
        <Link href={PAGE_PATHS.guide}>guide</Link>.
      </EmptyState>
    </Page>
  );
}
