import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  BurstState,
  QuotaState,
  Viewer,
} from "../../accounts/metering/gate.ts";
import type { AuthService } from "../../auth/auth.ts";
import {
  accountSuspended,
  accountsUnreachable,
  isAccountsDatabaseDown,
} from "./failures.ts";
import type { ExplorerCost } from "./explorer-bursts.ts";
import type { IpRateLimiter } from "../limits/ip-rate-limiter.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { headersOf } from "../pipeline/headers.ts";
import { foreignOrigin, isCrossSite } from "./same-origin.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The user whose pages are counted; null if the explorer is open to everyone, and on other routes. */
    viewing: Viewing | null;
  }
}

/** A request for an explorer page that counts against an account's month. */
interface Viewing {
  readonly viewer: Viewer;
  readonly burst: BurstState;
  /** The time of the request, in epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * Makes the hook for the explorer's routes. Requests must come from this service's pages and stay within the burst
 * limit of their address. Unless the explorer is open to everyone, they also need a signed-in user and count against
 * the burst limit of the account.
 */
export function explorerGate(
  deps: AppContext,
  portal: PortalDependencies,
  refuse: Refuse,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async function mayExplore(request, reply) {
    if (isCrossSite(request.raw, deps.settings.publicUrl)) {
      refuse(request, reply, crossSite());
      return;
    }
    const limiter = portal.bursts[costOf(request)];
    const nowMs = deps.now();
    const burst = limiter.take(request.ip, nowMs);
    reply.headers(limiter.headers(burst));
    if (!burst.allowed) {
      refuse(request, reply, tooFast("address", limiter, burst));
      return;
    }
    if (isExplorerOpen(deps, portal)) return;
    const viewing = await viewingOf(deps, portal, request, nowMs);
    if ("code" in viewing) refuse(request, reply, viewing);
    else {
      reply.headers(limiter.headers(viewing.burst));
      request.viewing = viewing;
    }
  };
}

/** Whether the explorer is open to everyone: the operator's choice, else only with demo data. */
export function isExplorerOpen(
  { data }: Pick<AppContext, "data">,
  { settings: { explorer } }: PortalDependencies,
): boolean {
  return explorer === null
    ? data.current?.isDemo !== false
    : explorer === "open";
}

/** The failure if the account's month is used up, else null. */
export function spentMonth(
  { gate }: AppContext,
  { viewing }: FastifyRequest,
): Failure | null {
  if (viewing === null) return null;
  const month = gate.explorer.month(viewing.viewer, viewing.nowMs);
  return month === null || month.remaining > 0 ? null : spent(month);
}

/**
 * Counts an explorer page and adds the month's state to the answer. If another request took the month's last page
 * first, nothing is counted, and the returned failure must be sent instead of the page.
 */
export function countPage(
  { gate }: AppContext,
  { bursts }: PortalDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Failure | null {
  const { viewing } = request;
  if (viewing === null) return null;
  const { burst, nowMs, viewer } = viewing;
  const isTaken = gate.explorer.take(viewer, nowMs);
  const month = gate.explorer.month(viewer, nowMs);
  if (month === null) return null;
  reply.headers(bursts[costOf(request)].headers(burst, month));
  return isTaken ? null : spent(month);
}

/**
 * The account of the signed-in user who sends a request, also if the explorer is open to everyone; null for a visitor.
 * Not for accounts that are suspended.
 */
export async function accountOfDownload(
  deps: AppContext,
  portal: PortalDependencies,
  request: FastifyRequest,
): Promise<Viewer | Failure | null> {
  const { auth: lazyAuth } = deps;
  if (!isExplorerOpen(deps, portal)) return request.viewing?.viewer ?? null;
  if (lazyAuth === null || request.headers.cookie === undefined) return null;
  try {
    return await viewerOf(await lazyAuth.open(), request);
  } catch (error) {
    if (await isAccountsDatabaseDown(lazyAuth, error))
      return accountsUnreachable();
    throw error;
  }
}

/**
 * Counts what a visitor's answer has in addition to its first page, as pages of the same address. A failure, and
 * nothing counted, if they are too many.
 */
export function countVisitorPages(
  { now }: AppContext,
  { bursts: { page: limiter } }: PortalDependencies,
  { ip }: FastifyRequest,
  reply: FastifyReply,
  pages: number,
): Failure | null {
  // The hook counted the first one.
  const further = Math.min(pages, limiter.size) - 1;
  if (further <= 0) return null;
  const burst = limiter.take(ip, now(), further);
  reply.headers(limiter.headers(burst));
  if (burst.allowed) return null;
  // The hook will count another one.
  const retryAfterSeconds = burst.retryAfterSeconds + 1;
  return tooFast("address", limiter, { ...burst, retryAfterSeconds });
}

async function viewingOf(
  { gate, auth: lazyAuth }: AppContext,
  { bursts }: PortalDependencies,
  request: FastifyRequest,
  nowMs: number,
): Promise<Viewing | Failure> {
  if (lazyAuth === null) return explorerClosed();
  try {
    const auth = await lazyAuth.open();
    const viewer = await viewerOf(auth, request);
    if (viewer === null) return signInRequired();
    if ("code" in viewer) return viewer;
    const cost = costOf(request);
    const limiter = bursts[cost];
    const burst =
      cost === "page"
        ? gate.explorer.takeBurst(viewer.id, limiter, nowMs)
        : limiter.take(`account ${viewer.id}`, nowMs);
    if (!burst.allowed) return tooFast("account", limiter, burst);
    if (gate.explorer.month(viewer, nowMs) === null) {
      const { viewed } = await auth.accounts.usage.thisMonth(viewer.id);
      gate.explorer.begin(viewer.id, viewed, nowMs);
    }
    return { viewer, burst, nowMs };
  } catch (error) {
    if (await isAccountsDatabaseDown(lazyAuth, error))
      return accountsUnreachable();
    throw error;
  }
}

/** The signed-in user's account, null without one, or why the user cannot explore. */
async function viewerOf(
  auth: AuthService,
  request: FastifyRequest,
): Promise<Viewer | Failure | null> {
  const user = await auth.findSessionUser(headersOf(request));
  if (user === null || !user.isVerified) return null;
  const account = await auth.accountOf(user);
  return account.suspendedAt === null
    ? { id: account.id, plan: auth.accounts.planOf(account) }
    : accountSuspended("Your account is suspended.");
}

function costOf({ routeOptions }: FastifyRequest): ExplorerCost {
  return routeOptions.config.explorerCost ?? "page";
}

function crossSite(): Failure {
  return foreignOrigin(
    "The explorer accepts requests only from this service's own pages.",
  );
}

function tooFast(
  each: "address" | "account",
  { perSecond, size }: IpRateLimiter,
  { retryAfterSeconds }: BurstState,
): Failure {
  return {
    code: "rate_limited",
    message: `The explorer allows ${perSecond} requests per second for each ${each}, ${size} at once. Try again in ${retryAfterSeconds} s.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

function spent({ limit, resetAt, resetSeconds }: QuotaState): Failure {
  const nextMonth = new Date(resetAt * 1000).toISOString().slice(0, 10);
  return {
    code: "explorer_limit_reached",
    message: `You have viewed all ${limit} explorer pages of your plan for this month. The limit resets on ${nextMonth} at 00:00 UTC.`,
    headers: { "retry-after": String(resetSeconds) },
  };
}

function signInRequired(): Failure {
  return {
    code: "sign_in_required",
    message: "Sign in to use the explorer.",
  };
}

function explorerClosed(): Failure {
  return {
    code: "explorer_closed",
    message:
      "The explorer is closed. Ask the operator of this service to open it, or for an API key.",
  };
}
