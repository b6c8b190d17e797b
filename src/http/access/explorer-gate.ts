import type {
  BurstState,
  ExplorerMeter,
  QuotaState,
  Viewer,
} from "../../accounts/metering/gate.ts";
import { NOWHERE } from "../../accounts/metering/shared-index.ts";
import { MAX_DOWNLOAD_ROWS } from "../../contract/operation.ts";
import type { AuthService } from "../../auth/auth.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import type { Call } from "../call.ts";
import type { IpRateLimiter } from "../limits/ip-rate-limiter.ts";
import { isFailure, type Failure } from "../pipeline/failure.ts";
import { headersOf, type HeaderList } from "../pipeline/headers.ts";
import { AccountQuota, UNLIMITED, type Caller } from "./caller.ts";
import { networkOf } from "./client-address.ts";
import type { ExplorerCost } from "./explorer-bursts.ts";
import { accountSuspended, withAccounts } from "./failures.ts";
import { foreignOrigin, isCrossSite, isOfScript } from "./same-origin.ts";

/** A page that a signed-in user views, which counts for the month of the user's account. */
class ViewerCaller implements Caller {
  readonly account = null;
  readonly maxRows = 0;
  readonly party: number;
  readonly viewer: Viewer;
  readonly #cost: ExplorerCost;
  readonly #meter: ExplorerMeter;
  readonly #limits: (month: QuotaState | null) => HeaderList;
  /** The time of the request, in epoch milliseconds. */
  readonly #nowMs: number;
  #isCounted = false;

  constructor(
    viewer: Viewer,
    cost: ExplorerCost,
    meter: ExplorerMeter,
    nowMs: number,
    limits: (month: QuotaState | null) => HeaderList,
  ) {
    this.party = viewer.id;
    this.viewer = viewer;
    this.#cost = cost;
    this.#meter = meter;
    this.#nowMs = nowMs;
    this.#limits = limits;
  }

  limits(): HeaderList {
    return this.#limits(this.#isCounted ? this.#month() : null);
  }

  spent(): Failure | null {
    const month = this.#cost === "keystroke" ? null : this.#month();
    return month === null || month.remaining > 0 ? null : spent(month);
  }

