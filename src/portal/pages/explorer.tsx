import { useEffect, useMemo } from "react";
import { ExplorerClosed } from "../components/empty-state.tsx";
import { NearbyView } from "../explorer/nearby-view.tsx";
import { addressOf, keepSearch, questionAt } from "../explorer/question.ts";
import { SearchView } from "../explorer/search-view.tsx";
import { useConfig } from "../api/config.ts";
import { Page } from "../shell/page.tsx";
import { usePlace } from "../shell/router.tsx";

/** Search by name and place or by distance; all of its state stands in the address. */
export default function Explorer() {
  const { query } = usePlace();
  const question = useMemo(() => questionAt(query), [query]);
  useEffect(() => keepSearch(addressOf(question)), [question]);
  const { explorer } = useConfig();
  if (explorer === "closed")
    return (
      <Page title="Explorer">
        <ExplorerClosed />
      </Page>
    );
  return (
    <Page title="Explorer" isHeadingHidden width="wide">
      {question.kind === "nearby" ? (
        <NearbyView question={question} />
      ) : (
        <SearchView question={question} />
      )}
    </Page>
  );
}
