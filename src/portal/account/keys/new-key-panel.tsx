import { useEffect, useId, useRef, useState } from "react";
import { callApi, type ApiOutcome } from "../../api/api.ts";
import { Button, CopyButton } from "../../components/button.tsx";
import { FailureAlert } from "../../components/failure-alert.tsx";
import { requestSamples } from "../../api/request-samples.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { DateText } from "../../components/elements.tsx";
import styles from "../account.module.css";
import { serviceUrl } from "../../public-path.ts";

/** A key that was just created. */
export interface CreatedKey {
  readonly name: string;
  readonly secret: string;
  /** The key that it replaces, if any. */
  readonly replaces: KeyInfo | null;
}

/** A first request, for a name that is in every registry. */
const FIRST = {
  path: "/v1/providers/search",
  query: [
    ["name", "smith"],
    ["limit", "1"],
  ],
} as const;

/** Shows a new key once, with a request to copy or to send. It stays until the user says that the key is saved. */
export function NewKeyPanel({
  createdKey: { name, replaces, secret },
  onStored,
}: {
  readonly createdKey: CreatedKey;
  readonly onStored: () => void;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const curl = requestSamples(FIRST, serviceUrl()).curl.replace(
    "$API_KEY",
    secret,
  );
  return (
    <section className={styles.newKey} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        Your new key: {name}
      </h2>
      <p>
        Copy it now and store it with your other secrets. You won’t see it
        again.
      </p>
      {replaces !== null && <Replaced old={replaces} />}
      <div className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <h3>Your first request</h3>
      <div className={styles.secret}>
        <pre
          tabIndex={0}
          role="region"
          aria-label="Your first request with curl"
        >
          <code>{curl}</code>
        </pre>
        <CopyButton text={curl} label="Copy request" />
      </div>
      <TryIt secret={secret} />
      <div className={styles.newKeyEnd}>
        <Button look="primary" onClick={onStored}>
          I’ve saved it
        </Button>
      </div>
    </section>
  );
}

function Replaced({ old }: { readonly old: KeyInfo }) {
  return (
    <p>
      The old key{" "}
      <code>
        {old.prefix}…{old.last_four}
      </code>{" "}
      {old.state === "active" && old.expires_at !== null ? (
        <>
          works until <DateText at={old.expires_at} />.
        </>
      ) : (
        "no longer works."
      )}
    </p>
  );
}

/** Sends the request with the key and shows the response. It counts toward the quota. */
function TryIt({ secret }: { readonly secret: string }) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ApiOutcome<unknown> | null>(null);

  async function send(): Promise<void> {
    setBusy(true);
    setOutcome(null);
    const query = new URLSearchParams(FIRST.query.map(([...pair]) => pair));
    setOutcome(await callApi(`${FIRST.path}?${query}`, { key: secret }));
    setBusy(false);
  }

  return (
    <>
      <p>
        <Button isBusy={isBusy} onClick={() => void send()}>
          Try it now
        </Button>{" "}
        <span className="muted">This counts as one request.</span>
      </p>
      {outcome?.ok === false && (
        <FailureAlert failure={outcome.failure} onRetry={() => void send()} />
      )}
      {outcome?.ok === true && (
        <>
          <p className={styles.answered} role="status">
            It works: the API returned {outcome.answer.status}.
          </p>
          <pre
            className={styles.answer}
            tabIndex={0}
            role="region"
            aria-label="Response"
          >
            <code>
              {JSON.stringify(
                { data: outcome.answer.data, meta: outcome.answer.meta },
                null,
                2,
              )}
            </code>
          </pre>
        </>
      )}
    </>
  );
}
