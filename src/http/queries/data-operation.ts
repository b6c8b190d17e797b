import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  FILTERS,
  FILTER_NAMES,
  isScope,
  type ScopeName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { Format } from "../../search/render/formats.ts";
import type { Members } from "../../search/render/renderer.ts";
import { DATA_RETRY_SECONDS } from "../limits/server-limits.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import type { PageLinks } from "./query-string.ts";

const SCOPES = FILTER_NAMES.filter(isScope);

/** What an operation reads its query from: a request's target, and the parameters of its path. */
export interface RequestTarget {
  readonly url: string;
  readonly params: unknown;
}

/** What an operation found, before it is written. */
export interface OperationResult {
  /** The documents that the answer shows. */
  readonly hits?: readonly Hit[];
  readonly links?: PageLinks;
}

/** A page of documents. */
export interface ResultPage extends OperationResult {
  readonly hits: readonly Hit[];
  readonly meta: Members;
}

/**
 * What can be asked of the data, by `/v1` and by the portal's explorer alike. A request goes through the steps from top to
 * bottom; each but the last may end it with a failure. Who may ask, and what is counted, is no matter of the operation.
 */
export interface DataOperation<Parsed, Query, Result extends OperationResult> {
  /** Reads what is asked; knows no data. */
  readonly parse: (target: RequestTarget) => Parsed | Failure;
  /** Tells it from everything else that the path can be asked. */
  readonly key: (parsed: Parsed) => string;
  /** Makes it a query to these data, or says what they lack for it. */
  readonly resolve: (data: Directory, parsed: Parsed) => Query | Failure;
  readonly execute: (data: Directory, query: Query) => Result | Failure;
  /** The answer's body, with further members at its end. */
  readonly render: (
    data: Directory,
    result: Result,
    members: Members,
    format: Format,
  ) => string;
}

/** Whether a step ended the request. */
export function isFailure(outcome: object): outcome is Failure {
  return "code" in outcome;
}

/** The last step of operations that find a page. */
export function renderPage(
  data: Directory,
  { hits, meta }: ResultPage,
  members: Members,
  format: Format,
): string {
  return data.renderPage(hits, { meta, ...members }, format);
}

/** The answer while there is no snapshot. */
export function dataNotLoaded(
  message = "No registry data is loaded yet. Try again soon.",
): Failure {
  return {
    code: "data_not_loaded",
    message,
    headers: { "retry-after": String(DATA_RETRY_SECONDS) },
  };
}

/** Which scopes can be widened by the parts that are held. */
export function availableScopes(held: readonly DetailPart[]): ScopeName[] {
  return SCOPES.filter((name) => held.includes(FILTERS[name].any.part));
}

/** What the data lack for a query's filters; null when it is nothing. */
export function missingDataFailure(
  query: FilterValues,
  data: Directory,
): Failure | null {
  const failure = scopeFailure(query, data.heldDetails);
  if (failure !== null) return failure;
  return query.last_updated_since === undefined || data.knowsUpdates
    ? null
    : dataNotLoaded(
        "The dates for last_updated_since are still loading. Try again in a moment.",
      );
}

/** What is wrong with scopes of `any` for which this installation holds no data; null when nothing is. */
function scopeFailure(
  parameters: Partial<Readonly<Record<ScopeName, "primary" | "any">>>,
  held: readonly DetailPart[],
): Failure | null {
  const problems = SCOPES.flatMap((param): FailureDetail[] => {
    const { inWords, part } = FILTERS[param].any;
    if (parameters[param] !== "any" || held.includes(part)) return [];
    const message = `${param}=any needs ${inWords}, which this installation does not store. Its operator can add them: import the registry's full zip with --details all, or with a list that has ${part}.`;
    return [{ param, code: "details_not_held", message }];
  });
  const [first] = problems;
  return first === undefined
    ? null
    : { code: first.code, message: first.message, details: problems };
}
