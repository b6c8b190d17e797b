/** What the audit log calls what is done to accounts. */
export type AuditAction =
  | "account_created"
  | "account_claimed"
  | "account_suspended"
  | "account_resumed"
  | "account_deleted"
  | "sign_up_removed"
  | "plan_set"
  | "key_created"
  | "key_rotated"
  | "key_revoked"
  | "password_changed"
  | "password_reset"
  | "subscription_changed"
  | "accounts_migrated";
