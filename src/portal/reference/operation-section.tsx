import { useState } from "react";
import { CopyButton } from "../components/button.tsx";
import { Responses } from "./responses.tsx";
import type { OpenApi, Operation, Parameter } from "./openapi.ts";
import { Prose, InlineCode } from "./prose.tsx";
import { TryIt } from "./try-it.tsx";
import readingStyles from "../guide/reading.module.css";
import styles from "./reference.module.css";
import { Limits, typeText } from "./schema-fields.tsx";

/** Describes one operation: its description, parameters and responses, and a form to try it. */
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
        {!needsKey && <span className="fine">no key needed</span>}
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

/** Lists the parameters of a request. Its headers are collapsed. */
function Parameters({
  document,
  operation: { parameters },
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const shown = parameters.filter((each) => each.in !== "header");
  const headers = parameters.filter((each) => each.in === "header");
  return (
    <>
      {shown.length > 0 && (
        <>
          <h4>Parameters</h4>
          <List document={document} parameters={shown} />
        </>
      )}
      {headers.length > 0 && (
        <details>
          <summary>Request headers</summary>
          <List document={document} parameters={headers} />
        </details>
      )}
    </>
  );
}

function List({
  document,
  parameters,
}: {
  readonly document: OpenApi;
  readonly parameters: readonly Parameter[];
}) {
  return (
    <dl className={styles.facts}>
      {parameters.map(
        ({ description = "", in: place, name, required, schema }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>{" "}
              <span className="fine">
                {typeText(document, schema)}
                {place === "path" && ", path parameter"}
                {required === true && ", required"}
              </span>
            </dt>
            <dd>
              <p>
                <InlineCode text={description} />
              </p>
              <Limits schema={schema} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
