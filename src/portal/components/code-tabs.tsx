import { useId, useState, type KeyboardEvent } from "react";
import { requestSamples, type SampleRequest } from "../api/request-samples.ts";
import { CopyButton } from "./button.tsx";
import { serviceUrl } from "../public-path.ts";
import styles from "./components.module.css";

export interface CodeSample {
  /** The language's name. */
  readonly name: string;
  readonly code: string;
}

/** Shows an API request in three languages. */
export function CodeTabs({
  label = "The API request",
  request,
}: {
  readonly request: SampleRequest;
  readonly label?: string;
}) {
  const { curl, python, typescript } = requestSamples(request, serviceUrl());
  return (
    <CodeSamples
      label={label}
      samples={[
        { name: "curl", code: curl },
        { name: "TypeScript", code: typescript },
        { name: "Python", code: python },
      ]}
    />
  );
}

/** Shows a code sample in several languages. */
export function CodeSamples({
  label,
  samples,
}: {
  readonly label: string;
  readonly samples: readonly CodeSample[];
}) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const code = samples[chosen]?.code ?? "";

  function onKeyDown(event: KeyboardEvent): void {
    const step =
      event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  }

  return (
    <section className={styles.codeTabs} aria-label={label}>
      <div className={styles.codeBar}>
        <div role="tablist" aria-label={label}>
          {samples.map(({ name }, index) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
              onKeyDown={onKeyDown}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={code} />
      </div>
      <pre
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${chosen}`}
        // Focusable, so that the keyboard can scroll it sideways.
        tabIndex={0}
      >
        <code>{code}</code>
      </pre>
    </section>
  );
}

export function CodeBlock({
  code,
  label = "Code",
}: {
  readonly code: string;
  readonly label?: string;
}) {
  return (
    <div className={styles.codeBlock}>
      {/* Focusable, so that the keyboard can scroll it sideways. */}
      <pre role="group" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
