import type { FastifyReply, FastifyRequest } from "fastify";
import { accountsAway, isAway } from "./accounts-away.ts";
import type { AddressBursts } from "./address-bursts.ts";
import type {
  HttpDependencies,
  PeopleDoor,
  PortalDependencies,
} from "./deps.ts";
import type { Failure, Refuse } from "./failure.ts";
import { headersOf } from "./request-headers.ts";
import { isOfAnotherSite } from "./same-origin.ts";

/**
 * Makes the hook before each path of the explorer: from a page of this service, within the burst limit of the address,
 * and, where the explorer is not open to everybody, from somebody who is signed in.
 */
export function explorerGate(
  deps: HttpDependencies,
  portal: PortalDependencies,
  refuse: Refuse,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async function mayExplore(request, reply) {
    if (isOfAnotherSite(request.raw, deps.publicUrl)) {
      refuse(request, reply, ofAnotherSite());
      return;
    }
    const { bursts } = portal;
    const burst = bursts.take(request.ip, deps.now());
    reply.headers(bursts.headers(burst));
    if (!burst.allowed) {
      refuse(request, reply, tooFast(bursts, burst.retryAfterSeconds));
      return;
    }
    if (isOpen(deps, portal)) return;
    const failure = await signInFailure(deps.people, request);
    if (failure !== null) refuse(request, reply, failure);
  };
}

/** Whether everybody may explore: as the operator chose, else where the data are invented. */
export function isOpen(
  { data }: Pick<HttpDependencies, "data">,
  { explorer }: Pick<PortalDependencies, "explorer">,
): boolean {
  return explorer === null
    ? data.current()?.isDemo !== false
    : explorer === "open";
}

async function signInFailure(
  door: PeopleDoor | null,
  request: FastifyRequest,
): Promise<Failure | null> {
  if (door === null) return explorerClosed();
  try {
    const people = await door.open();
    const person = await people.whoIs(headersOf(request));
    if (person === null || !person.isVerified) return signInRequired();
    const { suspendedAt } = await people.accountOf(person);
    return suspendedAt === null ? null : suspended();
  } catch (error) {
    if (await isAway(door, error)) return accountsAway();
    throw error;
  }
}

function ofAnotherSite(): Failure {
  return {
    code: "foreign_origin",
    message: "The explorer answers pages of this service alone.",
  };
}

function tooFast(
  { perSecond, size }: AddressBursts,
  retryAfterSeconds: number,
): Failure {
  return {
    code: "rate_limited",
    message: `The explorer allows an address ${perSecond} requests a second, ${size} at once. Try again in ${retryAfterSeconds} s.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

function signInRequired(): Failure {
  return {
    code: "sign_in_required",
    message: "The explorer is open to those who are signed in.",
  };
}

function explorerClosed(): Failure {
  return {
    code: "explorer_closed",
    message:
      "The explorer is closed here: it is for people who are signed in, and there is no way to sign in.",
  };
}

function suspended(): Failure {
  return {
    code: "account_suspended",
    message: "Your account is suspended.",
  };
}
