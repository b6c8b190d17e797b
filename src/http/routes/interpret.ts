import { INTERPRET_EXAMPLE } from "../../contract/examples.ts";
import {
  InterpretAnswer,
  type Interpretation,
} from "../../contract/interpret.ts";
import { InterpretParameters } from "../../contract/parameters.ts";
import type { Static } from "typebox";
import {
  parameterSteps,
  type OperationResult,
  type ParametersRequest,
  type QuickOperation,
} from "../queries/data-operation.ts";
import { queryReader } from "../queries/query-string.ts";
import type { Route } from "./route.ts";

type InterpretRequest = ParametersRequest<Static<typeof InterpretParameters>>;
type Interpreted = OperationResult & { readonly data: Interpretation };

/** The reading of what a user typed, as an operation with filters. */
export const INTERPRET: QuickOperation<
  InterpretRequest,
  InterpretRequest,
  Interpreted
> = {
  ...parameterSteps(queryReader(InterpretParameters)),
  key: ({ parameters: { q = "" } }) => JSON.stringify(q),
  execute: (data, { parameters: { q = "" } }) => ({
    data: data.explore.interpreter.interpret(q),
  }),
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
    summary: "Turn what a user typed into filters",
    description:
      "Turns a text such as `dr smith cardiologist chicago` into one operation with its parameters, by rules and tables. It says which part of the text became which parameter, which parts are dropped and why, and what else may be meant, all with exact totals. Send the filters to the operation to get the providers.",
    query: InterpretParameters,
    answer: {
      description: "The operation, and its filters.",
      schema: InterpretAnswer,
      examples: { "A search": INTERPRET_EXAMPLE },
    },
  },
  handler: ({ from }) => from(INTERPRET),
} satisfies Route;
