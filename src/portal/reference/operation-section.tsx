import { useState } from "react";
import { CopyButton } from "../components/button.tsx";
import { CodeTabs } from "../components/code-tabs.tsx";
import { useConfig } from "../api/config.ts";
import { ResponseExample, Responses } from "./responses.tsx";
import {
  firstValues,
  type OpenApi,
  type Operation,
  type Parameter,
} from "./openapi.ts";
import { Prose, InlineCode } from "./prose.tsx";
import { requestOf, TryIt } from "./try-it.tsx";
import readingStyles from "../guide/reading.module.css";
import styles from "./reference.module.css";
import { Limits, typeText } from "./schema-fields.tsx";

/**
 * Describes one operation: what it does, a form to try it, its responses and parameters. The request and an example of
 * the response are at the side if the window is wide, and stay in sight.
 */
export function OperationSection({
  apiKey,
  document,
  isOpen,
  operation,
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
  readonly apiKey: string;
  /** True if the form is open from the start. */
  readonly isOpen: boolean;
}) {
  const { description = "", needsKey, operationId, path, summary } = operation;
  const { example_npi: npi } = useConfig();
  const fields = operation.parameters.filter((each) => each.in !== "header");
  const [values, setValues] = useState(() => firstValues(path, fields, npi));
  const request = requestOf(operation, fields, values);
  const [isTrying, setTrying] = useState(isOpen);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setTrying(true);
  }
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
      <div className={styles.sides}>
        <div>
          <Prose text={description} />
        </div>
        <div className={styles.sample}>
          <CodeTabs label={`Request: ${summary}`} request={request} />
          <ResponseExample operation={operation} />
        </div>
        <div>
          <details
            className={styles.tryFold}
            open={isTrying}
            onToggle={({ currentTarget }) => setTrying(currentTarget.open)}
          >
            <summary>Try it</summary>
            {/* Only open forms: together, they would delay the page. */}
            {isTrying && (
              <TryIt
                {...{ apiKey, fields, operation, request, values }}
                onChange={setValues}
              />
            )}
          </details>
          <Responses document={document} operation={operation} />
          <Parameters document={document} operation={operation} />
        </div>
      </div>
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
