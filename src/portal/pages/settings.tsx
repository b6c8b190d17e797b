import { useState } from "react";
import { MOST_ACTIVE_KEYS } from "../../contract/key-limits.ts";
import {
  NewKeyPanel,
  type NewKeyFacts,
} from "../account/keys/new-key-panel.tsx";
import { KeyRow } from "../account/keys/key-row.tsx";
import {
  MonthNotice,
  PaymentNotice,
} from "../account/usage/account-notices.tsx";
import { NewKeyDialog } from "../account/keys/new-key-dialog.tsx";
import { nameOfKey } from "../format.ts";
import type { OwnAccount, OwnKey } from "../../contract/account.ts";
import { RevokeDialog } from "../account/keys/revoke-dialog.tsx";
import { RotateDialog } from "../account/keys/rotate-dialog.tsx";
import { SettingsFailure, SettingsPage } from "../account/settings-page.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Skeleton } from "../components/loading.tsx";
import { useQuery, useQueryAll } from "../api/use-query.ts";
import styles from "../account/account.module.css";

export default function Settings() {
  return (
    <SettingsPage
      title="API keys"
      lead="You see a key only once, when you create it."
    >
      <Keys />
    </SettingsPage>
  );
}

/** What is being done to the keys. */
type Doing =
  | { readonly what: "nothing" }
  | { readonly what: "create" }
  | { readonly what: "rotate" | "revoke"; readonly key: OwnKey };

const NOTHING: Doing = { what: "nothing" };

function Keys() {
  const { answer, failure, retry } = useQueryAll<OwnKey>("/account/keys");
  const account = useQuery<OwnAccount>("/account");
  const [doing, setDoing] = useState<Doing>(NOTHING);
  /** Those that are not stored yet, the newest first. */
  const [fresh, setFresh] = useState<readonly NewKeyFacts[]>([]);
  const [said, setSaid] = useState("");
  const own = account.answer?.data ?? null;

  function done(sentence: string, facts: NewKeyFacts | null = null): void {
    setDoing(NOTHING);
    setSaid(sentence);
    if (facts !== null) setFresh([facts, ...fresh]);
    retry();
  }

  function close(): void {
    setDoing(NOTHING);
    // Something may have been done whose answer was lost.
    retry();
  }

  const keys = answer?.data ?? [];
  const active = keys.filter(({ state }) => state === "active");
  const ended = keys.filter(({ state }) => state !== "active");
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {own !== null && <PaymentNotice account={own} />}
      {own !== null && <MonthNotice account={own} />}
      {fresh.map((facts) => (
        <NewKeyPanel
          key={facts.secret}
          facts={facts}
          onStored={() => {
            setFresh(fresh.filter((each) => each !== facts));
            retry();
            focusHeading();
          }}
        />
      ))}
      <SettingsFailure failure={failure} onRetry={retry} />
      {answer === null && failure === null && <Skeleton lines={6} />}
      {answer !== null && (
        <>
          <NewKeyButton
            count={active.length}
            isSuspended={own?.status === "suspended"}
            onPress={() => setDoing({ what: "create" })}
          />
          {active.length === 0 && fresh.length === 0 && (
            <EmptyState title="You have no keys yet.">
              Create one to call the API.
            </EmptyState>
          )}
          {active.length > 0 && (
            <ul className={styles.rows} aria-label="Active keys">
              {active.map((key) => (
                <KeyRow
                  key={key.id}
                  facts={key}
                  onRotate={() => setDoing({ what: "rotate", key })}
                  onRevoke={() => setDoing({ what: "revoke", key })}
                />
              ))}
            </ul>
          )}
          {ended.length > 0 && (
            <details>
              <summary>Revoked and expired keys ({ended.length})</summary>
              <ul className={styles.rows} aria-label="Revoked and expired keys">
                {ended.map((key) => (
                  <KeyRow key={key.id} facts={key} />
                ))}
              </ul>
            </details>
          )}
        </>
      )}
      <NewKeyDialog
        isOpen={doing.what === "create"}
        known={keys}
        onClose={close}
        onMade={(facts) => done("Key created.", facts)}
      />
      {doing.what === "rotate" && (
        <RotateDialog
          old={doing.key}
          isFull={active.length >= MOST_ACTIVE_KEYS}
          known={keys}
          onClose={close}
          onMade={(facts) => done("Key rotated.", facts)}
        />
      )}
      {doing.what === "revoke" && (
        <RevokeDialog
          facts={doing.key}
          onClose={close}
          onRevoked={() => {
            done(`Key ${nameOfKey(doing.key)} revoked.`);
            // Its row goes, and what was pressed with it.
            focusHeading();
          }}
        />
      )}
    </>
  );
}

/** For when what had the focus goes. */
function focusHeading(): void {
  requestAnimationFrame(() => document.querySelector("h1")?.focus());
}

/** While it can do nothing it says why, and takes the focus all the same. */
function NewKeyButton({
  count,
  isSuspended,
  onPress,
}: {
  readonly count: number;
  readonly isSuspended: boolean;
  readonly onPress: () => void;
}) {
  const isFull = count >= MOST_ACTIVE_KEYS;
  const reason = isSuspended
    ? "Your account is suspended, so you can’t create keys."
    : isFull
      ? `You have ${MOST_ACTIVE_KEYS} active keys, the maximum. Revoke one you don’t need, or rotate one and have the old key expire immediately.`
      : null;
  return (
    <div className={styles.listHead}>
      <p id="new-key-reason">
        {reason ?? `${count} of ${MOST_ACTIVE_KEYS} keys in use.`}
      </p>
      <Button
        look="primary"
        isOff={reason !== null}
        aria-describedby={reason === null ? undefined : "new-key-reason"}
        onClick={onPress}
      >
        New key
      </Button>
    </div>
  );
}
