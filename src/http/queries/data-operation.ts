import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { Format } from "../../search/render/formats.ts";
import type { Members } from "../../search/render/renderer.ts";
import type { Failure } from "../pipeline/failure.ts";
import type { PageLinks } from "./query-string.ts";

/** What an operation reads its query from: a request's target, and the parameters of its path. */
export interface Address {
  readonly url: string;
  readonly params: unknown;
}

/** What an operation found, before it is written. */
export interface Found {
  /** The documents that the answer shows. */
  readonly hits?: readonly Hit[];
  readonly links?: PageLinks;
}

/** A page of documents. */
export interface FoundPage extends Found {
  readonly hits: readonly Hit[];
  readonly meta: Members;
}

/**
 * What can be asked of the data, by `/v1` and by the portal's explorer alike. A request goes through the steps from top to
 * bottom; each but the last may end it with a failure. Who may ask, and what is counted, is no matter of the operation.
 */
export interface DataOperation<Asked, Query, Result extends Found> {
  /** Reads what is asked; knows no data. */
  readonly parse: (address: Address) => Asked | Failure;
  /** Tells it from everything else that the path can be asked. */
  readonly key: (asked: Asked) => string;
  /** Makes it a query to these data, or says what they lack for it. */
  readonly resolve: (data: Directory, asked: Asked) => Query | Failure;
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
  { hits, meta }: FoundPage,
  members: Members,
  format: Format,
): string {
  return data.renderPage(hits, { meta, ...members }, format);
}
