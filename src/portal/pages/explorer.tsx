import { useEffect, useMemo } from "react";
import { ExplorerClosed, NoData } from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { FirstScreen, SignInToSearch } from "../explorer/first-screen.tsx";
import {
  isBlank,
  searchHref,
  rememberSearch,
  parseSearch,
} from "../explorer/explorer-search.ts";
import { Question } from "../explorer/question/question.tsx";
import {
  otherReadings,
  useSentence,
} from "../explorer/question/use-sentence.ts";
import { ResultsView } from "../explorer/results-view.tsx";
import { useResults } from "../explorer/use-results.ts";
import { PAGE_TITLES, searchTitle } from "../../site/page-titles.ts";
import { useConfig } from "../api/config.ts";
import { useSession } from "../api/session.tsx";
import { Page } from "../shell/page.tsx";
import { useLocation } from "../shell/router.tsx";

/** Shows one box for what users type, and its results. What is asked is in the address. */
export default function Explorer() {
  const { explorer, source } = useConfig();
  if (explorer === "closed" || source === null)
    return (
      <Page title={PAGE_TITLES.explorer}>
        {explorer === "closed" ? <ExplorerClosed /> : <NoData />}
      </Page>
    );
  return <Search />;
}

function Search() {
  const { query } = useLocation();
  const { explorer } = useConfig();
  const session = useSession();
  const search = useMemo(() => parseSearch(query), [query]);
  const isFirst = isBlank(search);
  useEffect(
    () => rememberSearch(isFirst ? null : searchHref(search)),
    [isFirst, search],
  );
  const results = useResults(search);
  const sentence = useSentence(search, results.retry);
  if (isFirst && explorer === "signed-in" && !session.email)
    return (
      <Page title={PAGE_TITLES.explorer} width="text">
        {session.email === null && <SignInToSearch />}
        {session.failure !== null && (
          <FailureAlert failure={session.failure} onRetry={session.refresh} />
        )}
      </Page>
    );
  return (
    <Page
      title={searchTitle(query) ?? PAGE_TITLES.explorer}
      isHeadingHidden={!isFirst}
      width={isFirst ? "text" : "wide"}
    >
      <Question search={search} results={results} sentence={sentence} />
      {isFirst ? (
        <FirstScreen />
      ) : (
        <ResultsView
          search={search}
          results={results}
          hasAlternatives={otherReadings(sentence.reading).length > 0}
        />
      )}
    </Page>
  );
}
