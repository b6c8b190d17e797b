import { useState } from "react";
import { CopyButton } from "../components/copy-button.tsx";
import { Responses } from "./responses.tsx";
import type { OpenApi, Operation } from "./openapi.ts";
import { Parameters } from "./parameters.tsx";
import { Prose } from "./prose.tsx";
import { TryIt } from "./try-it.tsx";
import readingStyles from "../guide/reading.module.css";
import styles from "./reference.module.css";

/** One operation: its description, parameters and responses, and a form to try it. */
export function OperationSection({
  apiKey,
  document,
  operation,
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
  readonly apiKey: string;
}) {
  // Most forms are never opened, and together they would delay the page.
  const [wasOpened, setOpened] = useState(false);
  const { description = "", needsKey, operationId, path, summary } = operation;
  return (
    <section aria-labelledby={operationId} className={styles.operation}>
      <h3 id={operationId} tabIndex={-1} className={readingStyles.anchored}>
        {summary}{" "}
        <a
          className={readingStyles.anchor}
          href={`#${operationId}`}
          aria-label={`Link to ${summary}`}
        >
          <span aria-hidden="true">#</span>
        </a>
      </h3>
      <div className={styles.operationPath}>
        <code>
          <span className={styles.method}>GET</span> {path}
        </code>
        {!needsKey && <span className={styles.factType}>no key needed</span>}
        <CopyButton label="Copy path" text={path} />
      </div>
      <Prose text={description} />
      <details
        className={styles.tryFold}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) setOpened(true);
        }}
      >
        <summary>Try it</summary>
        {wasOpened && <TryIt operation={operation} apiKey={apiKey} />}
      </details>
      <Parameters document={document} operation={operation} />
      <Responses document={document} operation={operation} />
    </section>
  );
}
