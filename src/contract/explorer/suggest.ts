import { Type, type Static } from "typebox";
import {
  FILTERED_OPERATIONS,
  MAX_ALTERNATIVES,
  MAX_COMPLETIONS,
  MAX_LEFT_OUT,
} from "../filters.ts";
import { INTERPRETED_OPERATIONS, InterpretedFilters } from "../interpret.ts";
import {
  InterpretParameters,
  NearbyParameters,
  SearchParameters,
} from "../parameters.ts";
import { strict, text, whole } from "../schemas.ts";

/** The responses of `GET /explore/suggest` and `GET /explore/alternatives`. */

export const COMPLETION_KINDS = [
  "npi",
  "name",
  "organization",
  "specialty",
  "place",
] as const;
export type CompletionKind = (typeof COMPLETION_KINDS)[number];

const OPERATION = Type.Enum([...INTERPRETED_OPERATIONS], { type: "string" });

const Completion = Type.Object({
  kind: Type.Enum([...COMPLETION_KINDS], { type: "string" }),
  text: text("All that the box holds if it is chosen."),
  label: Type.Optional(text("What to show with it: a ZIP's city.")),
  operation: OPERATION,
  filters: InterpretedFilters,
  total: Type.Optional(
    whole(
      "How many providers it finds together with the other parameters, if that is quick to count.",
    ),
  ),
});
export type Completion = Static<typeof Completion>;

export const SuggestAnswer = Type.Object({
  data: Type.Array(Completion, {
    maxItems: MAX_COMPLETIONS,
    description: "What `q` can become, the likeliest first.",
  }),
});

const ASKED = Type.Enum([...FILTERED_OPERATIONS], {
  type: "string",
  "x-rule": FILTERED_OPERATIONS.join(" or "),
});

/** The parameters of `GET /explore/suggest`: what is typed, and an operation with its own, to which it is added. */
export const SUGGEST_PARAMETERS = {
  search: strict({
    ...InterpretParameters.properties,
    operation: Type.Optional(ASKED),
    ...SearchParameters.properties,
  }),
  nearby: strict({
    ...InterpretParameters.properties,
    operation: Type.Optional(ASKED),
    ...NearbyParameters.properties,
  }),
};

/** The parameters of `GET /explore/alternatives`: an operation, and its own. */
export const ALTERNATIVES_PARAMETERS = {
  search: strict({
    operation: Type.Optional(ASKED),
    ...SearchParameters.properties,
  }),
  nearby: strict({
    operation: Type.Optional(ASKED),
    ...NearbyParameters.properties,
  }),
};

/** The filters of an operation, as they are sent. */
const AskedFilters = Type.Partial(
  Type.Omit(
    Type.Object({
      ...SearchParameters.properties,
      ...NearbyParameters.properties,
    }),
    ["limit", "page", "snapshot", "sort"],
  ),
);

export const AlternativesAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      operation: Type.Enum([...FILTERED_OPERATIONS], { type: "string" }),
      filters: AskedFilters,
      total: Type.Integer({ minimum: 1 }),
    }),
    { maxItems: MAX_ALTERNATIVES },
  ),
  without: Type.Array(
    Type.Object({
      parameters: Type.Array(Type.String(), { minItems: 1 }),
      total: Type.Integer({ minimum: 1 }),
    }),
    {
      maxItems: MAX_LEFT_OUT,
      description:
        "If the operation finds no one: parameters without which it finds providers, those first that matter least.",
    },
  ),
});
export type LeftOut = AlternativesAnswer["without"][number];
export type AlternativesAnswer = Static<typeof AlternativesAnswer>;
