import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Account } from "../../../accounts/users/account-store.ts";
import { monthAt } from "../../../accounts/metering/month.ts";
import type { People, SignedIn } from "../../../auth/auth.ts";
import { accountsAway, isAway } from "../../access/accounts-unavailable.ts";
import {
  actFailure,
  burstFailure,
  isLimited,
} from "../../limits/account-limits.ts";
import { billingUnavailable, paymentsNotEnded } from "./billing-failures.ts";
import type { HttpDependencies, PeopleDoor } from "../../app-context.ts";
import { isOpen } from "../../access/explorer-gate.ts";
import type { Failure, Refuse } from "../../pipeline/failure.ts";
import { JSON_TYPE, headersOf } from "../../pipeline/headers.ts";
import { readBody } from "./json-body.ts";
import { methodNotAllowed } from "../../pipeline/methods.ts";
import {
  createKey,
  isoTime,
  listKeys,
  revokeKey,
  rotateKey,
} from "./account-keys.ts";
import { log } from "./account-log.ts";
import { usage } from "./account-usage.ts";

/** A person's request about their own account. */
export interface OwnRequest {
  readonly people: People;
  readonly person: SignedIn;
  readonly account: Account;
  /** The text of the body, undefined when there is none. */
  readonly body: string | undefined;
  /** The key that the path names; -1 for what is no number of one. */
  readonly keyId: number;
  /** The target of the request, whose query string the action reads. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Whether pages of the explorer count against the account's month. */
  readonly countsPages: boolean;
  /** Ends all that the account pays; what keeps it from that, null when it is done. */
  readonly endPayments: () => Promise<Failure | null>;
}

export type OwnAnswer =
  | {
      readonly status: number;
      readonly data: unknown;
      readonly meta?: object;
      /** The value of the header Link. */
      readonly link?: string;
    }
  | { readonly failure: Failure };

export type OwnAction = (request: OwnRequest) => Promise<OwnAnswer>;

/** What a column of keys' numbers holds; PostgreSQL fails when it is asked for more. */
const LARGEST_KEY_ID = 2_147_483_647;

/** Every path with what it does; there is no other way from a session to an account. */
const PATHS: Readonly<Record<string, Readonly<Record<string, OwnAction>>>> = {
  "/account": { GET: show, DELETE: remove },
  "/account/keys": { GET: listKeys, POST: createKey },
  "/account/keys/:id": { DELETE: revokeKey },
  "/account/keys/:id/rotate": { POST: rotateKey },
  "/account/log": { GET: log },
  "/account/usage": { GET: usage },
};

/** `/account`: what somebody signed in can see and do of their own account. */
export function addAccount(
  app: FastifyInstance,
  deps: HttpDependencies,
  door: PeopleDoor,
  refuse: Refuse,
): void {
  for (const [path, actions] of Object.entries(PATHS)) {
    app.all(path, async (request, reply) => {
      const method = request.method === "HEAD" ? "GET" : request.method;
      const action = actions[method];
      if (action === undefined) {
        const allowed = Object.keys(actions).join(", ");
        return refuse(
          request,
          reply,
          methodNotAllowed(request.method, allowed),
        );
      }
      try {
        const people = await door.open();
        const act = `${method} ${path}`;
        const answer = await answerOwn(people, { act, action }, request, deps);
        if ("failure" in answer) return refuse(request, reply, answer.failure);
        return send(reply, answer);
      } catch (error) {
        if (await isAway(door, error))
          return refuse(request, reply, accountsAway());
        throw error;
      }
    });
  }
}

