import { useEffect, useMemo } from "react";
import { ExplorerClosed } from "../components/empty-state.tsx";
import {
  searchHref,
  rememberSearch,
  parseSearch,
} from "../explorer/explorer-search.ts";
import { ResultsView } from "../explorer/results-view.tsx";
import { useConfig } from "../api/config.ts";
import { Page } from "../shell/page.tsx";
import { useLocation } from "../shell/router.tsx";

/** Search by name and location, or by distance. All of its state is in the address. */
export default function Explorer() {
  const { query } = useLocation();
  const search = useMemo(() => parseSearch(query), [query]);
  useEffect(() => rememberSearch(searchHref(search)), [search]);
  const { explorer } = useConfig();
  if (explorer === "closed")
    return (
      <Page title="Explorer">
        <ExplorerClosed />
      </Page>
    );
  return (
    <Page title="Explorer" isHeadingHidden width="wide">
      <ResultsView search={search} />
    </Page>
  );
}
