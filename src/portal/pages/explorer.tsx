import { useEffect, useMemo } from "react";
import { ExplorerClosed, NoData } from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import {
  isBlank,
  searchHref,
  rememberSearch,
  parseSearch,
  ALL_HREF,
  readingOf,
} from "../explorer/explorer-search.ts";
import { useTaxonomyName } from "../explorer/hooks.ts";
import { Question } from "../explorer/question/question.tsx";
import {
  otherReadings,
  useSentence,
} from "../explorer/question/use-sentence.ts";
import { ResultsView, useResults } from "../explorer/results-view.tsx";
import { PAGE_TITLES, searchTitle } from "../../site/page-titles.ts";
import { useConfig } from "../api/config.ts";
import { useSession } from "../api/session.tsx";
import { Page } from "../shell/page.tsx";
import { useLocation, Link } from "../shell/router.tsx";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { ButtonLink } from "../components/button.tsx";
import { formatDay, inWords } from "../format.ts";
import styles from "../explorer/explorer.module.css";

/** Fewer providers are not the whole registry, which had more in 2024. */
const ALL_FROM = 8_000_000;

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
  const specialty = useTaxonomyName(search.parameters.get("taxonomy") ?? null);
  const sentence = useSentence(search, results.retry);
  if (isFirst && explorer === "signed-in" && !session.email)
    return (
      <Page title={PAGE_TITLES.explorer} lead={<Purpose />} width="text">
        {session.email === null && <SignInToSearch />}
        {session.failure !== null && (
          <FailureAlert failure={session.failure} onRetry={session.refresh} />
        )}
      </Page>
    );
  return (
    <Page
      title={searchTitle(query, () => specialty) ?? PAGE_TITLES.explorer}
      lead={isFirst ? <Purpose /> : undefined}
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

/** Shows examples and what the data is, below the box before anything is asked. */
function FirstScreen() {
  const { data_date: dataDate, demo, examples, providers } = useConfig();
  return (
    <div className={styles.first}>
      {examples.length > 0 && (
        <div className={styles.examples}>
          <p id="examples">For example</p>
          <ul aria-labelledby="examples">
            {examples.map(({ filters, operation, text }) => (
              <li key={text}>
                <Link href={hrefOf({ filters, operation })}>{text}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {providers !== null && (
        <p className={styles.holdings}>
          {demo
            ? "Demo data. "
            : dataDate !== null && `Data through ${formatDay(dataDate)}. `}
          <Link href={ALL_HREF}>Browse all</Link>
        </p>
      )}
      <NextSteps />
    </div>
  );
}

/** Says what this is: the providers, their source, and the API, which is only called free if a plan is. */
function Purpose() {
  const { demo, plans, providers, sign_up: hasSignUp } = useConfig();
  if (providers === null) return null;
  const isFree = hasSignUp && plans.some(({ price }) => price === "free");
  return (
    <>
      {demo
        ? `${inWords(providers)} invented providers in the format of the U.S. national provider registry (NPPES).`
        : `Search ${providers < ALL_FROM ? "" : "all "}${inWords(providers)} providers in the U.S. national provider registry (NPPES).`}{" "}
      {isFree ? "Free API." : "With an API."}
    </>
  );
}

/** Links what developers come for. */
function NextSteps() {
  const { sign_up: hasSignUp } = useConfig();
  const { email } = useSession();
  return (
    <ul className={styles.nextSteps}>
      {hasSignUp && (
        <li>
          <Link href={PAGE_PATHS[email ? "settings" : "sign-up"]}>
            Get an API key
          </Link>
        </li>
      )}
      <li>
        <Link href={PAGE_PATHS.guide}>Read the guide</Link>
      </li>
      <li>
        <Link href={PAGE_PATHS.reference}>See the API reference</Link>
      </li>
    </ul>
  );
}

/** Replaces the box if only signed-in users may search. */
function SignInToSearch() {
  const next = new URLSearchParams({ next: PAGE_PATHS.explorer });
  return (
    <>
      <p>Sign in to search this directory.</p>
      <p className={styles.waysIn}>
        <ButtonLink look="primary" href={`${PAGE_PATHS["sign-in"]}?${next}`}>
          Sign in
        </ButtonLink>
        <ButtonLink href={`${PAGE_PATHS["sign-up"]}?${next}`}>
          Sign up
        </ButtonLink>
      </p>
    </>
  );
}

function hrefOf(example: Parameters<typeof readingOf>[0]): string {
  const reading = readingOf(example);
  if (reading === null) return "/";
  return reading.kind === "lookup"
    ? `/npi/${reading.npi}`
    : searchHref(reading);
}
