import type { Operation, OpenApi, Parameter } from "./openapi.ts";
import { Limits } from "./schema-fields.tsx";
import { InlineCode } from "./prose.tsx";
import { typeText } from "./schema-text.ts";
import styles from "./reference.module.css";

/** The parameters of a request. Its headers are collapsed. */
export function Parameters({
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
              <span className={styles.factType}>
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