async function answerOwn(
  people: People,
  { act, action }: { act: string; action: OwnAction },
  request: FastifyRequest,
  deps: HttpDependencies,
): Promise<OwnAnswer> {
  const { billing, gate, logger, now, portal } = deps;
  const headers = headersOf(request);
  const person = await people.whoIs(headers);
  if (person === null) return { failure: notSignedIn() };
  if (!person.isVerified) return { failure: notVerified() };
  const { id } = Object.assign({ id: "" }, request.params);
  const { body } = request;
  const account = await people.accountOf(person);
  const failure =
    burstFailure(gate, account.id, now()) ??
    (isLimited(act)
      ? await actFailure(people.accounts, account.id, act)
      : null);
  if (failure !== null) return { failure };
  return action({
    people,
    person,
    account,
    body: typeof body === "string" ? body : undefined,
    keyId: keyIdOf(id),
    url: request.url,
    nowMs: now(),
    countsPages: portal !== null && !isOpen(deps, portal),
    async endPayments() {
      if (billing !== null) {
        const closed = await billing.billing.closeAccount(account.id);
        return closed.outcome === "closed" ? null : billingUnavailable();
      }
      if ((await people.accounts.billingCustomer(account.id)) === null)
        return null;
      logger?.warn(
        { account: account.id },
        "an account is not deleted as its owner wants: it has a customer at Stripe, which is not configured; see accounts delete",
      );
      return paymentsNotEnded();
    },
  });
}

function keyIdOf(text: string): number {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : -1;
  return id <= LARGEST_KEY_ID ? id : -1;
}

async function show({
  account,
  countsPages,
  nowMs,
  people,
}: OwnRequest): Promise<OwnAnswer> {
  const used = await people.accounts.monthlyUse(account.id);
  const subscriptions = await people.accounts.subscriptions(account.id);
  const running = subscriptions.find(({ runs }) => runs);
  const plan = people.accounts.planOf(account);
  return {
    status: 200,
    data: {
      email: account.email,
      plan: plan.name,
      status: account.suspendedAt === null ? "active" : "suspended",
      ...limitFacts(plan.monthlyQuota, used),
      resets_at: new Date(monthAt(nowMs).endMs).toISOString(),
      requests_per_second: plan.burstPerSecond,
      explorer: countsPages
        ? limitFacts(
            plan.explorerPages,
            await people.accounts.monthlyPages(account.id),
          )
        : null,
      created_at: new Date(account.createdAt).toISOString(),
      subscription:
        running === undefined
          ? null
          : { status: running.status, ends_at: isoTime(running.endsAt) },
    },
  };
}

function limitFacts(quota: number, used: number) {
  return { quota, used, remaining: Math.max(quota - used, 0) };
}

async function remove({
  account,
  body,
  endPayments,
  people,
  person,
}: OwnRequest): Promise<OwnAnswer> {
  const read = readBody(body, {
    password: {
      mustBe: "the password, a text",
      fits: () => true,
      otherwise: "",
    },
  });
  if (read.outcome === "refused")
    return { failure: { code: "invalid_body", message: read.message } };
  const confirmation = await people.confirm(person, read.member("password"));
  if (confirmation !== "confirmed")
    return { failure: unconfirmed(confirmation) };
  const unended = await endPayments();
  if (unended !== null) return { failure: unended };
  await people.accounts.deleteAccount(account.email);
  return { status: 204, data: null };
}

function unconfirmed(
  confirmation: Exclude<Awaited<ReturnType<People["confirm"]>>, "confirmed">,
): Failure {
  if (typeof confirmation === "object") {
    const { retryAfterSeconds } = confirmation;
    return {
      code: "too_many_failures",
      message: `The password was tried too often. Try again in ${retryAfterSeconds} s.`,
      headers: { "retry-after": String(retryAfterSeconds) },
    };
  }
  return {
    code: "wrong_password",
    message:
      confirmation === "wrong_password"
        ? "This is not the password of this account."
        : "Sign in again, then delete the account within ten minutes.",
  };
}

function send(
  reply: FastifyReply,
  { data, link, meta = {}, status }: Extract<OwnAnswer, { status: number }>,
): FastifyReply {
  reply.code(status);
  if (link !== undefined) reply.header("link", link);
  if (status === 204) return reply.send();
  return reply.type(JSON_TYPE).send(JSON.stringify({ data, meta }));
}

function notSignedIn(): Failure {
  return {
    code: "not_signed_in",
    message: "You are not signed in. Sign in and send the session cookie.",
  };
}

function notVerified(): Failure {
  return {
    code: "email_not_verified",
    message: "Confirm the e-mail address first: follow the link in the mail.",
  };
}
