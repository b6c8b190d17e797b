import { useState } from "react";
import type { LogRow, AuditAction } from "../../../contract/account.ts";
import { Button } from "../../components/button.tsx";
import { Skeleton, DateText } from "../../components/elements.tsx";
import { Table } from "../../components/table.tsx";
import { useQuery } from "../../api/use-query.ts";
import { SettingsFailure } from "../settings-page.tsx";
import styles from "../account.module.css";

const ACTORS: Readonly<Record<LogRow["actor"], string>> = {
  you: "You",
  operator: "The operator",
  service: "The service",
};

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  account_created: "Account created",
  account_claimed: "Account claimed",
  account_suspended: "Account suspended",
  account_resumed: "Account resumed",
  account_deleted: "Account deleted",
  sign_up_removed: "Sign-up removed",
  plan_set: "Plan changed",
  key_created: "Key created",
  key_renamed: "Key renamed",
  key_rotated: "Key rotated",
  key_taken_back: "Key withdrawn",
  key_revoked: "Key revoked",
  address_changed: "Email address changed",
  password_changed: "Password changed",
  password_reset: "Password reset",
  two_factor_enabled: "Two-factor authentication turned on",
  two_factor_disabled: "Two-factor authentication turned off",
  recovery_codes_made: "Recovery codes created",
  recovery_code_used: "Recovery code used",
  subscription_changed: "Subscription changed",
  accounts_migrated: "Accounts migrated",
};

const ROWS = 20;

const COLUMNS = [
  { title: "When", cell: ({ at }: LogRow) => <DateText at={at} /> },
  { title: "Who", cell: ({ actor }: LogRow) => ACTORS[actor] },
  { title: "What", cell: ({ action }: LogRow) => ACTIONS[action] },
  { title: "Details", cell: ({ detail }: LogRow) => detail },
];

/** Lists what happened in the account, newest first. */
export function AccountLog() {
  const [page, setPage] = useState(1);
  const { answer, failure, retry } = useQuery<
    LogRow[],
    { readonly total: number }
  >(`/account/log?limit=${ROWS}&page=${page}`);
  const last = Math.ceil((answer?.meta.total ?? 0) / ROWS);
  return (
    <section aria-labelledby="log">
      <h2 id="log">Account log</h2>
      <p className="hint">
        If you don’t recognize an entry, change your password, end all other
        sessions, and revoke any key you don’t know.
      </p>
      <SettingsFailure failure={failure} onRetry={retry} />
      {answer === null && failure === null && <Skeleton lines={4} />}
      {answer !== null && (
        <Table
          caption="Log entries"
          columns={COLUMNS}
          rows={answer.data}
          keyOf={({ id }) => id}
        />
      )}
      {last > 1 && (
        <div className={styles.rowActions}>
          <Button isInactive={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button isInactive={page >= last} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </section>
  );
}
