import { Type, type TInteger, type TSchema } from "typebox";
import type { Page } from "../../../accounts/context.ts";
import type {
  AttemptLimit,
  Attempts,
} from "../../../accounts/users/attempts.ts";
import type { Account } from "../../../accounts/users/account-store.ts";
import type { AuthService, SessionUser } from "../../../auth/auth.ts";
import { publicPath } from "../../../text/public-path.ts";
import { notSignedIn, withAccounts } from "../../access/failures.ts";
import type { AppContext } from "../../app-context.ts";
import { json, type Call, type Reply } from "../../call.ts";
import {
  must,
  Refusal,
  type Failure,
  tryAgain,
} from "../../pipeline/failure.ts";
import { headersOf } from "../../pipeline/headers.ts";
import {
  pageLinks,
  parameterFailure,
  queryOf,
  queryReader,
  type QueryReading,
} from "../../queries/query-string.ts";
import type { Method, Route } from "../route.ts";
import type { BurstRate } from "../../../accounts/metering/gate.ts";
import type { Gate } from "../../../accounts/metering/thread-gate.ts";

const HOUR_MS = 3_600_000;

/** Requests to `/account` per account, counted in each process. */
const BURST: BurstRate = { perSecond: 20, size: 60 };

/** Counts a request of an account's owner. Returns a failure if it is too many. */
function burstFailure(
  gate: Gate,
  accountId: number,
  nowMs: number,
): Failure | null {
  const burst = gate.takeOwnerBurst(accountId, BURST, nowMs);
  return burst.allowed
    ? null
    : tryAgain(
        "rate_limited",
        `Your account may send ${BURST.perSecond} requests per second.`,
        burst.retryAfterSeconds,
      );
}

export function perHour(most: number): AttemptLimit {
  return { most, windowMs: HOUR_MS };
}

/**
 * Counts an action of an account, named by method and path. Returns a failure if it is too many. The limit applies
 * across all sessions, workers and machines.
 */
export async function hourlyLimitFailure(
  attempts: Pick<Attempts, "take">,
  accountId: number,
  act: string,
  limit: AttemptLimit,
): Promise<Failure | null> {
  const attempt = { kind: "account", of: `${accountId} ${act}` } as const;
  const wait = await attempts.take(attempt, limit);
  return wait === 0
    ? null
    : tryAgain(
        "rate_limited",
        `Your account may do this ${limit.most} times per hour.`,
        wait,
      );
}

/** A signed-in user's request about their own account. */
export interface AccountRequest {
  readonly call: Call;
  readonly deps: AppContext;
  readonly auth: AuthService;
  readonly user: SessionUser;
  readonly account: Account;
}

/** A route under `/account`. */
interface AccountAction {
  readonly method: Method;
  readonly path: string;
  /** The answer's schema; absent without a body. */
  readonly answer?: TSchema;
  /** The limit per account across all sessions, workers and machines; none for reads. */
  readonly limit?: AttemptLimit;
  /** Makes the response, or rejects with a `Refusal`. */
  readonly act: (request: AccountRequest) => Promise<Reply>;
}

/** Makes a route for signed-in users. This is the only way from a session to an account. */
export function accountRoute({ act, limit, ...facts }: AccountAction): Route {
  return {
    ...facts,
    access: "session",
    counted: "account",
    handler({ deps }) {
      const { auth: lazyAuth, gate, now } = deps;
      if (lazyAuth === null) return null;
      return (call) =>
        withAccounts(lazyAuth, async (auth) => {
          const user = await auth.findSessionUser(headersOf(call));
          if (user === null) throw new Refusal(notSignedIn());
          if (!user.isVerified) throw new Refusal(notVerified());
          const account = await auth.accountOf(user);
          must(burstFailure(gate, account.id, now()));
          const { attempts } = auth.accounts;
          const name = `${facts.method} ${facts.path}`;
          if (limit !== undefined)
            must(await hourlyLimitFailure(attempts, account.id, name, limit));
          return act({ call, deps, auth, user, account });
        });
    },
  };
}

/** The largest page number, so that offsets stay within the databases' range. */
const LAST_PAGE = 1_000_000;
const PAGE_ROWS = 100;

/** Makes a parameter's schema: a whole number from 1 to a maximum, its default unless there is another one. */
export function upTo(maximum: number, byDefault = maximum): TInteger {
  return Type.Integer({
    minimum: 1,
    maximum,
    default: byDefault,
    "x-rule": `a whole number from 1 to ${maximum}`,
  });
}

/** Makes the parameters of a list under `/account`; `most` is the page size's maximum and default. */
export function pageParameters(most = PAGE_ROWS) {
  return { limit: upTo(most), page: upTo(LAST_PAGE, 1) };
}

/** Reads the query string of a list without further parameters. */
export const readPage = queryReader(
  Type.Object(pageParameters(), { additionalProperties: false }),
);

/**
 * Makes the route of a list: `meta` as in searches, with further parameters first, and links to other pages. `read`
 * reads the query string, and `find` finds a page of the list and how many rows the list has.
 */
export function listRoute<
  Query extends { readonly limit: number; readonly page: number },
>(
  path: string,
  answer: TSchema,
  read: (query: string) => QueryReading<Query>,
  find: (
    request: AccountRequest,
    rows: Page,
    query: Query,
  ) => Promise<{ readonly data: readonly unknown[]; readonly total: number }>,
): Route {
  return accountRoute({
    method: "GET",
    path,
    answer,
    async act(request) {
      const { call, deps } = request;
      const { pairs, problems, value } = read(queryOf(call.url));
      if (value === null) throw new Refusal(parameterFailure(problems));
      const { limit, page, ...others } = value;
      const rows = { limit, offset: (page - 1) * limit };
      const { data, total } = await find(request, rows, value);
      const lastPage = Math.max(1, Math.ceil(total / limit));
      const links = { pairs, page, hasNext: page < lastPage, lastPage };
      return json(
        { data, meta: { ...others, count: data.length, page, limit, total } },
        ["link", pageLinks(publicPath(deps.settings.publicUrl, path), links)],
      );
    },
  });
}

/** Formats a time as ISO 8601, null for none. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

function notVerified(): Failure {
  return {
    code: "email_not_verified",
    message:
      "Verify your email address first. Open the link in the verification email.",
  };
}
