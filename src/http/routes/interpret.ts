import { INTERPRET_EXAMPLE } from "../../contract/examples.ts";
import {
  InterpretAnswer,
  type Interpretation,
} from "../../contract/interpret.ts";
import { InterpretParameters } from "../../contract/parameters.ts";
import type {
  QuickOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import {
  parameterFailure,
  queryOf,
  queryReader,
} from "../queries/query-string.ts";
import type { Route } from "./route.ts";

export interface InterpretRequest {
  /** What was typed; '' if it is absent or blank. */
  readonly q: string;
  /** The ID of the snapshot that the request insists on. */
  readonly snapshot?: string | undefined;
}

type Interpreted = OperationResult & { readonly data: Interpretation };

const readQuery = queryReader(InterpretParameters);

/** What a user typed, as an operation with filters. */
export const INTERPRET: QuickOperation<
  InterpretRequest,
  InterpretRequest,
  Interpreted
> = {
  parse({ url }) {
    const { problems, value } = readQuery(queryOf(url));
    return value === null
      ? parameterFailure(problems)
      : { q: value.q ?? "", snapshot: value.snapshot };
  },
  pinned: ({ snapshot }) => snapshot,
  key: ({ q }) => JSON.stringify(q),
  resolve: (_data, request) => request,
  execute: (data, { q }) => ({ data: data.interpreter.interpret(q) }),
  render: ({ source }, { data }) => JSON.stringify({ data, meta: { source } }),
};

/** `GET /v1/providers/interpret` */
export const INTERPRET_ROUTE = {
  method: "GET",
  path: "/v1/providers/interpret",
  access: "key",
  counted: "lookup",
  described: {
    operationId: "interpretText",
    tag: "Providers",
    summary: "Turn what a user typed into filters",
    description:
      "Turns a text such as `dr smith cardiologist chicago` into one operation with its parameters, by rules and tables. It says which part of the text became which parameter, which parts are dropped and why, and what else may be meant, all with exact totals. Send the filters to the operation to get the providers.",
    query: InterpretParameters,
    answer: {
      description: "The operation, and its filters.",
      schema: InterpretAnswer,
      examples: { "A search": INTERPRET_EXAMPLE },
    },
    codes: ["invalid_parameter", "snapshot_gone", "snapshot_behind"],
  },
  handler: ({ from }) => from(INTERPRET),
} satisfies Route;
