import { useState } from "react";
import { KEY_PATTERN } from "../../contract/key-limits.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { KeyOutcome } from "../account/keys/make-key-form.tsx";
import type { OwnKey } from "../../contract/account.ts";
import { useMutation } from "../api/use-mutation.ts";
import { useMakeKey } from "../account/keys/use-make-key.ts";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { useConfig } from "../api/config.ts";
import { Link } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import readingStyles from "../guide/reading.module.css";
import styles from "./reference.module.css";

const NAME = "API reference";

/** The key with which requests are tried: pasted, or made now. It is stored nowhere: closing the page forgets it. */
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
  const isOdd = apiKey !== "" && !KEY_PATTERN.test(apiKey);
  return (
    <section aria-labelledby="your-key" className={styles.keyPanel}>
      <h2 id="your-key" tabIndex={-1} className={readingStyles.anchored}>
        Your API key
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
            Requests you try here use this key and count toward its quota. The
            key is forgotten when you reload the page.
            {demo && " The demo prints its key in the terminal."}
          </>
        }
        problem={
          isOdd ? "A key is pd_live_ followed by 36 letters and digits." : null
        }
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <div className={styles.actions}>
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
        {typeof email === "string" && (
          <MakeKey isNeeded={apiKey === ""} onMade={onChange} />
        )}
      </div>
      {!hasSignUp && !demo && (
        <p>Ask the operator of this service for an API key.</p>
      )}
      {hasSignUp && email === null && (
        <p>
          <Link
            href={`${PAGE_PATHS["sign-in"]}?${new URLSearchParams({ next: PAGE_PATHS.reference })}`}
          >
            Sign in
          </Link>{" "}
          or <Link href={PAGE_PATHS["sign-up"]}>sign up</Link> to create one.
        </p>
      )}
    </section>
  );
}

/**
 * Makes the one key of this page. Nobody can show a key again, so that a later visit needs another: it takes the place of
 * the one before, which ends at once.
 */
function MakeKey({
  isNeeded,
  onMade,
}: {
  readonly isNeeded: boolean;
  readonly onMade: (key: string) => void;
}) {
  const [made, setMade] = useState<"new" | "rotated" | null>(null);
  const listing = useMutation();
  const making = useMakeKey(null);

  async function make(): Promise<void> {
    const listed = await listing.run<OwnKey[]>("/account/keys", {
      method: "GET",
    });
    if (listed === null) return;
    const before = listed.data.find(
      ({ name, state }) => name === NAME && state === "active",
    );
    const answer = await (before === undefined
      ? making.make("/account/keys", { name: NAME })
      : making.make(`/account/keys/${before.id}/rotate`, { overlap: "0" }));
    if (answer === null) return;
    setMade(before === undefined ? "new" : "rotated");
    onMade(answer.data.secret);
  }

  return (
    <>
      {isNeeded && making.lost === null && (
        <Button
          isBusy={listing.isBusy || making.isBusy}
          onClick={() => void make()}
        >
          Create a key for this page
        </Button>
      )}
      {made !== null && (
        <Alert kind="success" title={`Created a key named “${NAME}”`}>
          <p>
            {made === "rotated" &&
              "It replaces the key you created here before, which no longer works.  "}
            Revoke it in <Link href={PAGE_PATHS.settings}>API keys</Link> when
            you’re done.
          </p>
        </Alert>
      )}
      <MutationError of={listing} onRetry={() => void make()} />
      <KeyOutcome making={making} onRetry={() => void make()} />
    </>
  );
}

/** The key that was pasted or made, and who was signed in then. It is gone when the page is loaded again. */
let kept: { readonly key: string; readonly email: string | null } = {
  key: "",
  email: null,
};

/** The key with which requests are tried. It stays while the reader goes to other pages, unless somebody else signs in. */
export function useKeptKey(): readonly [string, (key: string) => void] {
  const { email = null } = useSession();
  const isOthers = kept.email !== null && kept.email !== email;
  const [key, setKey] = useState(isOthers ? "" : kept.key);
  function keep(next: string): void {
    kept = { key: next, email };
    setKey(next);
  }
  return [key, keep];
}
