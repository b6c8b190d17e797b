import { isFailure } from "../../pipeline/failure.ts";
import { Type } from "typebox";
import { parseMoment } from "../../../accounts/keys/key-end.ts";
import {
  KeysAnswer,
  NewKeyAnswer,
  NewKeyBody,
  RevokedKeyAnswer,
  RotatedKeyAnswer,
  RotationBody,
  type NewKey,
  type KeyInfo,
} from "../../../contract/account.ts";
import { accountSuspended, invalidBody } from "../../access/failures.ts";
import { perHour } from "../../limits/account-limits.ts";
import type { KeySelectionFailure } from "../../../accounts/keys/keys.ts";
import { shownKey, type KeyRecord } from "../../../accounts/keys/key-store.ts";
import { publicPath } from "../../../text/public-path.ts";
import type { Failure } from "../../pipeline/failure.ts";
import {
  isoTime,
  accountRoute,
  type AccountActionResult,
  type AccountRequest,
} from "./account-route.ts";
import { bodyReader } from "./read-body.ts";
import { answerPage, pageParameters, rowsOf } from "./usage-and-log.ts";
import {
  queryOf,
  parameterFailure,
  queryReader,
} from "../../queries/query-string.ts";

const MAX_LIMIT = 100;

const readListQuery = queryReader(
  Type.Object(pageParameters(MAX_LIMIT), { additionalProperties: false }),
);

const readNewKey = bodyReader(NewKeyBody);
const readRotation = bodyReader(RotationBody);

const KEYS_PATH = "/account/keys";

/** `/account/keys`: the signed-in user's API keys. */
export const KEY_ROUTES = [
  accountRoute({
    method: "GET",
    path: KEYS_PATH,
    answer: KeysAnswer,
    act: listKeys,
  }),
  accountRoute({
    method: "POST",
    path: KEYS_PATH,
    answer: NewKeyAnswer,
    limit: perHour(20),
    act: createKey,
  }),
  accountRoute({
    method: "DELETE",
    path: "/account/keys/:id",
    answer: RevokedKeyAnswer,
    limit: perHour(60),
    act: revokeKey,
  }),
  accountRoute({
    method: "POST",
    path: "/account/keys/:id/rotate",
    answer: RotatedKeyAnswer,
    limit: perHour(20),
    act: rotateKey,
  }),
];

async function listKeys({
  account,
  auth,
  publicUrl,
  url,
}: AccountRequest): Promise<AccountActionResult> {
  const { pairs, problems, value: query } = readListQuery(queryOf(url));
  if (query === null) return refused(parameterFailure(problems));
  const { accounts } = auth;
  const keys = await accounts.keys.page(account.id, rowsOf(query));
  const total = await accounts.keys.count(account.id);
  const data = keys.map(factsOf);
  const path = publicPath(publicUrl, KEYS_PATH);
  return answerPage(path, pairs, query, { data, total });
}

async function createKey({
  account,
  body,
  auth,
  user,
}: AccountRequest): Promise<AccountActionResult> {
  const input = readNewKey(body);
  if (isFailure(input)) return refused(input);
  const end = parseMoment(input.expires_at);
  if (end === null && input.expires_at !== "") return invalid("expires_at");
  if (account.suspendedAt !== null) return suspended();
  const made = await auth.accounts.keys.create(
    account.email,
    input.name,
    end === null ? null : () => end,
  );
  switch (made.outcome) {
    case "created":
      auth.notify(user, { of: "key_created", key: shownKey(made.record) });
      return {
        status: 201,
        data: withSecret(made.record, made.key),
      };
    case "invalid_name":
      return invalid("name");
    case "invalid_end":
      return invalid("expires_at");
    case "too_many_keys":
      return tooManyKeys(made.most);
    default:
      return keyNotFound();
  }
}

async function rotateKey({
  account,
  body,
  keyId,
  auth,
  user,
}: AccountRequest): Promise<AccountActionResult> {
  const input = readRotation(body);
  if (isFailure(input)) return refused(input);
  if (account.suspendedAt !== null) return suspended();
  const rotated = await auth.accounts.keys.rotate(keyId, input.overlap, {
    email: account.email,
  });
  if (rotated.outcome === "too_many_keys") return tooManyKeys(rotated.most);
  if (rotated.outcome !== "rotated") return selectionFailure(rotated);
  auth.notify(user, {
    of: "key_rotated",
    key: shownKey(rotated.old),
    successor: shownKey(rotated.record),
  });
  return {
    status: 201,
    data: withSecret(rotated.record, rotated.key),
    meta: { replaces: factsOf(rotated.old) },
  };
}

async function revokeKey({
  account,
  keyId,
  auth,
  user,
}: AccountRequest): Promise<AccountActionResult> {
  const revoked = await auth.accounts.keys.revoke(keyId, {
    email: account.email,
  });
  if (revoked.outcome !== "revoked") return selectionFailure(revoked);
  auth.notify(user, { of: "key_revoked", key: shownKey(revoked.record) });
  return { status: 200, data: factsOf(revoked.record) };
}

/** A key for its owner; times are ISO 8601, UTC. */
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
    used_this_month: key.usedThisMonth,
  };
}

function selectionFailure(failure: KeySelectionFailure): AccountActionResult {
  if (failure.outcome !== "already_ended") return keyNotFound();
  const { state } = failure.record;
  return refused({
    code: "key_ended",
    message: `This key is already ${state}.`,
  });
}

function keyNotFound(): AccountActionResult {
  return refused({
    code: "key_not_found",
    message: "This account has no key with this id.",
  });
}

function tooManyKeys(most: number): AccountActionResult {
  return refused({
    code: "too_many_keys",
    message: `An account can have at most ${most} active keys. Revoke one, or rotate one with overlap 0.`,
  });
}

function suspended(): AccountActionResult {
  return refused(
    accountSuspended("This account is suspended and cannot create keys."),
  );
}

function withSecret(key: KeyRecord, secret: string): NewKey {
  return { ...factsOf(key), secret };
}

function invalid(
  member: keyof typeof NewKeyBody.properties,
): AccountActionResult {
  const rule = String(Reflect.get(NewKeyBody.properties[member], "x-rule"));
  return refused(invalidBody(`The body's "${member}" must be ${rule}.`));
}

function refused(failure: Failure): AccountActionResult {
  return { failure };
}
