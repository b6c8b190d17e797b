import { useCallback, useDeferredValue, useEffect } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { guidePage } from "../../site/guide-pages.ts";
import { type GuideDocument, plainText } from "../../site/guide-document.ts";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/elements.tsx";
import { SideList } from "../guide/side-list.tsx";
import { DocumentBlocks } from "../guide/document-blocks.tsx";
import { loadDocument, useLoaded } from "../guide/documents.ts";
import { GuideMatches, GuideSearchField } from "../guide/guide-matches.tsx";
import {
  GuideNavigation,
  GuidePager,
  useGuidePages,
} from "../guide/guide-navigation.tsx";
import { guidePath, guideSearchPath } from "../guide/guide-search.ts";
import { useConfig } from "../api/config.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Page } from "../shell/page.tsx";
import { Link, navigate, useLocation } from "../shell/router.tsx";
import { scrollToFragment } from "../shell/scroll-restoration.ts";
import { serviceUrl } from "../public-path.ts";
import styles from "../guide/reading.module.css";

/** The service's address in the documents. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8080";

/** Shows the guide's contents or one of its pages. */
export default function Guide({ page: name }: { readonly page?: string }) {
  if (name === undefined) return <Contents />;
  return <DocumentPage key={name} name={name} />;
}

/** Lists the pages, or what a search of them finds, which is in the address. */
function Contents() {
  const { query } = useLocation();
  const { guide } = useConfig();
  const searched = useDeferredValue(query.get("q")?.trim() ?? "");
  const parts = useGuidePages();
  return (
    <Page
      title={PAGE_TITLES.guide}
      lead={
        guide === "all"
          ? "How to search, use the API, and run the service."
          : "How to search, and how to use the API."
      }
    >
      <GuideSearchField
        initial={query.get("q") ?? ""}
        onText={(text) =>
          navigate(guideSearchPath(text.trim()), { replace: true })
        }
      />
      {searched === "" ? (
        parts.map(({ audience, pages, title }) => (
          <section key={audience}>
            {parts.length > 1 && <h2>{title}</h2>}
            <ul className={styles.contents}>
              {pages.map((page) => (
                <li key={page.name}>
                  <Link href={guidePath(page.name)}>{page.title}</Link>
                  <p>{page.about}</p>
                </li>
              ))}
            </ul>
          </section>
        ))
      ) : (
        <GuideMatches query={searched} />
      )}
    </Page>
  );
}

function DocumentPage({ name }: { readonly name: string }) {
  const { guide, sign_up: hasSignUp } = useConfig();
  const page = guidePage(name, guide);
  const load = useCallback(() => loadDocument(name), [name]);
  const { hasFailed, value: document } = useLoaded(load);
  useEffect(() => {
    if (document !== null) scrollToFragment();
  }, [document]);
  if (page === undefined) return <NotFound />;
  const isForDevelopers = page.audience === "developers";
  return (
    <div className={styles.reading}>
      <GuideNavigation here={name} />
      <TableOfContents document={document} />
      <article>
        <Page title={page.title}>
          {hasFailed && (
            <FailureAlert
              failure={{ kind: "broken" }}
              onRetry={() => location.reload()}
            />
          )}
          {document === null && !hasFailed && <Skeleton lines={16} />}
          {document !== null && (
            <>
              {name === "quick-start" && !hasSignUp && (
                <p className="hint">
                  This service takes no sign-ups: ask its operator for a key.
                </p>
              )}
              <DocumentBlocks
                blocks={document.blocks}
                codeOf={(code) =>
                  isForDevelopers
                    ? code.replaceAll(EXAMPLE_ORIGIN, serviceUrl())
                    : code
                }
              />
              <GuidePager here={name} />
            </>
          )}
        </Page>
      </article>
    </div>
  );
}

/** Lists the headings of a page. Its place is there before the page is loaded. */
function TableOfContents({
  document,
}: {
  readonly document: GuideDocument | null;
}) {
  const blocks = document?.blocks ?? [];
  const headings = blocks.filter((block) => block.kind === "heading");
  return (
    <SideList title="On this page" className={styles.sideContents}>
      <p className={`${styles.sideTitle} ${styles.sideWideOnly}`}>
        On this page
      </p>
      <ul>
        {headings.map(({ id, level, text }) => (
          <li key={id} className={level === 3 ? styles.isDeeper : undefined}>
            <a href={`#${id}`}>{plainText(text)}</a>
          </li>
        ))}
      </ul>
    </SideList>
  );
}
