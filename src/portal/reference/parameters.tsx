import type { Operation, OpenApi, Parameter } from "./openapi.ts";
import { Limits } from "./members.tsx";
import { Marked } from "./prose.tsx";
import { typeText } from "./schema-facts.ts";
import styles from "./reference.module.css";

/** The parameters of a request. Its headers are collapsed. */
export function Parameters({
  document,
  operation: { parameters },
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const inAddress = parameters.filter((each) => each.in !== "header");
  const headers = parameters.filter((each) => each.in === "header");
  return (
    <>
      {inAddress.length > 0 && (
        <>
          <h4>Parameters</h4>
          <List document={document} parameters={inAddress} />
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
                <Marked text={description} />
              </p>
              <Limits schema={schema} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
