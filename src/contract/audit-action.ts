/** The actions in the audit log. */
export const AUDIT_ACTIONS = [
  "account_created",
  "account_claimed",
  "account_suspended",
  "account_resumed",
  "account_deleted",
  "sign_up_removed",
  "plan_set",
  "key_created",
  "key_rotated",
  "key_taken_back",
  "key_revoked",
  "password_changed",
  "password_reset",
  "two_factor_enabled",
  "two_factor_disabled",
  "recovery_codes_made",
  "recovery_code_used",
  "subscription_changed",
  "accounts_migrated",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