  /** Counts one page, if the response is one. */
  reserve(): Failure | null {
    if (this.#cost !== "page") return null;
    this.#isCounted = true;
    if (this.#meter.take(this.viewer, this.#nowMs)) return null;
    const month = this.#month();
    return month === null ? null : spent(month);
  }

  awaitQuota(): Promise<void> {
    return Promise.resolve();
  }

  giveBack(): void {
    if (this.#cost === "page") this.#meter.giveBack(this.viewer, this.#nowMs);
  }

  #month(): QuotaState | null {
    return this.#meter.month(this.viewer, this.#nowMs);
  }
}

/** A download of a signed-in user, which counts for the account as an export with a key does. */
class DownloadCaller extends AccountQuota implements Caller {
  readonly account = null;
  readonly maxRows = MAX_DOWNLOAD_ROWS.account;
  readonly party: number;
  readonly limits: () => HeaderList;

  constructor(viewer: Viewer, { gate, now }: AppContext, page: Caller) {
    const { id, plan } = viewer;
    super(gate, { id, plan, keyPlace: NOWHERE }, "export", now());
    this.party = id;
    this.limits = () => page.limits();
  }
}

/**
 * Admits a request of the explorer. It must come from this service's pages and stay within the burst limit of its
 * address. Unless the explorer is open to everyone, it also needs a signed-in user, and stays within the burst limit of
 * the account.
 */
export function admitExplorer(
  call: Call,
  cost: ExplorerCost,
  deps: AppContext,
  portal: PortalDependencies,
): Failure | null | Promise<Failure | null> {
  if (isCrossSite(call, deps.settings.publicUrl)) return crossSite();
  const limiter = portal.bursts[cost];
  const burst = limiter.take(call.ip, deps.now());
  call.caller = { ...UNLIMITED, limits: () => limiter.headers(burst) };
  if (!burst.allowed) return tooFast("address", limiter, burst);
  return isExplorerOpen(deps, portal)
    ? null
    : admitViewer(call, cost, deps, limiter);
}

/**
 * Admits a download of a whole list. Those of a signed-in user count for the account, also if the explorer is open to
 * everyone; those of visitors are short, and count as as many pages.
 */
export async function admitDownload(
  call: Call,
  deps: AppContext,
  portal: PortalDependencies,
): Promise<Failure | null> {
  const failure = await admitExplorer(call, "page", deps, portal);
  if (failure !== null) return failure;
  const page = call.caller;
  const viewer =
    page instanceof ViewerCaller
      ? page.viewer
      : await viewerIfSignedIn(call, deps);
  if (isFailure(viewer)) return viewer;
  if (viewer === null) {
    call.caller = visitorOfPages(call.ip, page, deps, portal.bursts.page);
    return null;
  }
  call.caller = new DownloadCaller(viewer, deps, page);
  // A link in a mail or of another site's could otherwise spend the month of a user who follows it.
  return isOfScript(call)
    ? null
    : foreignOrigin(
        "Downloads of signed-in users start with the button Download these results. A link can't start one. In a program, use GET /v1/providers/export with an API key.",
      );
}

/** True if the explorer is open to everyone: the operator's choice, else only with demo data. */
export function isExplorerOpen(
  { data }: Pick<AppContext, "data">,
  { settings: { explorer } }: PortalDependencies,
): boolean {
  return explorer === null
    ? data.current?.isDemo !== false
    : explorer === "open";
}

/** A visitor whose response counts as pages of the address. */
function visitorOfPages(
  ip: string,
  page: Caller,
  { now }: AppContext,
  limiter: IpRateLimiter,
): Caller {
  let limits = page.limits();
  return {
    ...UNLIMITED,
    party: networkOf(ip),
    maxRows: MAX_DOWNLOAD_ROWS.visitor,
    limits: () => limits,
    reserve(pages) {
      // The first one is counted already.
      const further = Math.min(pages, limiter.size) - 1;
      if (further <= 0) return null;
      const burst = limiter.take(ip, now(), further);
      limits = limiter.headers(burst);
      if (burst.allowed) return null;
      // The next request will count another one.
      const retryAfterSeconds = burst.retryAfterSeconds + 1;
      return tooFast("address", limiter, { ...burst, retryAfterSeconds });
    },
  };
}

async function admitViewer(
  call: Call,
  cost: ExplorerCost,
  { auth: lazyAuth, gate, now }: AppContext,
  limiter: IpRateLimiter,
): Promise<Failure | null> {
  if (lazyAuth === null) return explorerClosed();
  return withAccounts(lazyAuth, async (auth) => {
    const viewer = await viewerOf(auth, call);
    if (viewer === null) return signInRequired();
    if (isFailure(viewer)) return viewer;
    const nowMs = now();
    const { explorer } = gate;
    const burst =
      cost === "page"
        ? explorer.takeBurst(viewer.id, limiter, nowMs)
        : limiter.take(`account ${viewer.id}`, nowMs);
    if (!burst.allowed) return tooFast("account", limiter, burst);
    if (explorer.month(viewer, nowMs) === null) {
      const { viewed } = await auth.accounts.usage.thisMonth(viewer.id);
      explorer.begin(viewer.id, viewed, nowMs);
    }
    call.caller = new ViewerCaller(viewer, cost, explorer, nowMs, (month) =>
      limiter.headers(burst, month),
    );
    return null;
  });
}

/** The signed-in user of an open explorer; null for a visitor. */
async function viewerIfSignedIn(
  call: Call,
  { auth: lazyAuth }: AppContext,
): Promise<Viewer | Failure | null> {
  return lazyAuth === null || call.headers.cookie === undefined
    ? null
    : withAccounts(lazyAuth, (auth) => viewerOf(auth, call));
}

/** The signed-in user's account, null without one, or why the user cannot explore. */
async function viewerOf(
  auth: AuthService,
  call: Call,
): Promise<Viewer | Failure | null> {
  const user = await auth.findSessionUser(headersOf(call));
  if (user === null || !user.isVerified) return null;
  const account = await auth.accountOf(user);
  return account.suspendedAt === null
    ? { id: account.id, plan: auth.accounts.planOf(account) }
    : accountSuspended("Your account is suspended.");
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
