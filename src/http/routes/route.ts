import type { RouteHandlerMethod } from "fastify";
import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../../contract/errors.ts";
import type { Operation } from "../../contract/operation.ts";
import type { AppContext } from "../app-context.ts";
import type { Answered } from "../pipeline/answer-counts.ts";
import type { Refuse } from "../pipeline/failure.ts";
import type { HeaderName } from "../pipeline/response-headers.ts";
import type { DataAnswers } from "../pipeline/answer-data.ts";

/**
 * A path of the service with all that is known of it. From the table of routes (`table.ts`) follow their registration, the
 * key check, what usage and metrics count, which requests wait for their turn, the OpenAPI document and the reference.
 */
export type Route = RouteFacts &
  (
    | { readonly access: "key"; readonly counted: Operation }
    | { readonly access: Exclude<Access, "key">; readonly counted: Answered }
  );

/**
 * Who may ask, and how bodies and failures are treated; `access/guards.ts` says how.
 *
 * - `public`: everybody
 * - `key`: who has an API key
 * - `explorer`: pages of the service, within the limits of the explorer
 * - `session`: who is signed in, and who signs in
 * - `billing`: who is signed in and pays
 * - `webhook`: a program that signs its body
 */
export type Access =
  "public" | "key" | "explorer" | "session" | "billing" | "webhook";

export type Method = "GET" | "HEAD" | "POST" | "DELETE";

interface RouteFacts {
  /** HEAD comes with GET, and OPTIONS where scripts of other sites may ask. */
  readonly method: Method | readonly Method[];
  /** As the router has it: `/v1/providers/:npi`. */
  readonly path: string;
  /** For the OpenAPI document; paths without it are no part of the API. */
  readonly described?: RouteDescription;
  /** The JSON of a success, for paths that are not described. Tests hold each answer to it. */
  readonly answer?: TSchema;
  /** The most bytes of a body that are read; without it, as many as the access allows. */
  readonly bodyLimit?: number;
  /** False for files, which lie ready in their encodings. */
  readonly compress?: false;
  /** Makes its handler for an app; null where the installation has no such path. */
  handler(context: RouteContext): RouteHandlerMethod | null;
}

/** What handlers are made of. */
export interface RouteContext {
  readonly deps: AppContext;
  readonly refuse: Refuse;
  readonly answers: DataAnswers;
  /** All routes, whether this installation has them or not. */
  readonly routes: readonly Route[];
}

/** A path as the OpenAPI document and the reference describe it. */
export interface RouteDescription {
  readonly operationId: string;
  readonly tag: "Providers" | "Service";
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Readonly<Record<string, TSchema>>;
  readonly query?: TObject;
  readonly answer: AnswerDescription;
  /** Where it leads instead of answering, and when; absent where it never does. */
  readonly redirect?: string;
  /** The codes that it can answer with besides those of every path and, behind a key, those of every such path. */
  readonly codes?: readonly ApiErrorCode[];
}

export interface AnswerDescription {
  readonly description: string;
  /** `application/json` unless said otherwise. */
  readonly contentType?: string;
  readonly schema: TSchema;
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly HeaderName[];
}

/** A route of the API. */
export type DescribedRoute = Route & Required<Pick<Route, "described">>;

/** The routes that the OpenAPI document and the reference describe. */
export function describedRoutes(routes: readonly Route[]): DescribedRoute[] {
  return routes.filter(
    (route): route is DescribedRoute => route.described !== undefined,
  );
}

/** A path as documents write it: `/v1/providers/{npi}`. */
export function publishedPath(path: string): string {
  return path.replace(/:([a-z]+)/g, "{$1}");
}

/** Whether people are sent to the portal's pages. */
export function hasPages({ portal }: AppContext): boolean {
  return portal !== null && portal.site !== null;
}
