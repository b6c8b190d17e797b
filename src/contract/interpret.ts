import { Type, type Static } from "typebox";
import { MAX_ALTERNATIVES } from "./filters.ts";
import { text, whole } from "./schemas.ts";

/** The response of `GET /v1/providers/interpret`. */

/** Operations that a text can become. */
export const INTERPRETED_OPERATIONS = ["lookup", "search", "nearby"] as const;
export type InterpretedOperation = (typeof INTERPRETED_OPERATIONS)[number];

const optional = Type.Optional(Type.String());

/** The filters that a text can become: parameters of search and nearby, and the NPI of a lookup. */
export const InterpretedFilters = Type.Object(
  {
    npi: optional,
    name: optional,
    first_name: optional,
    name_aliases: Type.Optional(Type.Literal("true")),
    middle_initial: optional,
    last_name: optional,
    organization: optional,
    city: optional,
    state: optional,
    zip: optional,
    radius: Type.Optional(Type.Number()),
    taxonomy: optional,
    specialty: optional,
    specialty_scope: Type.Optional(Type.Literal("common")),
    entity_type: Type.Optional(
      Type.Enum(["individual", "organization"], { type: "string" }),
    ),
  },
  {
    additionalProperties: false,
    description:
      "The parameters of the operation as they are sent: of a lookup only `npi`, of a nearby search `zip` as its center: around a city, the ZIP code of the city with the most providers. A nearby search without `zip` needs a place, which the text doesn't name: ask the user for one, or send `lat` and `lng` of their device.",
  },
);

const OPERATION = Type.Enum([...INTERPRETED_OPERATIONS], { type: "string" });
const TOTAL = whole("How many providers it finds; always exact.");

export const InterpretAnswer = Type.Object(
  {
    data: Type.Object({
      operation: Type.Unsafe<InterpretedOperation | null>({
        type: ["string", "null"],
        enum: [...INTERPRETED_OPERATIONS, null],
        description:
          "What to send: `lookup` is `GET /v1/providers/{npi}`, `search` and `nearby` are the searches. Null if `q` has nothing that can be searched or looked up; then `filters` is empty and `total` 0.",
      }),
      filters: InterpretedFilters,
      understood: Type.Array(
        Type.Object({
          text: text("A part of `q`, as typed."),
          filter: text(
            "The parameter that it became, or `operation` for words such as near.",
          ),
        }),
        { description: "What became a filter, in the order typed." },
      ),
      dropped: Type.Array(
        Type.Object({
          text: text("A part of `q`, as typed."),
          reason: text("Why it is in no filter, in English, for users."),
        }),
        {
          description:
            "What is in no filter, in the order typed: titles, credentials, insurance, phone numbers.",
        },
      ),
      alternatives: Type.Array(
        Type.Object({
          operation: OPERATION,
          filters: InterpretedFilters,
          total: TOTAL,
        }),
        {
          maxItems: MAX_ALTERNATIVES,
          description:
            "What else may be meant, the likeliest first: nicknames, another sense of a word (Jackson is a name and a city), another spelling, a name with fewer words, the last name in the place, also with the first name's initial, the name without the specialty or the reverse, or other places. For an NPI with a wrong check digit: NPIs that may be meant. Each finds at least one provider, except around a place that is missing, where its total is 0.",
        },
      ),
      total: TOTAL,
    }),
    meta: Type.Object({
      source: text("Where the data comes from, and the dates it covers."),
    }),
  },
  { title: "InterpretResponse" },
);

export type InterpretedFilters = Static<typeof InterpretedFilters>;
export type InterpretAnswer = Static<typeof InterpretAnswer>;
export type Interpretation = InterpretAnswer["data"];
