import { Facts, Tag, DateText } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { keyName, formatCount } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import styles from "../account.module.css";

/** Shows a key in the list, without buttons if `onRotate` and `onRevoke` are missing. */
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
            usedAt === null ? "never" : <DateText key="at" at={usedAt} />,
          ],
          ["Requests this month", formatCount(apiKey.used_this_month)],
          [
            "Expires",
            apiKey.state === "active" && end !== null && (
              <DateText key="at" at={end} />
            ),
          ],
        ]}
      />
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
    return <Tag>Revoked{revoked !== null && <DateText at={revoked} />}</Tag>;
  if (state === "expired")
    return <Tag>Expired{end !== null && <DateText at={end} />}</Tag>;
  return expiresSoon(apiKey) ? (
    <Tag look="warning">Expires soon</Tag>
  ) : (
    <Tag look="good">Active</Tag>
  );
}

const SOON_MS = 7 * 86_400_000;

/** True if a key expires within a week. */
function expiresSoon({ expires_at: end }: KeyInfo): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}
