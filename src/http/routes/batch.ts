import { BatchAnswer } from "../../contract/answers.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { BATCH_EXAMPLE } from "../../contract/examples.ts";
import { BatchParameters } from "../../contract/parameters.ts";
import { checkNpi } from "../../registry/npi.ts";
import type { Directory } from "../../search/directory.ts";
import { READ_AHEAD } from "../../search/render/rendering.ts";
import { isFailure } from "../pipeline/failure.ts";
import type { WorkInPieces } from "../pipeline/work-in-pieces.ts";
import {
  parserOf,
  type DataOperation,
  type OperationResult,
} from "../queries/data-operation.ts";
import {
  invalid,
  parameterFailure,
  queryReader,
} from "../queries/query-string.ts";
import { inOrder, partsOf, readable } from "./lookup.ts";
import type { Route } from "./route.ts";

interface BatchRequest {
  readonly npis: readonly string[];
  readonly include: ReturnType<typeof inOrder>;
  readonly snapshot: string | undefined;
  /** The number of NPIs that are looked up, which count as requests. */
  readonly counted: number;
}

interface BatchQuery extends BatchRequest {
  readonly parts: readonly DetailPart[];
}

interface BatchResult extends OperationResult {
  readonly entries: readonly string[];
  readonly counted: number;
}

const MISSING_NPIS = invalid(
  "npi",
  "npi is missing: send the NPIs to look up as a comma-separated list.",
);
const parse = parserOf(queryReader(BatchParameters));

/** Makes the lookup of many NPIs at once. */
export function batchOperation(
  work: WorkInPieces,
): DataOperation<BatchRequest, BatchQuery, BatchResult> {
  return {
    parse(target) {
      const request = parse(target);
      if (isFailure(request)) return request;
      const { include = [], npi: npis, snapshot } = request.parameters;
      if (npis === undefined) return parameterFailure([MISSING_NPIS]);
      const counted = npis.filter((npi) => checkNpi(npi) === "ok").length;
      return { npis, include: inOrder(include), snapshot, counted };
    },
    pinned: ({ snapshot }) => snapshot,
    key: ({ include, npis }) => JSON.stringify([npis, include]),
    responses: ({ counted }) => counted,
    resolve(data, request) {
      const parts = partsOf(data, request.include);
      return isFailure(parts) ? parts : { ...request, parts };
    },
    async execute(data, query, call) {
      const entries: string[] = [];
      await work.doAll(call, entriesOf(data, query, entries));
      return { entries, counted: query.counted };
    },
    render({ source }, { counted, entries }) {
      const meta = { count: entries.length, counted, source };
      return `{"data":[${entries.join(",")}],"meta":${JSON.stringify(meta)}}`;
    },
  };
}

/** Renders the entries of a batch, and yields how many characters each has. */
function* entriesOf(
  { lookup: { checker, rendering } }: Directory,
  { npis, parts }: BatchQuery,
  entries: string[],
): Iterator<number, void> {
  for (const [index, npi] of npis.entries()) {
    if (index % READ_AHEAD === 0)
      rendering.readAhead(npis.slice(index, index + READ_AHEAD));
    const entry = rendering.renderChecked(
      readable(() => checker.check(npi, parts)),
    );
    entries.push(entry);
    yield entry.length;
  }
}

/** `GET /v1/providers` */
export const BATCH_ROUTE = {
  method: "GET",
  path: "/v1/providers",
  access: "key",
  counted: "batch",
  described: {
    operationId: "checkProviders",
    summary: "Look up many providers by NPI",
    description:
      "Returns an entry for each of up to 500 numbers, in the order sent: what it is (`verdict`), the provider's record, and for a number with a wrong check digit the NPIs that may be meant. Each NPI that is looked up counts as one request, all of them or none. For the rate limit, a batch is one request.",
    query: BatchParameters,
    answer: {
      description: "An entry for each number.",
      schema: BatchAnswer,
      examples: { "A provider, a typo, and a replaced NPI": BATCH_EXAMPLE },
    },
    codes: ["details_not_held", "details_unreadable", "too_many_at_once"],
  },
  handler: ({ from, work }) => from(batchOperation(work)),
} satisfies Route;
