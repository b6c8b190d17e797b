import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  FILTERS,
  FILTER_NAMES,
  INITIALS_NOT_HELD,
  NAME_ORDER_NOT_HELD,
  isScope,
  type ScopeName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { JsonText } from "../../search/render/json-text.ts";
import type { Members } from "../../search/render/renderer.ts";
import {
  BEHIND_RETRY_SECONDS,
  DATA_RETRY_SECONDS,
} from "../limits/server-limits.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import type { Body, DataCall } from "../call.ts";
import {
  invalid,
  parameterFailure,
  queryOf,
  type PageLinks,
  type QueryPairs,
  type QueryReader,
} from "./query-string.ts";

const SCOPES = FILTER_NAMES.filter(isScope);

/** The input of an operation: the request target, and the path's parameters. */
export type RequestTarget = Pick<DataCall, "url" | "params">;

/** The result of an operation, before rendering. */
export interface OperationResult {
  /** The documents in the answer. */
  readonly hits?: readonly Hit[];
  readonly links?: PageLinks;
  /** Further headers of the answer. One with the name of another header replaces it. */
  readonly headers?: HeaderList;
  /** JSON by default. */
  readonly contentType?: string;
}

/** A page of results. */
export interface ResultPage extends OperationResult {
  readonly hits: readonly Hit[];
  readonly meta: Members;
}

/**
 * An operation on the data: what is its own on the way of a request (`answerFromData`), which goes through these steps
 * from top to bottom. Each can return a failure.
 */
export interface DataOperation<Parsed, Query, Result extends OperationResult> {
  /** Parses the request, without the data. */
  readonly parse: (target: RequestTarget) => Parsed | Failure;
  /** Returns the ID of the snapshot that the request insists on; undefined for the current one. */
  readonly pinned?: (parsed: Parsed) => string | undefined;
  /** Makes it a query to this data, or returns what the data lacks. */
  readonly resolve: (data: Directory, parsed: Parsed) => Query | Failure;
  /**
   * Distinguishes this request from all others to the same path over the same content, for entity tags. Without it,
   * answers have none.
   */
  readonly key?: (parsed: Parsed, data: Directory) => string;
  /** The Cache-Control of responses, also of a 304, which replaces that of the client's copy; `private` by default. */
  readonly cacheControl?: string;
  /** Counts the responses that a result stands for; 1 by default. Null if `execute` reserves what it sends. */
  readonly responses?: (parsed: Parsed) => number | null;
  /** Does the work. What takes longer than a turn (`fair-queue.ts`) yields (`Turns`), and resolves to the result. */
  readonly execute: (
    data: Directory,
    query: Query,
    call: DataCall,
  ) => Result | Failure | Promise<Result | Failure>;
  /** Renders the body, with extra members at its end. */
  readonly render: (data: Directory, result: Result, members?: Members) => Body;
}

/** An operation whose work is done in one go, the same for every caller. */
export interface QuickOperation<
  Parsed,
  Query,
  Result extends OperationResult,
> extends DataOperation<Parsed, Query, Result> {
  readonly execute: (data: Directory, query: Query) => Result | Failure;
}

/** Makes the failure of a request for a snapshot that other threads or nodes may already serve. */
export function snapshotBehind(id: string): Failure {
  return {
    code: "snapshot_behind",
    message: `This node does not serve snapshot ${id} yet. Send the same request again soon.`,
    headers: { "retry-after": String(BEHIND_RETRY_SECONDS) },
  };
}

export function snapshotGone(pinned: string, current: string): Failure {
  return {
    code: "snapshot_gone",
    message: `Snapshot ${pinned} is not available. Start again from page 1 with snapshot=${current}, or without snapshot.`,
  };
}

/** Renders a page of results; valid until something else is rendered. */
export function renderPage(
  data: Directory,
  { hits, meta }: ResultPage,
  members: Members = {},
): JsonText {
  return data.lookup.rendering.writePage(hits, { meta, ...members });
}

/** Makes the failure while no snapshot is loaded. */
export function dataNotLoaded(
  message = "No registry data is loaded yet. Try again once the first import is complete.",
): Failure {
  return {
    code: "data_not_loaded",
    message,
    headers: { "retry-after": String(DATA_RETRY_SECONDS) },
  };
}

/** Lists the scopes whose data is stored. */
export function availableScopes(available: readonly DetailPart[]): ScopeName[] {
  return SCOPES.filter((name) => available.includes(FILTERS[name].any.part));
}

/** Returns a failure if the data lacks something for a query's filters or its order, else null. */
export function missingDataFailure(
  query: FilterValues & { readonly sort?: string },
  data: Directory,
): Failure | null {
  const problems = SCOPES.flatMap((param): FailureDetail[] => {
    const { inWords, part } = FILTERS[param].any;
    if (query[param] !== "any" || data.detailParts.includes(part)) return [];
    const message = `${param}=any needs ${inWords}, which this installation does not store. Its operator can add them: import the registry's full zip with --details all, or with a list that has ${part}.`;
    return [invalid(param, message, "details_not_held")];
  });
  if (problems.length > 0) return parameterFailure(problems);
  if (query.middle_initial !== undefined && !data.search.knowsMiddleInitials) {
    const message = `middle_initial can't be searched yet: ${INITIALS_NOT_HELD}.`;
    return parameterFailure([
      invalid("middle_initial", message, "details_not_held"),
    ]);
  }
  if (query.sort === "name" && !data.search.knowsNameOrder)
    return parameterFailure([
      invalid(
        "sort",
        `sort=name isn't available yet: ${NAME_ORDER_NOT_HELD}.`,
        "details_not_held",
      ),
    ]);
  if (data.search.knowsUpdates) return null;
  if (query.country !== undefined)
    return dataNotLoaded(
      "The countries of practice addresses are still loading. Try again in a moment.",
    );
  return query.last_updated_since === undefined
    ? null
    : dataNotLoaded(
        "The dates for last_updated_since are still loading. Try again in a moment.",
      );
}

/** A request that is its parameters. */
export interface ParametersRequest<Values> {
  readonly parameters: Values;
  /** As they were sent. */
  readonly pairs: QueryPairs;
}

/** Makes the parser of such requests. `check` finds what is wrong with parameters that are right one by one. */
export function parserOf<Values>(
  read: QueryReader<Values>,
  check: (given: ReadonlySet<string>) => readonly FailureDetail[] = () => [],
): (target: Pick<DataCall, "url">) => ParametersRequest<Values> | Failure {
  return ({ url }) => {
    const { given, pairs, problems, value } = read(queryOf(url));
    const all = [...problems, ...check(given)];
    return value === null || all.length > 0
      ? parameterFailure(all)
      : { parameters: value, pairs };
  };
}

/** Makes the first steps of an operation on such requests, of whose filters the data may lack something. */
export function parameterSteps<
  Values extends FilterValues & { readonly snapshot?: string },
>(...parsing: Parameters<typeof parserOf<Values>>) {
  return {
    parse: parserOf(...parsing),
    pinned: ({ parameters }: ParametersRequest<Values>) => parameters.snapshot,
    key: ({ parameters }: ParametersRequest<Values>) =>
      JSON.stringify(parameters),
    resolve: (data: Directory, request: ParametersRequest<Values>) =>
      missingDataFailure(request.parameters, data) ?? request,
  };
}
