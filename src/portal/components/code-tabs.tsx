import { useId, useState, type KeyboardEvent } from "react";
import { requestSamples, type SampleRequest } from "../request-samples.ts";
import { CopyButton } from "./copy-button.tsx";

const LANGUAGES = [
  { name: "curl", text: "curl" },
  { name: "typescript", text: "TypeScript" },
  { name: "python", text: "Python" },
] as const;

/** A request to the API in three languages, to copy. */
export function CodeTabs({
  label = "The API request",
  request,
}: {
  readonly request: SampleRequest;
  readonly label?: string;
}) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const { name } = LANGUAGES[chosen] ?? LANGUAGES[0];
  const code = requestSamples(request, location.origin)[name];

  function onKeyDown(event: KeyboardEvent): void {
    const step =
      event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (chosen + step + LANGUAGES.length) % LANGUAGES.length;
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  }

  return (
    <section className="code-tabs" aria-label={label}>
      <div className="code-bar">
        <div role="tablist" aria-label={label}>
          {LANGUAGES.map(({ text }, index) => (
            <button
              key={text}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
              onKeyDown={onKeyDown}
            >
              {text}
            </button>
          ))}
        </div>
        <CopyButton text={code} />
      </div>
      <pre
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${chosen}`}
        // It scrolls sideways, by keyboard too.
        tabIndex={0}
      >
        <code>{code}</code>
      </pre>
    </section>
  );
}
