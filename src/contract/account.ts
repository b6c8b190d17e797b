import { Type } from "typebox";
import type { Static } from "typebox";
import { MAX_KEY_NAME_LENGTH, OVERLAP_NAMES } from "./credentials.ts";
import { nullable, nullableText, strict, text } from "./schemas.ts";
import { OPERATIONS } from "./operation.ts";

/** The actions in the audit log. */
const AUDIT_ACTIONS = [
  "account_created",
  "account_claimed",
  "account_suspended",
  "account_resumed",
  "account_deleted",
  "sign_up_removed",
  "plan_set",
  "key_created",
  "key_renamed",
  "key_rotated",
  "key_taken_back",
  "key_revoked",
  "address_changed",
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

/**
 * Schemas and types of the answers and bodies under `/account`. Times are ISO 8601, UTC. `x-rule` completes the error
 * message `The body's "<name>" must be …`.
 */

const Subscription = Type.Object({
  status: text("Stripe's status, such as `past_due` after a failed payment."),
  ends_at: nullableText("When it ends, if the user canceled it."),
});

/** `GET /account` */
const AccountInfo = Type.Object({
  email: Type.String(),
  plan: Type.String(),
  status: Type.Enum(["active", "suspended"]),
  quota: Type.Integer(),
  used: Type.Integer(),
  remaining: Type.Integer(),
  resets_at: text("The start of next month."),
  requests_per_second: Type.Integer(),
  created_at: Type.String(),
  subscription: nullable(
    Subscription,
    "The active subscription; null if there is none.",
  ),
});

/** A key in `GET /account/keys`. */
const KeyInfo = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  prefix: Type.String(),
  last_four: Type.String(),
  state: Type.Enum(["active", "expired", "revoked"]),
  created_at: Type.String(),
  last_used_at: nullableText("Null if never used."),
  expires_at: nullableText("Null if it does not expire."),
  revoked_at: nullableText("Null if not revoked."),
  replaced_by: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description:
      "The id of the key that replaced it in a rotation, which may be deleted by now.",
  }),
  used_this_month: Type.Integer(),
});

/** A new key; the only answer that contains the whole key. */
const NewKey = Type.Object({ ...KeyInfo.properties, secret: Type.String() });

/** A row of `GET /account/usage`. */
const UsageRow = Type.Object({
  day: text("Such as `2026-11-21`, UTC."),
  key_id: Type.Integer(),
  operation: Type.Enum([...OPERATIONS]),
  used: Type.Integer(),
});

/** A row of `GET /account/log`. */
const LogRow = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  actor: Type.Enum(["you", "operator", "service"]),
  action: Type.Enum([...AUDIT_ACTIONS]),
  detail: Type.String(),
});

const NoMeta = strict({});

const PageMeta = Type.Object({
  count: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
});

/** `GET /account` */
export const AccountAnswer = Type.Object({ data: AccountInfo, meta: NoMeta });

/** `GET /account/keys` */
export const KeysAnswer = Type.Object({
  data: Type.Array(KeyInfo),
  meta: PageMeta,
});

/** `POST /account/keys` */
export const NewKeyAnswer = Type.Object({ data: NewKey, meta: NoMeta });

/** `DELETE /account/keys/{id}`, and `POST /account/keys/{id}/rename` */
export const ChangedKeyAnswer = Type.Object({ data: KeyInfo, meta: NoMeta });

/** `POST /account/keys/{id}/rotate` */
export const RotatedKeyAnswer = Type.Object({
  data: NewKey,
  meta: Type.Object({ replaces: KeyInfo }),
});

/** `GET /account/usage` */
export const UsageAnswer = Type.Object({
  data: Type.Array(UsageRow),
  meta: Type.Object({ days: Type.Integer(), ...PageMeta.properties }),
});

/** `GET /account/log` */
export const LogAnswer = Type.Object({
  data: Type.Array(LogRow),
  meta: PageMeta,
});

/** `POST /account/billing/checkout` and `/portal`: a page at Stripe. */
export const RedirectAnswer = Type.Object({
  data: Type.Object({ url: Type.String() }),
  meta: NoMeta,
});

export type AccountInfo = Static<typeof AccountInfo>;
export type KeyInfo = Static<typeof KeyInfo>;
export type NewKey = Static<typeof NewKey>;
export type UsageRow = Static<typeof UsageRow>;
export type LogRow = Static<typeof LogRow>;

const KEY_NAME_RULE = `one line of at most ${MAX_KEY_NAME_LENGTH} characters`;

/** `POST /account/keys` */
export const NewKeyBody = strict({
  name: Type.String({ default: "", "x-rule": KEY_NAME_RULE }),
  expires_at: Type.String({
    default: "",
    "x-rule":
      "a date (2027-02-20) or a time (2027-02-20T12:00:00Z) in the future, at most five years ahead; leave it out for a key that never expires",
  }),
});

/** `POST /account/keys/{id}/rename` */
export const KeyNameBody = strict({
  name: Type.String({ "x-rule": KEY_NAME_RULE }),
});

/** `POST /account/keys/{id}/rotate` */
export const RotationBody = strict({
  overlap: Type.Enum([...OVERLAP_NAMES], { "x-rule": "0, 1h, 24h or 7d" }),
});

/** `POST /account/email` */
export const AddressBody = strict({
  email: Type.String({
    "x-rule": "a valid email address, and not the present one",
  }),
  password: Type.String({
    default: "",
    "x-rule": "the password, as a string",
  }),
});

/** `DELETE /account` */
export const DeletionBody = strict({
  password: Type.String({
    default: "",
    "x-rule": "the password, as a string",
  }),
});

/** `POST /account/billing/checkout` */
export const CheckoutBody = strict({ plan: Type.String() });

/** `POST /account/billing/portal` */
export const NoMembersBody = strict({});
