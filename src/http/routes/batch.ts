import { BatchAnswer } from "../../contract/answers.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { BATCH_EXAMPLE } from "../../contract/examples.ts";
import { BatchParameters } from "../../contract/parameters.ts";
import { checkNpi } from "../../registry/npi.ts";
import { READ_AHEAD } from "../../search/render/rendering.ts";
import type { Failure } from "../pipeline/failure.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import {
  parameterFailure,
  queryOf,
  queryReader,
} from "../queries/query-string.ts";
import { detailsNotAvailable, inOrder, UNREADABLE } from "./lookup.ts";
import type { Route } from "./route.ts";

interface BatchRequest {
  readonly npis: readonly string[];
  /** The parts to include, or all that are stored. */
  readonly include: readonly DetailPart[] | "available";
  /** The ID of the snapshot that the request insists on. */
  readonly snapshot?: string | undefined;
  /** How many of the numbers are looked up. */
  readonly counted: number;
}

/** A request to some data, and its entries so far as JSON. */
interface BatchQuery {
  readonly request: BatchRequest;
  readonly parts: readonly DetailPart[];
  readonly entries: string[];
  failure: Failure | null;
}

interface BatchResult extends OperationResult {
  readonly entries: readonly string[];
  readonly counted: number;
}

const readQuery = queryReader(BatchParameters);

/** The lookup of many NPIs at once. */
export const BATCH: DataOperation<BatchRequest, BatchQuery, BatchResult> = {
  parse({ url }) {
    const { problems, value } = readQuery(queryOf(url));
    if (value === null) return parameterFailure(problems);
    const { include = [], npi: npis, snapshot } = value;
    if (npis === undefined) return missingNpis();
    const counted = npis.filter((npi) => checkNpi(npi) === "ok").length;
    return { npis, include: inOrder(include), snapshot, counted };
  },
  pinned: ({ snapshot }) => snapshot,
  key: ({ include, npis }) => JSON.stringify([npis, include]),
  answers: ({ counted }) => counted,
  resolve(data, request) {
    const { include } = request;
    const parts = include === "available" ? data.detailParts : include;
    return parts.some((part) => !data.detailParts.includes(part))
      ? detailsNotAvailable(parts, data.detailParts)
      : { request, parts, entries: [], failure: null };
  },
  *pieces(data, query) {
    const { entries, parts, request } = query;
    try {
      for (const [index, npi] of request.npis.entries()) {
        if (index % READ_AHEAD === 0)
          data.rendering.readAhead(
            request.npis.slice(index, index + READ_AHEAD),
          );
        const entry = data.rendering.renderChecked(
          data.checker.check(npi, parts),
        );
        entries.push(entry);
        yield entry.length;
      }
    } catch (err) {
      const message = "cannot read a provider's details";
      query.failure = { ...UNREADABLE, cause: { err, message } };
    }
  },
  execute: (_data, { entries, failure, request: { counted } }) =>
    failure ?? { entries, counted },
  render({ source }, { counted, entries }) {
    const meta = { count: entries.length, counted, source };
    return `{"data":[${entries.join(",")}],"meta":${JSON.stringify(meta)}}`;
  },
};

/** `GET /v1/providers` */
export const BATCH_ROUTE = {
  method: "GET",
  path: "/v1/providers",
  access: "key",
  counted: "batch",
  described: {
    operationId: "checkProviders",
    tag: "Providers",
    summary: "Look up many providers by NPI",
    description:
      "Returns an entry for each of up to 500 numbers, in the order sent: what it is (`verdict`), the provider's record, and for a number with a wrong check digit the NPIs that may be meant. Each NPI that is looked up counts as one request, all of them or none. For the rate limit, a batch is one request.",
    query: BatchParameters,
    answer: {
      description: "An entry for each number.",
      schema: BatchAnswer,
      examples: { "A provider, a typo, and a replaced NPI": BATCH_EXAMPLE },
    },
    codes: [
      "invalid_parameter",
      "details_not_held",
      "snapshot_gone",
      "snapshot_behind",
      "details_unreadable",
      "too_many_at_once",
    ],
  },
  handler: ({ answers }) => answers.of("/v1/providers", BATCH),
} satisfies Route;

function missingNpis(): Failure {
  const code = "invalid_parameter";
  const message =
    "npi is missing: send the NPIs to look up as a comma-separated list.";
  return parameterFailure([{ param: "npi", code, message }]);
}
