import { Button } from "../../components/button.tsx";
import { nameOfKey, quantity } from "../../format.ts";
import type { OwnKey } from "../../../contract/account.ts";
import { DateText } from "../date-text.tsx";
import styles from "../account.module.css";

/** A key in the list; without anything that can be done to it when it has ended. */
export function KeyRow({
  facts,
  onRevoke,
  onRotate,
}: {
  readonly facts: OwnKey;
  readonly onRotate?: () => void;
  readonly onRevoke?: () => void;
}) {
  const name = nameOfKey(facts);
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <h2 className={styles.rowName}>{name}</h2>
        <State facts={facts} />
      </div>
      <code className={styles.rowCode}>
        {facts.prefix}…{facts.last_four}
      </code>
      <dl className={styles.rowFacts}>
        <div>
          <dt>Created</dt>
          <dd>
            <DateText at={facts.created_at} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            {facts.last_used_at === null ? (
              "never"
            ) : (
              <DateText at={facts.last_used_at} />
            )}
          </dd>
        </div>
        <div>
          <dt>Requests this month</dt>
          <dd>{quantity(facts.used_this_month)}</dd>
        </div>
        {facts.state === "active" && facts.expires_at !== null && (
          <div>
            <dt>Expires</dt>
            <dd>
              <DateText at={facts.expires_at} />
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

function State({ facts }: { readonly facts: OwnKey }) {
  const { expires_at: end, revoked_at: revoked, state } = facts;
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
  return endsSoon(facts) ? (
    <span className={`${styles.tag} ${styles.tagWarning}`}>Expires soon</span>
  ) : (
    <span className={`${styles.tag} ${styles.tagGood}`}>Active</span>
  );
}

const SOON_MS = 7 * 86_400_000;

/** Whether a key ends within a week. */
function endsSoon({ expires_at: end }: OwnKey): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}
