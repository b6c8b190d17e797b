import { useState } from "react";
import { CodeBlock } from "../components/code-tabs.tsx";
import { Select } from "../components/field.tsx";
import { Link } from "../shell/router.tsx";
import { SchemaFields, objectSchemaOf } from "./schema-fields.tsx";
import type { OpenApi, Operation, Response } from "./openapi.ts";
import { InlineCode, Prose } from "./prose.tsx";
import styles from "./reference.module.css";

const JSON_TYPE = "application/json";

/** Shows the responses of an operation: successes with fields, failures with their codes. */
export function Responses({
  document,
  operation: { responses },
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const successes = responses.filter(({ status }) => status < 400);
  const failures = responses.filter(({ status }) => status >= 400);
  return (
    <>
      <h4>Responses</h4>
      {successes.map(({ response, status }) => (
        <Success
          key={status}
          document={document}
          response={response}
          status={status}
        />
      ))}
      <details>
        <summary>Errors</summary>
        <dl className={styles.facts}>
          {failures.map(({ response, status }) => (
            <div key={status}>
              <dt>
                <span className={`tag ${styles.status}`}>{status}</span>
              </dt>
              <dd>
                {response.description.split("\n\n").map((text) => (
                  <Failure key={text} text={text} />
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Success({
  document,
  response: { content, description },
  status,
}: {
  readonly document: OpenApi;
  readonly response: Response;
  readonly status: number;
}) {
  const { schema } = content?.[JSON_TYPE] ?? {};
  const fields = schema === undefined ? null : objectSchemaOf(document, schema);
  return (
    <>
      <div className={styles.answerLine}>
        <span className={`tag ${styles.status}`}>{status}</span>{" "}
        <Prose text={description} />
      </div>
      {fields !== null && (
        <details>
          <summary>Response fields</summary>
          <SchemaFields document={document} schema={fields} />
        </details>
      )}
    </>
  );
}

/** Shows an example of a success, and offers the rest. Nothing for an operation without any. */
export function ResponseExample({
  operation: { operationId, responses },
}: {
  readonly operation: Operation;
}) {
  const [chosen, setChosen] = useState("0");
  const success = responses.find(({ status }) => status === 200);
  const examples = Object.entries(
    success?.response.content?.[JSON_TYPE]?.examples ?? {},
  );
  const [, example] = examples[Number(chosen)] ?? [];
  if (example === undefined) return null;
  return (
    <>
      {examples.length > 1 && (
        <Select
          label="Example"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={examples.map(([text], index) => ({
            value: String(index),
            text,
          }))}
        />
      )}
      <CodeBlock
        label={`Example of ${operationId}`}
        code={JSON.stringify(example.value, null, 2)}
      />
    </>
  );
}

/** Shows an error code with its description, "`invalid_npi`: ...", linked to the guide. */
function Failure({ text }: { readonly text: string }) {
  const [, code, sentences = text] = /^`([a-z_]+)`: (.*)$/s.exec(text) ?? [];
  return (
    <p>
      {code !== undefined && (
        <>
          <Link href={`/guide/errors#${code}`}>
            <code>{code}</code>
          </Link>
          :{" "}
        </>
      )}
      <InlineCode text={sentences} />
    </p>
  );
}
