import { useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { MAX_ACTIVE_KEYS } from "../../contract/credentials.ts";
import {
  NewKeyPanel,
  type CreatedKey,
} from "../account/keys/new-key-panel.tsx";
import {
  QuotaNotice,
  PaymentNotice,
} from "../account/usage/account-notices.tsx";
import {
  NewKeyDialog,
  RotateDialog,
  RenameDialog,
  RevokeDialog,
} from "../account/keys/key-dialogs.tsx";
import { keyName, formatCount } from "../format.ts";
import type { AccountInfo, KeyInfo } from "../../contract/account.ts";
import { SettingsFailure, SettingsPage } from "../account/settings-page.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Skeleton, Facts, Tag, DateText } from "../components/elements.tsx";
import { useQuery, useQueryAll } from "../api/use-query.ts";
import styles from "../account/account.module.css";

export default function Settings() {
  return (
    <SettingsPage
      title={PAGE_TITLES.settings}
      lead="A new key is shown only once."
    >
      <Keys />
    </SettingsPage>
  );
}

/** The dialog that is open, and its key. */
type OpenDialog =
  | { readonly kind: "none" }
  | { readonly kind: "create" }
  | { readonly kind: "rename" | "rotate" | "revoke"; readonly key: KeyInfo };

const NO_DIALOG: OpenDialog = { kind: "none" };

function Keys() {
  const { answer, failure, retry } = useQueryAll<KeyInfo>("/account/keys");
  const account = useQuery<AccountInfo>("/account");
  const [dialog, setDialog] = useState<OpenDialog>(NO_DIALOG);
  /** Keys that the user hasn't saved yet, newest first. */
  const [created, setCreated] = useState<readonly CreatedKey[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const own = account.answer?.data ?? null;

  function done(sentence: string, key: CreatedKey | null = null): void {
    setDialog(NO_DIALOG);
    setAnnouncement(sentence);
    if (key !== null) setCreated([key, ...created]);
    retry();
  }

  function close(): void {
    setDialog(NO_DIALOG);
    // A change may have worked although its response was lost.
    retry();
  }

  const keys = answer?.data ?? [];
  // A key that is replaced, and works only for a while, comes last.
  const active = keys
    .filter(({ state }) => state === "active")
    .sort((one, other) => Number(isReplaced(one)) - Number(isReplaced(other)));
  const inactive = keys.filter(({ state }) => state !== "active");
  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {own !== null && <PaymentNotice account={own} />}
      {own !== null && <QuotaNotice account={own} />}
      {created.map((key) => (
        <NewKeyPanel
          key={key.secret}
          createdKey={key}
          onStored={() => {
            setCreated(created.filter((each) => each !== key));
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
            onClick={() => setDialog({ kind: "create" })}
          />
          {active.length === 0 && created.length === 0 && (
            <EmptyState title="You have no keys yet.">
              Create one to call the API.
            </EmptyState>
          )}
          {active.length > 0 && (
            <ul className={styles.rows} aria-label="Active keys">
              {active.map((key) => (
                <KeyRow
                  key={key.id}
                  apiKey={key}
                  successor={keys.find(({ id }) => id === key.replaced_by)}
                  onRename={() => setDialog({ kind: "rename", key })}
                  onRotate={() => setDialog({ kind: "rotate", key })}
                  onRevoke={() => setDialog({ kind: "revoke", key })}
                />
              ))}
            </ul>
          )}
          {inactive.length > 0 && (
            <details>
              <summary>Revoked and expired keys ({inactive.length})</summary>
              <ul className={styles.rows} aria-label="Revoked and expired keys">
                {inactive.map((key) => (
                  <KeyRow key={key.id} apiKey={key} />
                ))}
              </ul>
            </details>
          )}
        </>
      )}
      {dialog.kind === "create" && (
        <NewKeyDialog
          existingKeys={keys}
          onClose={close}
          onCreated={(key) => done("Key created.", key)}
        />
      )}
      {dialog.kind === "rotate" && (
        <RotateDialog
          old={dialog.key}
          isFull={active.length >= MAX_ACTIVE_KEYS}
          existingKeys={keys}
          onClose={close}
          onCreated={(key) => done("Key rotated.", key)}
        />
      )}
      {dialog.kind === "rename" && (
        <RenameDialog
          apiKey={dialog.key}
          onClose={close}
          onRenamed={() => done("Key renamed.")}
        />
      )}
      {dialog.kind === "revoke" && (
        <RevokeDialog
          apiKey={dialog.key}
          onClose={close}
          onRevoked={() => {
            done(`Key ${keyName(dialog.key)} revoked.`);
            // The pressed button disappears with its row.
            focusHeading();
          }}
        />
      )}
    </>
  );
}

/** Moves the focus when the focused element disappears. */
function focusHeading(): void {
  requestAnimationFrame(() => document.querySelector("h1")?.focus());
}

/** Says why the button is disabled, and can be focused then. */
function NewKeyButton({
  count,
  isSuspended,
  onClick,
}: {
  readonly count: number;
  readonly isSuspended: boolean;
  readonly onClick: () => void;
}) {
  const isFull = count >= MAX_ACTIVE_KEYS;
  const reason = isSuspended
    ? "Your account is suspended, so you can’t create keys."
    : isFull
      ? `You have ${MAX_ACTIVE_KEYS} active keys, the maximum. Revoke one you don’t need, or rotate one and have the old key expire immediately.`
      : null;
  return (
    <div className={styles.listHead}>
      <p id="new-key-reason">
        {reason ?? `${count} of ${MAX_ACTIVE_KEYS} keys in use.`}
      </p>
      <Button
        look="primary"
        isInactive={reason !== null}
        aria-describedby={reason === null ? undefined : "new-key-reason"}
        onClick={onClick}
      >
        New key
      </Button>
    </div>
  );
}

/** True if a rotation replaced the key. */
function isReplaced({ replaced_by: successor }: KeyInfo): boolean {
  return successor !== null;
}

/** Shows a key in the list, without buttons if their functions are missing; a replaced key can't be rotated again. */
function KeyRow({
  apiKey,
  onRename,
  onRevoke,
  onRotate,
  successor,
}: {
  readonly apiKey: KeyInfo;
  /** The key that replaced it, if it is still there. */
  readonly successor?: KeyInfo | undefined;
  readonly onRename?: () => void;
  readonly onRotate?: () => void;
  readonly onRevoke?: () => void;
}) {
  const name = keyName(apiKey);
  const { expires_at: end, last_used_at: usedAt } = apiKey;
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <h2 className={styles.rowName}>{name}</h2>
        <State apiKey={apiKey} />
      </div>
      <code className={styles.rowCode}>
        {apiKey.prefix}…{apiKey.last_four}
      </code>
      <Facts
        className={styles.rowFacts}
        facts={[
          ["Created", <DateText key="at" at={apiKey.created_at} />],
          [
            "Last used",
            usedAt === null ? "Never" : <DateText key="at" at={usedAt} />,
          ],
          ["Requests this month", formatCount(apiKey.used_this_month)],
          [
            "Expires",
            apiKey.state === "active" &&
              end !== null &&
              !isReplaced(apiKey) && <DateText key="at" at={end} />,
          ],
        ]}
      />
      {apiKey.state === "active" && end !== null && isReplaced(apiKey) && (
        <p className={styles.rowFacts}>
          <span>
            Ends on <DateText at={end} />
            {successor !== undefined && (
              <>
                , replaced by{" "}
                <code>
                  {successor.prefix}…{successor.last_four}
                </code>
              </>
            )}
            .
          </span>
        </p>
      )}
      {onRevoke !== undefined && (
        <div className={styles.rowActions}>
          <Button onClick={onRename} aria-label={`Rename ${name}`}>
            Rename
          </Button>
          {!isReplaced(apiKey) && (
            <Button onClick={onRotate} aria-label={`Rotate ${name}`}>
              Rotate
            </Button>
          )}
          <Button onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}

function State({ apiKey }: { readonly apiKey: KeyInfo }) {
  const { expires_at: end, revoked_at: revoked, state } = apiKey;
  if (state === "revoked")
    return <Tag>Revoked{revoked !== null && <DateText at={revoked} />}</Tag>;
  if (state === "expired")
    return <Tag>Expired{end !== null && <DateText at={end} />}</Tag>;
  return isReplaced(apiKey) || expiresSoon(apiKey) ? (
    <Tag look="warning">{isReplaced(apiKey) ? "Replaced" : "Expires soon"}</Tag>
  ) : (
    <Tag look="good">Active</Tag>
  );
}

const SOON_MS = 7 * 86_400_000;

/** True if a key expires within a week. */
function expiresSoon({ expires_at: end }: KeyInfo): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}
