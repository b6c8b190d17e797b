import { useEffect, useState } from "react";
import { GUIDE_PAGES, guidePage } from "../../site/guide-pages.ts";
import type { GuideDocument } from "../../site/guide-document.ts";
import { plainText } from "../../site/guide-document.ts";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/loading.tsx";
import { SideList } from "../guide/side-list.tsx";
import { DocumentBlocks } from "../guide/document-blocks.tsx";
import {
  GuideNavigation,
  GuidePager,
  guidePath,
  AUDIENCES,
} from "../guide/guide-navigation.tsx";
import { NotFound } from "../shell/not-found.tsx";
import { Page } from "../shell/page.tsx";
import { Link } from "../shell/router.tsx";
import { scrollToFragment } from "../shell/scroll-restoration.ts";
import styles from "../guide/reading.module.css";

/** The repository's documents, each a separate chunk (`src/portal-build/documents-plugin.ts`). */
const LOADERS = import.meta.glob<GuideDocument>("../../../docs/*.md", {
  import: "default",
});

/** The service's address in the documents. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8080";

/** The guide's contents or one of its pages. */
export default function Guide({ page: name }: { readonly page?: string }) {
  if (name === undefined) return <Contents />;
  return <DocumentPage key={name} name={name} />;
}

function Contents() {
  return (
    <Page title="Guide" lead="How to use the API and how to run the service.">
      {AUDIENCES.map(({ audience, title }) => (
        <section key={audience}>
          <h2>{title}</h2>
          <ul className={styles.contents}>
            {GUIDE_PAGES.filter((page) => page.audience === audience).map(
              (page) => (
                <li key={page.name}>
                  <Link href={guidePath(page.name)}>{page.title}</Link>
                  <p>{page.about}</p>
                </li>
              ),
            )}
          </ul>
        </section>
      ))}
    </Page>
  );
}

function DocumentPage({ name }: { readonly name: string }) {
  const page = guidePage(name);
  const { document, hasFailed } = useDocument(name);
  useEffect(() => {
    if (document !== null) scrollToFragment();
  }, [document]);
  if (page === undefined) return <NotFound />;
  const isForDevelopers = page.audience === "developers";
  return (
    <div className={styles.reading}>
      <GuideNavigation here={name} />
      {document !== null && <TableOfContents document={document} />}
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
              <DocumentBlocks
                blocks={document.blocks}
                codeOf={(code) =>
                  isForDevelopers
                    ? code.replaceAll(EXAMPLE_ORIGIN, location.origin)
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

function TableOfContents({ document }: { readonly document: GuideDocument }) {
  const headings = document.blocks.filter((block) => block.kind === "heading");
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

function useDocument(name: string): {
  readonly document: GuideDocument | null;
  readonly hasFailed: boolean;
} {
  const [document, setDocument] = useState<GuideDocument | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isAwaited = true;
    loadDocument(name).then(
      (loaded) => isAwaited && setDocument(loaded),
      () => isAwaited && setFailed(true),
    );
    return () => {
      isAwaited = false;
    };
  }, [name]);
  return { document, hasFailed };
}

/** The document with this name, or null. Rejects if it can't be loaded. */
async function loadDocument(name: string): Promise<GuideDocument | null> {
  return (await LOADERS[`../../../docs/${name}.md`]?.()) ?? null;
}
