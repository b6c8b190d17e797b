import type {
  AccountHandle,
  BurstState,
} from "../../accounts/metering/gate.ts";
import { MAX_DOWNLOAD_ROWS, type Operation } from "../../contract/operation.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import type { Call } from "../call.ts";
import { serviceBusy } from "../limits/account-share.ts";
import type { IpRateLimiter } from "../limits/ip-rate-limiter.ts";
import { isFailure, tryAgain, type Failure } from "../pipeline/failure.ts";
import { headersOf, type HeaderList } from "../pipeline/headers.ts";
import { AccountQuota, UNLIMITED, type Caller } from "./caller.ts";
import { networkOf } from "./client-address.ts";
import { accountSuspended, withAccounts } from "./failures.ts";
import { foreignOrigin, isCrossSite, isOfScript } from "./same-origin.ts";

/** The account of a signed-in user. */
type Viewer = Pick<AccountHandle, "id" | "plan">;

/** Lists that signed-in users may take, by the operation that they count as, and how a page starts one. */
const LISTS = {
  export:
    "Downloads of signed-in users start with the button Download these results. A link can't start one. In a program, use GET /v1/providers/export with an API key.",
  batch:
    "Lists of signed-in users are checked by the page Check a list. A link can't start that. In a program, use GET /v1/providers with an API key.",
} as const satisfies Partial<Record<Operation, string>>;

/** A list of a signed-in user, which counts for the account as the same operation with a key does. */
class ListCaller extends AccountQuota implements Caller {
  readonly account = null;
  readonly maxRows = MAX_DOWNLOAD_ROWS.account;
  readonly party: number;
  readonly limits: () => HeaderList;

  constructor(
    own: AccountHandle,
    operation: Operation,
    { gate, now }: AppContext,
    visit: Caller,
  ) {
    super(gate, own, operation, now());
    this.party = own.id;
    this.limits = () => visit.limits();
  }
}

/**
 * Admits a request of the explorer. It must come from this service's pages and stay within the limit of its network.
 * Unless the explorer is open to everyone, it also needs a signed-in user, and stays within the limit of the account.
 */
export function admitExplorer(
  call: Call,
  deps: AppContext,
  portal: PortalDependencies,
): Failure | null | Promise<Failure | null> {
  const failure = admitNetwork(call, deps, portal.limiter);
  if (failure !== null || isExplorerOpen(deps, portal)) return failure;
  return admitMember(call, deps, portal.limiter).then((viewer) =>
    isFailure(viewer) ? viewer : null,
  );
}

/**
 * Admits a download of a whole list, or a list to check. Those of a signed-in user count for the account, also if the
 * explorer is open to everyone; those of visitors are short, and count as as many requests of the network as lists of
 * 100 rows.
 */
export async function admitList(
  call: Call,
  operation: keyof typeof LISTS,
  deps: AppContext,
  portal: PortalDependencies,
): Promise<Failure | null> {
  const { limiter } = portal;
  const failure = admitNetwork(call, deps, limiter);
  if (failure !== null) return failure;
  const viewer = isExplorerOpen(deps, portal)
    ? await admitViewer(call, deps, limiter)
    : await admitMember(call, deps, limiter);
  if (isFailure(viewer)) return viewer;
  if (viewer === null) {
    call.caller = visitorOfLists(call, deps, limiter);
    return null;
  }
  const account = deps.gate.accountOf(viewer.id, viewer.plan);
  if (account === null) return serviceBusy();
  await deps.gate.beginMonth(account, deps.now());
  call.caller = new ListCaller(account, operation, deps, call.caller);
  // A link in a mail or of another site's could otherwise spend the month of a user who follows it.
  return isOfScript(call) ? null : foreignOrigin(LISTS[operation]);
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

/** Admits a request that comes from this service's pages and stays within the limit of its network. */
function admitNetwork(
  call: Call,
  { now, settings }: AppContext,
  limiter: IpRateLimiter,
): Failure | null {
  if (isCrossSite(call, settings.publicUrl)) return crossSite();
  const burst = limiter.take(call.ip, now());
  call.caller = { ...UNLIMITED, limits: () => limiter.headers(burst) };
  return burst.allowed ? null : tooFast("address", limiter, burst);
}

/** Makes a visitor whose response counts as requests of the network. */
function visitorOfLists(
  { caller, ip }: Call,
  { now }: AppContext,
  limiter: IpRateLimiter,
): Caller {
  let limits = caller.limits();
  return {
    ...UNLIMITED,
    party: networkOf(ip),
    maxRows: MAX_DOWNLOAD_ROWS.visitor,
    limits: () => limits,
    reserve(lists) {
      // The first one is counted already.
      const further = Math.min(lists, limiter.size) - 1;
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

/** Admits the signed-in user of an explorer that needs one. */
async function admitMember(
  call: Call,
  deps: AppContext,
  limiter: IpRateLimiter,
): Promise<Viewer | Failure> {
  if (deps.auth === null) return explorerClosed();
  return (await admitViewer(call, deps, limiter)) ?? signInRequired();
}

/** Admits a signed-in user within the limit of the account; null for a visitor. */
async function admitViewer(
  call: Call,
  { auth: lazyAuth, now }: AppContext,
  limiter: IpRateLimiter,
): Promise<Viewer | Failure | null> {
  if (lazyAuth === null || call.headers.cookie === undefined) return null;
  return withAccounts(lazyAuth, async (auth) => {
    const user = await auth.findSessionUser(headersOf(call));
    if (user === null || !user.isVerified) return null;
    const account = await auth.accountOf(user);
    if (account.suspendedAt !== null)
      return accountSuspended("Your account is suspended.");
    const burst = limiter.take(`account ${account.id}`, now());
    call.caller = {
      ...UNLIMITED,
      party: account.id,
      limits: () => limiter.headers(burst),
    };
    return burst.allowed
      ? { id: account.id, plan: auth.accounts.planOf(account) }
      : tooFast("account", limiter, burst);
  });
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
  return tryAgain(
    "rate_limited",
    `The explorer allows ${perSecond} requests per second for each ${each}, ${size} at once.`,
    retryAfterSeconds,
  );
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
