import { useEffect, useMemo } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/elements.tsx";
import { SideList } from "../guide/side-list.tsx";
import { Page } from "../shell/page.tsx";
import { KeyPanel, useEnteredKey } from "../reference/key-panel.tsx";
import { OperationSection } from "../reference/operation-section.tsx";
import {
  operationsOf,
  type OpenApi,
  type Operation,
} from "../reference/openapi.ts";
import { Prose } from "../reference/prose.tsx";
import { Link, useFragment } from "../shell/router.tsx";
import { scrollToFragment } from "../shell/scroll-restoration.ts";
import { useQuery } from "../api/use-query.ts";
import { publicPath } from "../public-path.ts";
import styles from "../guide/reading.module.css";
import referenceStyles from "../reference/reference.module.css";

export default function Reference() {
  const { answer, failure, retry } = useQuery<OpenApi>("/openapi.json");
  const document = answer?.data ?? null;
  const operations = useMemo(
    () => (document === null ? [] : operationsOf(document)),
    [document],
  );
  const [apiKey, setApiKey] = useEnteredKey();
  const fragment = useFragment();
  useEffect(() => {
    if (document !== null) scrollToFragment();
  }, [document]);
  return (
    <div className={styles.reading}>
      <SideList title="Operations" className={styles.sidePages}>
        <ul>
          <li>
            <a href="#your-key">Your key</a>
          </li>
        </ul>
        {(document?.tags ?? []).map(({ name }) => (
          <div key={name}>
            <p className={styles.sideTitle}>{name}</p>
            <ul>
              {taggedBy(name, operations).map(({ operationId, summary }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </SideList>
      <article>
        <Page
          title={PAGE_TITLES.reference}
          width="wide"
          lead="Every operation, with its parameters and responses."
        >
          {failure !== null && (
            <FailureAlert failure={failure} onRetry={retry} />
          )}
          {document === null && failure === null && <Skeleton lines={16} />}
          {document !== null && (
            <>
              <div className={referenceStyles.intro}>
                <Prose text={document.info.description} />
                <p>
                  New here? Start with the{" "}
                  <Link href={`${PAGE_PATHS.guide}/quick-start`}>
                    quick start
                  </Link>
                  . The OpenAPI document is at{" "}
                  <a href={publicPath("/openapi.json")}>/openapi.json</a>.
                </p>
                <KeyPanel apiKey={apiKey} onChange={setApiKey} />
              </div>
              {document.tags.map(({ description, name }) => (
                <section key={name} aria-labelledby={`tag-${name}`}>
                  <h2 id={`tag-${name}`} className={styles.anchored}>
                    {name}
                  </h2>
                  <Prose text={description} />
                  {taggedBy(name, operations).map((operation) => (
                    <OperationSection
                      key={operation.operationId}
                      document={document}
                      operation={operation}
                      isOpen={
                        operation === operations[0] ||
                        fragment === `#${operation.operationId}`
                      }
                      apiKey={apiKey}
                    />
                  ))}
                </section>
              ))}
            </>
          )}
        </Page>
      </article>
    </div>
  );
}

function taggedBy(tag: string, operations: readonly Operation[]): Operation[] {
  return operations.filter(({ tags }) => tags.includes(tag));
}
