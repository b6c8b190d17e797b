import { Type } from "typebox";
import { parseMoment } from "../../../accounts/keys/key-end.ts";
import { isOverlap } from "../../../contract/key-limits.ts";
import type { KeySelectionFailure } from "../../../accounts/keys/key-operations.ts";
import { shownKey, type KeyRecord } from "../../../accounts/keys/key-store.ts";
import type { Failure } from "../../pipeline/failure.ts";
import { readBody, type Member } from "./json-body.ts";
import { answerPage, pageParameters, rowsOf } from "./own-lists.ts";
import { queryOf } from "../../queries/query-string.ts";
import {
  parameterFailure,
  queryReader,
} from "../../queries/read-parameters.ts";
import type { OwnAnswer, OwnRequest } from "./account.ts";

const NAME: Member = {
  mustBe: "a text of one line, of up to 60 characters",
  fits: () => true,
  otherwise: "",
};
const EXPIRES_AT: Member = {
  mustBe:
    "a day (2027-02-20) or a time (2027-02-20T12:00:00Z) in the future, five years ahead at most; without one the key has no end",
  fits: (text) => text === "" || parseMoment(text) !== null,
  otherwise: "",
};
const OVERLAP: Member = {
  mustBe: "0, 1h, 24h or 7d",
  fits: isOverlap,
};

const MOST_LISTED = 100;

const readListQuery = queryReader(
  Type.Object(pageParameters(MOST_LISTED), { additionalProperties: false }),
);

/** `GET /account/keys` */
export async function listKeys({
  account,
  people,
  url,
}: OwnRequest): Promise<OwnAnswer> {
  const { pairs, problems, value: asked } = readListQuery(queryOf(url));
  if (asked === null) return refused(parameterFailure(problems));
  const { accounts } = people;
  const keys = await accounts.pageOfKeys(account.id, rowsOf(asked));
  const total = await accounts.countKeys(account.id);
  const data = keys.map(factsOf);
  return answerPage("/account/keys", pairs, asked, { data, total });
}

/** `POST /account/keys` */
export async function createKey({
  account,
  body,
  people,
  person,
}: OwnRequest): Promise<OwnAnswer> {
  const read = readBody(body, { name: NAME, expires_at: EXPIRES_AT });
  if (read.outcome === "refused") return invalid(read.message);
  if (account.suspendedAt !== null) return suspended();
  const name = read.member("name");
  const end = parseMoment(read.member("expires_at"));
  const made = await people.accounts.createKey(
    account.email,
    name,
    end === null ? null : () => end,
  );
  switch (made.outcome) {
    case "created":
      people.tell(person, { of: "key_created", key: shownKey(made.record) });
      return {
        status: 201,
        data: { ...factsOf(made.record), secret: made.key },
      };
    case "invalid_name":
      return invalid(`The body's "name" must be ${NAME.mustBe}.`);
    case "invalid_end":
      return invalid(`The body's "expires_at" must be ${EXPIRES_AT.mustBe}.`);
    case "too_many_keys":
      return tooMany(made.most);
    default:
      return notThere();
  }
}

/** `POST /account/keys/{id}/rotate` */
export async function rotateKey({
  account,
  body,
  keyId,
  people,
  person,
}: OwnRequest): Promise<OwnAnswer> {
  const read = readBody(body, { overlap: OVERLAP });
  if (read.outcome === "refused") return invalid(read.message);
  const overlap = read.member("overlap");
  if (!isOverlap(overlap))
    return invalid(`"overlap" must be ${OVERLAP.mustBe}.`);
  if (account.suspendedAt !== null) return suspended();
  const rotated = await people.accounts.rotateKey(keyId, overlap, {
    email: account.email,
  });
  if (rotated.outcome === "too_many_keys") return tooMany(rotated.most);
  if (rotated.outcome !== "rotated") return unselected(rotated);
  people.tell(person, {
    of: "key_rotated",
    key: shownKey(rotated.old),
    successor: shownKey(rotated.record),
  });
  return {
    status: 201,
    data: { ...factsOf(rotated.record), secret: rotated.key },
    meta: { replaces: factsOf(rotated.old) },
  };
}

/** `DELETE /account/keys/{id}` */
export async function revokeKey({
  account,
  keyId,
  people,
  person,
}: OwnRequest): Promise<OwnAnswer> {
  const revoked = await people.accounts.revokeKey(keyId, {
    email: account.email,
  });
  if (revoked.outcome !== "revoked") return unselected(revoked);
  people.tell(person, { of: "key_revoked", key: shownKey(revoked.record) });
  return { status: 200, data: factsOf(revoked.record) };
}

/** A key as its owner sees it; times are ISO 8601, UTC. */
function factsOf(key: KeyRecord) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: key.state,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
    used_this_month: key.usedThisMonth,
  };
}

/** A time as answers have it, null for none. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

function unselected(failure: KeySelectionFailure): OwnAnswer {
  if (failure.outcome !== "already_ended") return notThere();
  const { state } = failure.record;
  return refused({
    code: "key_ended",
    message: `This key is ${state} already.`,
  });
}

function notThere(): OwnAnswer {
  return refused({
    code: "key_not_found",
    message: "This account has no such key.",
  });
}

function tooMany(most: number): OwnAnswer {
  return refused({
    code: "too_many_keys",
    message: `An account has ${most} active keys at most: revoke one that is not needed, or rotate one with overlap 0.`,
  });
}

function suspended(): OwnAnswer {
  return refused({
    code: "account_suspended",
    message: "This account is suspended, and gets no keys.",
  });
}

function invalid(message: string): OwnAnswer {
  return refused({ code: "invalid_body", message });
}

function refused(failure: Failure): OwnAnswer {
  return { failure };
}
