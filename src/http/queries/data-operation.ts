import type { FastifyReply, FastifyRequest } from "fastify";
import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  FILTERS,
  FILTER_NAMES,
  INITIALS_NOT_HELD,
  isScope,
  type ScopeName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { Format } from "../../search/render/formats.ts";
import type { JsonText } from "../../search/render/json-text.ts";
import type { Members } from "../../search/render/renderer.ts";
import {
  BEHIND_RETRY_SECONDS,
  DATA_RETRY_SECONDS,
} from "../limits/server-limits.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import type { DataHolder } from "../app-context.ts";
import type { PageLinks } from "./query-string.ts";

const SCOPES = FILTER_NAMES.filter(isScope);

/** The input of an operation: the request target, and the path's parameters. */
export interface RequestTarget {
  readonly url: string;
  readonly params: unknown;
}

/** The result of an operation, before rendering. */
export interface OperationResult {
  /** The documents in the answer. */
  readonly hits?: readonly Hit[];
  readonly links?: PageLinks;
  /** Further headers of the answer. One with the name of another header replaces it. */
  readonly headers?: HeaderList;
}

/** The result of an operation whose answer is a stream, ready to be sent or disposed of. */
export interface StreamedResult extends Disposable {
  /** How many answers it counts as. */
  readonly answers: number;
  /** Sends the answer, whose head starts with these headers, and disposes of the result. Never rejects. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: HeaderList,
  ): Promise<void>;
}

/** A page of results. */
export interface ResultPage extends OperationResult {
  readonly hits: readonly Hit[];
  readonly meta: Members;
}

/**
 * The steps of a request to the data. It goes through them from top to bottom; each can return a failure. Access and
 * counting are up to the caller.
 */
export interface DataSteps<
  Parsed,
  Query,
  Result extends OperationResult | StreamedResult,
> {
  /** Parses the request, without the data. */
  readonly parse: (request: FastifyRequest) => Parsed | Failure;
  /** The ID of the snapshot that the request insists on; undefined for the current one. */
  readonly pinned?: (parsed: Parsed) => string | undefined;
  /** Distinguishes this request from all others to the same path over the same content, for entity tags. */
  readonly key: (parsed: Parsed, data: Directory) => string;
  /** How many answers a result counts as, if that isn't one and the result doesn't say it. */
  readonly answers?: (parsed: Parsed) => number;
  /** Makes it a query to this data, or returns what the data lacks. */
  readonly resolve: (data: Directory, parsed: Parsed) => Query | Failure;
  /**
   * For work that takes longer than a turn (`fair-queue.ts`): does it in pieces, before `execute`, which makes the
   * result from what it stored in the query. Each yields how many characters it added to the answer. If the data is
   * replaced meanwhile, the request starts again. A throw is a bug.
   */
  readonly pieces?: (data: Directory, query: Query) => Iterator<number, void>;
  readonly execute: (data: Directory, query: Query) => Result | Failure;
}

/** An operation on the data, used by `/v1` and by the portal's explorer. */
export interface DataOperation<
  Parsed,
  Query,
  Result extends OperationResult,
> extends DataSteps<Parsed, Query, Result> {
  readonly parse: (target: RequestTarget) => Parsed | Failure;
  /** Renders the body, with extra members at its end. */
  readonly render: (
    data: Directory,
    result: Result,
    members: Members,
    format: Format,
  ) => string;
}

/** An operation whose answer is a stream. */
export type StreamedOperation<Parsed, Query> = DataSteps<
  Parsed,
  Query,
  StreamedResult
>;

/** Whether a step failed. */
export function isFailure(outcome: object): outcome is Failure {
  return "code" in outcome;
}

/** The data that a request is answered from: the current one, or the snapshot that it insists on. */
export function dataFor(
  { current, expected, previous }: DataHolder,
  pinned: string | undefined,
): Directory | Failure {
  if (current === null) return dataNotLoaded();
  if (pinned === undefined || pinned === current.id) return current;
  if (pinned === previous?.id) return previous;
  return expected.includes(pinned, current.id)
    ? snapshotBehind(pinned)
    : snapshotGone(pinned, current.id);
}

/** The failure of a request for a snapshot that other threads or nodes may already serve. */
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

/** Renders a page of results. */
export function renderPage(
  data: Directory,
  { hits, meta }: ResultPage,
  members: Members,
  format: Format,
): string {
  return data.rendering.renderPage(hits, { meta, ...members }, format);
}

/** The same without further members as JSON, valid until something else is rendered. */
export function writePage(
  data: Directory,
  { hits, meta }: ResultPage,
): JsonText {
  return data.rendering.writePage(hits, { meta });
}

/** The failure while no snapshot is loaded. */
export function dataNotLoaded(
  message = "No registry data is loaded yet. Try again once the first import is complete.",
): Failure {
  return {
    code: "data_not_loaded",
    message,
    headers: { "retry-after": String(DATA_RETRY_SECONDS) },
  };
}

/** The scopes whose data is stored. */
export function availableScopes(available: readonly DetailPart[]): ScopeName[] {
  return SCOPES.filter((name) => available.includes(FILTERS[name].any.part));
}

/** A failure if the data lacks something for a query's filters, else null. */
export function missingDataFailure(
  query: FilterValues,
  data: Directory,
): Failure | null {
  const failure = scopeFailure(query, data.detailParts);
  if (failure !== null) return failure;
  if (query.middle_initial !== undefined && !data.knowsMiddleInitials)
    return initialsNotHeld();
  return query.last_updated_since === undefined || data.knowsUpdates
    ? null
    : dataNotLoaded(
        "The dates for last_updated_since are still loading. Try again in a moment.",
      );
}

/** The failure of a filter by middle initial if an earlier version imported the data. */
function initialsNotHeld(): Failure {
  const problem: FailureDetail = {
    param: "middle_initial",
    code: "details_not_held",
    message: `middle_initial can't be searched yet: ${INITIALS_NOT_HELD}.`,
  };
  return { code: problem.code, message: problem.message, details: [problem] };
}

/** A failure if data for a scope of `any` is not stored, else null. */
function scopeFailure(
  parameters: Partial<Readonly<Record<ScopeName, "primary" | "any">>>,
  available: readonly DetailPart[],
): Failure | null {
  const problems = SCOPES.flatMap((param): FailureDetail[] => {
    const { inWords, part } = FILTERS[param].any;
    if (parameters[param] !== "any" || available.includes(part)) return [];
    const message = `${param}=any needs ${inWords}, which this installation does not store. Its operator can add them: import the registry's full zip with --details all, or with a list that has ${part}.`;
    return [{ param, code: "details_not_held", message }];
  });
  const [first] = problems;
  return first === undefined
    ? null
    : { code: first.code, message: first.message, details: problems };
}
