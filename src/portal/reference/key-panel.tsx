import { useState, useSyncExternalStore } from "react";
import { KEY_PATTERN } from "../../contract/credentials.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { KeyOutcome, useCreateKey } from "../account/keys/create-key.tsx";
import type { KeyInfo } from "../../contract/account.ts";
import { withQuery } from "../account/sign-in/next-path.ts";
import { useMutation } from "../api/use-mutation.ts";
import { Alert } from "../components/elements.tsx";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Operator } from "../components/operator.tsx";
import { useConfig } from "../api/config.ts";
import { Link } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import readingStyles from "../guide/reading.module.css";
import styles from "./reference.module.css";
import { keepKey, keptKey, onKeptKey } from "../api/kept-key.ts";

const NAME = "API reference";
const COME_BACK = { next: PAGE_PATHS.reference };

/** Asks for the key for trying requests: pasted, or created here. It is kept in this tab. */
export function KeyPanel({
  apiKey,
  onChange,
}: {
  readonly apiKey: string;
  readonly onChange: (key: string) => void;
}) {
  const { demo, sign_up: hasSignUp } = useConfig();
  const { email } = useSession();
  const [isShown, setShown] = useState(false);
  const isMalformed = apiKey !== "" && !KEY_PATTERN.test(apiKey);
  return (
    <section aria-labelledby="your-key" className={styles.keyPanel}>
      <h2 id="your-key" tabIndex={-1} className={readingStyles.anchored}>
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
            Requests you try here use this key and count toward its quota. This
            tab keeps the key until you forget it, sign out, or close the tab.
            {demo && " The demo prints its key in the terminal."}
          </>
        }
        problem={
          isMalformed
            ? "A key is pd_live_ followed by 36 letters and digits."
            : null
        }
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <div className={styles.actions}>
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
        {apiKey !== "" && (
          <Button
            onClick={() => {
              onChange("");
              document.getElementById("your-key")?.focus();
            }}
          >
            Forget key
          </Button>
        )}
        {typeof email === "string" && (
          <CreateKeyButton isNeeded={apiKey === ""} onCreated={onChange} />
        )}
      </div>
      {!hasSignUp && !demo && (
        <p>
          Ask <Operator /> for an API key.
        </p>
      )}
      {hasSignUp && email === null && (
        <p>
          <Link href={withQuery(PAGE_PATHS["sign-in"], COME_BACK)}>
            Sign in
          </Link>{" "}
          or{" "}
          <Link href={withQuery(PAGE_PATHS["sign-up"], COME_BACK)}>
            sign up
          </Link>{" "}
          to create one.
        </p>
      )}
    </section>
  );
}

/**
 * Creates this page's key. A key can't be shown again, so a later visit creates another one. It replaces the last one,
 * which expires immediately.
 */
function CreateKeyButton({
  isNeeded,
  onCreated,
}: {
  readonly isNeeded: boolean;
  readonly onCreated: (key: string) => void;
}) {
  const [created, setCreated] = useState<"new" | "rotated" | null>(null);
  const listing = useMutation();
  const creation = useCreateKey(null);

  async function create(): Promise<void> {
    const listed = await listing.run<KeyInfo[]>("/account/keys", {
      method: "GET",
    });
    if (listed === null) return;
    const before = listed.data.find(
      ({ name, state }) => name === NAME && state === "active",
    );
    const answer = await (before === undefined
      ? creation.create("/account/keys", { name: NAME })
      : creation.create(`/account/keys/${before.id}/rotate`, { overlap: "0" }));
    if (answer === null) return;
    setCreated(before === undefined ? "new" : "rotated");
    onCreated(answer.data.secret);
  }

  return (
    <>
      {isNeeded && creation.lost === null && (
        <Button
          isBusy={listing.isBusy || creation.isBusy}
          onClick={() => void create()}
        >
          Create a key for this page
        </Button>
      )}
      {created !== null && (
        <Alert kind="success" title={`Created a key named “${NAME}”`}>
          <p>
            {created === "rotated" &&
              "It replaces the key you created here before, which no longer works.  "}
            Revoke it in <Link href={PAGE_PATHS.settings}>API keys</Link> when
            you’re done.
          </p>
        </Alert>
      )}
      <MutationError of={listing} onRetry={() => void create()} />
      <KeyOutcome creation={creation} onRetry={() => void create()} />
    </>
  );
}

/**
 * Returns the key for trying requests, and how to change it. It is kept for this tab's visit. The key of a signed-in
 * user shows only while that user is signed in.
 */
export function useEnteredKey(): readonly [string, (key: string) => void] {
  const { email } = useSession();
  const kept = useSyncExternalStore(onKeptKey, keptKey);
  const isOthers = kept.email !== null && kept.email !== email;
  return [
    isOthers ? "" : kept.key,
    (key) => keepKey({ key, email: email ?? null }),
  ];
}
