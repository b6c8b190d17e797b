import { Button } from "../../components/button.tsx";
import { keyName, formatCount } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { DateText } from "../date-text.tsx";
import styles from "../account.module.css";

/** A key in the list. Without `onRotate` and `onRevoke` it has no buttons. */
export function KeyRow({
  apiKey,
  onRevoke,
  onRotate,
}: {
  readonly apiKey: KeyInfo;
  readonly onRotate?: () => void;
  readonly onRevoke?: () => void;
}) {
  const name = keyName(apiKey);
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <h2 className={styles.rowName}>{name}</h2>
        <State apiKey={apiKey} />
      </div>
      <code className={styles.rowCode}>
        {apiKey.prefix}…{apiKey.last_four}
      </code>
      <dl className={styles.rowFacts}>
        <div>
          <dt>Created</dt>
          <dd>
            <DateText at={apiKey.created_at} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            {apiKey.last_used_at === null ? (
              "never"
            ) : (
              <DateText at={apiKey.last_used_at} />
            )}
          </dd>
        </div>
        <div>
          <dt>Requests this month</dt>
          <dd>{formatCount(apiKey.used_this_month)}</dd>
        </div>
        {apiKey.state === "active" && apiKey.expires_at !== null && (
          <div>
            <dt>Expires</dt>
            <dd>
              <DateText at={apiKey.expires_at} />
            </dd>
          </div>
        )}
      </dl>
      {onRotate !== undefined && (
        <div className={styles.rowActions}>
          <Button onClick={onRotate} aria-label={`Rotate ${name}`}>
            Rotate
          </Button>
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
    return (
      <span className={styles.tag}>
        Revoked{revoked !== null && <DateText at={revoked} />}
      </span>
    );
  if (state === "expired")
    return (
      <span className={styles.tag}>
        Expired{end !== null && <DateText at={end} />}
      </span>
    );
  return expiresSoon(apiKey) ? (
    <span className={`${styles.tag} ${styles.tagWarning}`}>Expires soon</span>
  ) : (
    <span className={`${styles.tag} ${styles.tagGood}`}>Active</span>
  );
}

const SOON_MS = 7 * 86_400_000;

/** True if a key expires within a week. */
function expiresSoon({ expires_at: end }: KeyInfo): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}
