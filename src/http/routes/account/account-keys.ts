import { parseMoment } from "../../../accounts/keys/key-selector.ts";
import {
  shownKey,
  type CreateKeyOutcome,
  type KeyRecord,
  type RenameKeyOutcome,
  type RevokeKeyOutcome,
  type RotateKeyOutcome,
} from "../../../accounts/keys/keys.ts";
import {
  ChangedKeyAnswer,
  KeyNameBody,
  KeysAnswer,
  NewKeyAnswer,
  NewKeyBody,
  RotatedKeyAnswer,
  RotationBody,
  type NewKey,
  type KeyInfo,
} from "../../../contract/account.ts";
import { accountSuspended } from "../../access/failures.ts";
import { json, type Call, type Reply } from "../../call.ts";
import { must, Refusal, type Failure } from "../../pipeline/failure.ts";
import {
  accountRoute,
  isoTime,
  listRoute,
  readPage,
  type AccountRequest,
  perHour,
} from "./account-route.ts";
import { bodyReader, invalidMember } from "./request-body.ts";

/** The largest value of the id column; PostgreSQL fails on larger ones. */
const MAX_KEY_ID = 2_147_483_647;

const readNewKey = bodyReader(NewKeyBody);
const readName = bodyReader(KeyNameBody);
const readRotation = bodyReader(RotationBody);

/** `/account/keys`: the signed-in user's API keys. */
export const KEY_ROUTES = [
  listRoute(
    "/account/keys",
    KeysAnswer,
    readPage,
    async ({ account, auth: { accounts } }, rows) => {
      const keys = await accounts.keys.page(account.id, rows);
      const total = await accounts.keys.count(account.id);
      return { data: keys.map(factsOf), total };
    },
  ),
  accountRoute({
    method: "POST",
    path: "/account/keys",
    answer: NewKeyAnswer,
    limit: perHour(20),
    act: createKey,
  }),
  accountRoute({
    method: "DELETE",
    path: "/account/keys/:id",
    answer: ChangedKeyAnswer,
    limit: perHour(60),
    act: revokeKey,
  }),
  accountRoute({
    method: "POST",
    path: "/account/keys/:id/rename",
    answer: ChangedKeyAnswer,
    limit: perHour(60),
    act: renameKey,
  }),
  accountRoute({
    method: "POST",
    path: "/account/keys/:id/rotate",
    answer: RotatedKeyAnswer,
    limit: perHour(20),
    act: rotateKey,
  }),
];

async function createKey(request: AccountRequest): Promise<Reply> {
  const { account, auth, call, user } = request;
  const { expires_at: given, name } = must(readNewKey(call.body));
  const end = parseMoment(given);
  if (end === null && given !== "")
    throw new Refusal(keyFailure({ outcome: "invalid_end" }));
  mustBeActive(request);
  const made = await auth.accounts.keys.create(
    account.email,
    name,
    end === null ? null : () => end,
  );
  if (made.outcome !== "created") throw new Refusal(keyFailure(made));
  auth.notify(user, { of: "key_created", key: shownKey(made.record) });
  return json({ data: withSecret(made.record, made.key), meta: {} }, [], 201);
}

async function rotateKey(request: AccountRequest): Promise<Reply> {
  const { account, auth, call, user } = request;
  const { overlap } = must(readRotation(call.body));
  mustBeActive(request);
  const { email } = account;
  const rotated = await auth.accounts.keys.rotate(keyIdOf(call), overlap, {
    email,
  });
  if (rotated.outcome !== "rotated") throw new Refusal(keyFailure(rotated));
  const { key, old, record } = rotated;
  auth.notify(user, {
    of: "key_rotated",
    key: shownKey(old),
    successor: shownKey(record),
  });
  const meta = { replaces: factsOf(old) };
  return json({ data: withSecret(record, key), meta }, [], 201);
}

async function renameKey({
  account: { email },
  auth,
  call,
}: AccountRequest): Promise<Reply> {
  const { name } = must(readName(call.body));
  const renamed = await auth.accounts.keys.rename(keyIdOf(call), name, {
    email,
  });
  if (renamed.outcome !== "renamed") throw new Refusal(keyFailure(renamed));
  return json({ data: factsOf(renamed.record), meta: {} });
}

async function revokeKey({
  account: { email },
  auth,
  call,
  user,
}: AccountRequest): Promise<Reply> {
  const revoked = await auth.accounts.keys.revoke(keyIdOf(call), { email });
  if (revoked.outcome !== "revoked") throw new Refusal(keyFailure(revoked));
  auth.notify(user, { of: "key_revoked", key: shownKey(revoked.record) });
  return json({ data: factsOf(revoked.record), meta: {} });
}

/** Reads the key's ID in the path; -1 if it is not a valid one. */
function keyIdOf({ params: { id = "" } }: Call): number {
  const number = /^[1-9][0-9]{0,9}$/.test(id) ? Number(id) : -1;
  return number <= MAX_KEY_ID ? number : -1;
}

function mustBeActive({ account }: AccountRequest): void {
  if (account.suspendedAt !== null)
    throw new Refusal(
      accountSuspended("This account is suspended and cannot create keys."),
    );
}

/** Describes a key for its owner; times are ISO 8601, UTC. */
function factsOf(key: KeyRecord): KeyInfo {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: key.state,
    created_at: new Date(key.createdAt).toISOString(),
    last_used_at: isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
    replaced_by: key.replacedBy,
    used_this_month: key.usedThisMonth,
  };
}

function withSecret(key: KeyRecord, secret: string): NewKey {
  return { ...factsOf(key), secret };
}

/** Says why a key wasn't created, renamed, rotated or revoked. */
function keyFailure(
  failed: Exclude<
    CreateKeyOutcome | RenameKeyOutcome | RotateKeyOutcome | RevokeKeyOutcome,
    { readonly outcome: "created" | "renamed" | "rotated" | "revoked" }
  >,
): Failure {
  switch (failed.outcome) {
    case "invalid_name":
      return invalidMember(NewKeyBody, "name");
    case "invalid_end":
      return invalidMember(NewKeyBody, "expires_at");
    case "too_many_keys":
      return {
        code: "too_many_keys",
        message: `An account can have at most ${failed.most} active keys. Revoke one, or rotate one with overlap 0.`,
      };
    case "already_ended":
      return {
        code: "key_ended",
        message: `This key is already ${failed.record.state}.`,
      };
    default:
      return {
        code: "key_not_found",
        message: "This account has no key with this id.",
      };
  }
}
