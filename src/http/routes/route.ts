import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../../contract/errors/errors.ts";
import type { Operation } from "../../contract/operation.ts";
import type { DataSource } from "../answer.ts";
import type { AppContext } from "../app-context.ts";
import type { InvalidKeyLimiter } from "../access/authorize.ts";
import type { Handler } from "../call.ts";
import type { ExportFiles } from "../exports/row-operation.ts";
import type { Answered } from "../pipeline/answer-counts.ts";
import type { WorkInPieces } from "../pipeline/work-in-pieces.ts";
import type { HeaderName } from "../pipeline/response-headers.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";

/**
 * A route. The table of routes (`table.ts`) determines the router, the key check, what usage and metrics count, which
 * requests are queued, the OpenAPI document and the reference.
 */
export type Route = RouteFacts &
  (
    | { readonly access: CountedAccess; readonly counted: Operation }
    | {
        readonly access: Exclude<Access, CountedAccess>;
        readonly counted: Answered;
      }
  );

/**
 * Access to a route; `router.ts` makes its check.
 *
 * - `public`: everyone
 * - `key`: clients with an API key
 * - `file`: the same, for a plan with files; a file counts once a day
 * - `registry_api`: as `key`, with the key as the user name of HTTP Basic too, or everyone if the operator says so
 * - `mcp`: assistants with an API key; each operation that they call counts
 * - `explorer`: this service's pages, within the explorer's limit
 * - `download`: the same for a whole list, which counts for the user's account
 * - `check`: the same for a list of NPIs to check
 * - `session`: signed-in users, and users signing in
 * - `billing`: signed-in users who pay
 * - `webhook`: programs that sign the body
 */
export type Access =
  | "public"
  | "key"
  | "file"
  | "registry_api"
  | "mcp"
  | "explorer"
  | "download"
  | "check"
  | "session"
  | "billing"
  | "webhook";

/** Access with an API key, whose requests are counted. */
type CountedAccess = "key" | "file" | "registry_api";

/** True if requests to such a route have an API key. */
export function isKeyed(access: Access): access is CountedAccess {
  return access === "key" || access === "file" || access === "registry_api";
}

export type Method = "GET" | "HEAD" | "POST" | "DELETE";

interface RouteFacts {
  /** HEAD is added to GET, and OPTIONS if other sites' scripts may call the route. */
  readonly method: Method | readonly Method[];
  /** In the router's syntax: `/v1/providers/:npi`. */
  readonly path: string;
  /** For the OpenAPI document; routes without it are not part of the API. */
  readonly described?: RouteDescription;
  /** The schema of a success, for routes that are not described. Tests check each answer against it. */
  readonly answer?: TSchema;
  /** The longest body in bytes; the default depends on the access. */
  readonly bodyLimit?: number;
  /** False for files, which are stored compressed. */
  readonly compress?: false;
  /** True if a response takes as little time as waiting for a turn. */
  readonly isQuick?: true;
  /** Makes the handler; null if the installation does not have the route. */
  handler(context: RouteContext): Handler | null;
}

/** The dependencies of handlers. */
export interface RouteContext {
  readonly deps: AppContext;
  readonly invalidKeys: InvalidKeyLimiter;
  readonly source: DataSource;
  readonly files: ExportFiles;
  readonly work: WorkInPieces;
  /** Makes the handler of an operation on the data. */
  readonly from: <
    Parsed extends object,
    Query extends object,
    Result extends OperationResult,
  >(
    operation: DataOperation<Parsed, Query, Result>,
  ) => Handler;
  /** All routes, including those this installation does not have. */
  readonly routes: readonly Route[];
}

/** A route's description in the OpenAPI document and the reference. */
export interface RouteDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Readonly<Record<string, TSchema>>;
  readonly query?: TObject;
  readonly answer: AnswerDescription;
  /** A sentence on when and where the route redirects; absent if never. */
  readonly redirect?: string;
  /**
   * Its error codes, in addition to those of all routes, of all routes with a key, and of bad parameters and snapshots.
   */
  readonly codes?: readonly ApiErrorCode[];
}

export interface AnswerDescription {
  readonly description: string;
  /** Default `application/json`. */
  readonly contentTypes?: readonly string[];
  readonly schema: TSchema;
  readonly examples?: Readonly<Record<string, object>>;
  /** Texts that the path also answers: an example for each type. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly headers?: readonly HeaderName[];
  /** True if clients can ask for a range of the bytes. */
  readonly hasRanges?: boolean;
}

export type DescribedRoute = Route & Required<Pick<Route, "described">>;

/** Lists the routes of the OpenAPI document and the reference. */
export function describedRoutes(routes: readonly Route[]): DescribedRoute[] {
  return routes.filter(
    (route): route is DescribedRoute => route.described !== undefined,
  );
}

/** Writes a path in the OpenAPI syntax: `/v1/providers/{npi}`. */
export function publishedPath(path: string): string {
  return path.replace(/:([a-z]+)/g, "{$1}");
}

/** True if the installation has the portal's pages. */
export function hasPages({ portal }: AppContext): boolean {
  return portal !== null && portal.site !== null;
}
