import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { ask, type ApiFailure } from "../api.ts";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Field } from "../components/field.tsx";
import { useFacts } from "../facts.ts";
import { Link } from "../router.tsx";
import { useSession } from "../session.tsx";

const NAME = "API reference";
const SHAPE = /^pd_live_[0-9A-Za-z]{36}$/;

/** The key with which requests are tried: pasted, or made now. It is kept nowhere: closing the page forgets it. */
export function KeyPanel({
  apiKey,
  onChange,
}: {
  readonly apiKey: string;
  readonly onChange: (key: string) => void;
}) {
  const { demo, sign_up: hasPeople } = useFacts();
  const { email } = useSession();
  const [isShown, setShown] = useState(false);
  const isOdd = apiKey !== "" && !SHAPE.test(apiKey);
  return (
    <section aria-labelledby="your-key" className="key-panel">
      <h2 id="your-key" tabIndex={-1} className="anchored">
        Your key
      </h2>
      <Field
        label="API key"
        type={isShown ? "text" : "password"}
        value={apiKey}
        autoComplete="off"
        spellCheck={false}
        placeholder="pd_live_…"
        hint={
          <>
            Requests that you try here are sent with it and count as any others.
            It stays in this page’s memory alone.
            {demo && " The demo’s key stands in the terminal."}
          </>
        }
        problem={isOdd ? "A key is pd_live_ and 36 letters and digits." : null}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <div className="actions">
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
        {typeof email === "string" && <MakeKey onMade={onChange} />}
      </div>
      {hasPeople && email === null && (
        <p>
          <Link
            href={`${PAGE_PATHS["sign-in"]}?${new URLSearchParams({ next: PAGE_PATHS.reference })}`}
          >
            Sign in
          </Link>{" "}
          or <Link href={PAGE_PATHS["sign-up"]}>sign up</Link> to make one.
        </p>
      )}
    </section>
  );
}

function MakeKey({ onMade }: { readonly onMade: (key: string) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [isMade, setMade] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);

  async function make(): Promise<void> {
    setBusy(true);
    setFailure(null);
    const outcome = await ask<{ readonly secret: string }>("/account/keys", {
      method: "POST",
      body: { name: NAME },
    });
    setBusy(false);
    if (!outcome.ok) return setFailure(outcome.failure);
    setMade(true);
    return onMade(outcome.answer.data.secret);
  }

  return (
    <>
      <Button isBusy={isBusy} onClick={() => void make()}>
        Make a key for this page
      </Button>
      {isMade && (
        <Alert kind="success" title={`Made: a key named “${NAME}”`}>
          <p>
            Revoke it under <Link href={PAGE_PATHS.settings}>your account</Link>{" "}
            when you are done.
          </p>
        </Alert>
      )}
      {failure !== null && (
        <FailureAlert failure={failure} onRetry={() => void make()} />
      )}
    </>
  );
}
