import { useState } from "react";
import { Alert } from "../components/elements.tsx";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-tabs.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Field, Select } from "../components/field.tsx";
import {
  type Operation,
  type Parameter,
  exampleOf,
  isReadable,
} from "./openapi.ts";
import { send, type SentOutcome } from "./send.ts";
import { formatCount } from "../format.ts";
import styles from "./reference.module.css";

/** The values of an operation's fields, by name. */
type Values = Readonly<Record<string, string>>;

/** Takes the values of a request, sends it, and shows its response. */
export function TryIt({
  apiKey,
  fields,
  onChange,
  operation: { needsKey, summary, types },
  request,
  values,
}: {
  readonly operation: Operation;
  readonly fields: readonly Parameter[];
  readonly values: Values;
  readonly request: ReturnType<typeof requestOf>;
  readonly onChange: (values: Values) => void;
  /** Empty if there is none. */
  readonly apiKey: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<SentOutcome | null>(null);
  const isKeyMissing = needsKey && apiKey === "";

  async function run(): Promise<void> {
    setBusy(true);
    const query = new URLSearchParams(
      request.query.map(([name, value]) => [name, value]),
    );
    const address =
      query.size === 0 ? request.path : `${request.path}?${query}`;
    // A page for browsers would be this portal's.
    const type = types.find((each) => each !== "text/html") ?? "*/*";
    setOutcome(await send(address, needsKey ? apiKey : null, type));
    setBusy(false);
  }

  return (
    <div className={styles.tryIt}>
      <form
        aria-label={`Try: ${summary}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isKeyMissing) void run();
        }}
      >
        <div className={styles.tryFields}>
          {fields.map((parameter) => (
            <Input
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ""}
              onChange={(value) =>
                onChange({ ...values, [parameter.name]: value })
              }
            />
          ))}
        </div>
        <Button
          type="submit"
          look="primary"
          isBusy={isBusy}
          disabled={isKeyMissing}
        >
          {isBusy ? "Sending…" : "Send request"}
        </Button>
        {isKeyMissing && (
          <p className="hint">
            <a href="#your-key">Enter an API key</a> first.
          </p>
        )}
      </form>
      {outcome !== null && (
        <Outcome
          outcome={outcome}
          summary={summary}
          onRetry={() => void run()}
        />
      )}
    </div>
  );
}

function Input({
  onChange,
  parameter,
  value,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, required, schema } = parameter;
  const label = required === true ? `${name} (required)` : name;
  if (schema.enum !== undefined)
    return (
      <Select
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={["", ...schema.enum.filter((each) => each !== null)].map(
          (each) => ({ value: each, text: each === "" ? "not set" : each }),
        )}
      />
    );
  return (
    <Field
      label={label}
      value={value}
      required={required}
      autoComplete="off"
      spellCheck={false}
      placeholder={exampleOf(parameter)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Outcome({
  onRetry,
  outcome,
  summary,
}: {
  readonly outcome: SentOutcome;
  readonly summary: string;
  readonly onRetry: () => void;
}) {
  if (outcome.kind === "offline")
    return <FailureAlert failure={{ kind: "offline" }} onRetry={onRetry} />;
  const { body, headers, isCut, milliseconds, status } = outcome;
  const retryAfter = new Map(headers).get("retry-after");
  return (
    <section aria-label={`Response: ${summary}`} className={styles.outcome}>
      <Alert
        kind={status < 400 ? "success" : "warning"}
        title={`${status} in ${formatCount(milliseconds)} ms`}
      >
        {retryAfter !== undefined && <p>Try again in {retryAfter} seconds.</p>}
      </Alert>
      {isCut && (
        <p>
          The response is longer. Only its start is shown, and the rest wasn’t
          loaded.
        </p>
      )}
      <CodeBlock label={`Body: ${summary}`} code={body} />
      <details>
        <summary>Response headers</summary>
        <CodeBlock
          label={`Headers: ${summary}`}
          code={headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        />
      </details>
    </section>
  );
}

/** Makes the request with the fields' values, without blank ones. */
export function requestOf(
  { path, types }: Operation,
  fields: readonly Parameter[],
  values: Values,
) {
  const given = fields.map((each) => [each, values[each.name] ?? ""] as const);
  const filled = given
    .filter(([each]) => each.in === "path")
    .reduce(
      (all, [{ name }, value]) =>
        all.replace(`{${name}}`, () => encodeURIComponent(value)),
      path,
    );
  return {
    path: filled,
    query: given
      .filter(([each, value]) => each.in === "query" && value !== "")
      .map(([{ name }, value]) => [name, value] as const),
    isText: !types.includes("application/json"),
    saveAs: isReadable(types) ? undefined : filled.split("/").at(-1),
  };
}
