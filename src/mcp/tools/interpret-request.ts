import type {
  InterpretAnswer,
  Interpretation,
} from "../../contract/interpret.ts";
import { InterpretParameters } from "../../contract/parameters.ts";
import { ask, isRefused } from "../api.ts";
import { list, object, sent } from "../schemas.ts";
import { argumentsOf } from "./filters.ts";
import { output, TEXT, WHOLE, type Tool } from "./tool.ts";

/** The tools for what a text can become. */
const TOOLS = {
  lookup: "lookup_providers",
  search: "search_providers",
  nearby: "find_providers_nearby",
};

const OBJECTS = list({ type: "object" });

export const INTERPRET_REQUEST: Tool = {
  name: "interpret_request",
  title: "Interpret a request",
  description:
    "Use to see how a user's words would be understood, before a search: the tool and its arguments, what was dropped and why, and what else may be meant, with exact totals. Finds no providers itself. If arguments of find_providers_nearby have no zip, ask the user for a place.",
  input: object({ text: sent(InterpretParameters.properties.q) }, ["text"]),
  output: output({
    tool: TEXT,
    arguments: { type: "object" },
    total: WHOLE,
    understood: OBJECTS,
    dropped: OBJECTS,
    alternatives: OBJECTS,
  }),
  async call({ text }, api) {
    const found = await ask<InterpretAnswer>(api, "/v1/providers/interpret", {
      q: text,
    });
    if (isRefused(found)) return found;
    const { alternatives, dropped, total, understood } = found.body.data;
    return {
      snapshot: found.snapshot,
      said: [
        ...readingLines(found.body.data),
        `Providers that match: ${total}.`,
      ],
      facts: {
        ...callOf(found.body.data),
        understood,
        dropped,
        alternatives: alternatives.map(callOf),
      },
    };
  },
};

/** Makes the call of a tool that a text became. */
function callOf({
  filters,
  operation,
  total,
}: Pick<Interpretation, "filters" | "operation" | "total">): object {
  const { npi, ...others } = filters;
  return {
    tool: operation === null ? "none" : TOOLS[operation],
    arguments: npi === undefined ? argumentsOf(others) : { npis: [npi] },
    total,
  };
}

/** Says what a text was understood as, and what was dropped. */
export function readingLines({
  alternatives,
  dropped,
  filters,
  operation,
}: Interpretation): string[] {
  return [
    operation === null
      ? "Nothing was understood that can be searched."
      : `Understood as ${operation} ${JSON.stringify(filters)}.`,
    ...dropped.map(
      ({ reason, text }) => `Dropped ${JSON.stringify(text)}: ${reason}`,
    ),
    ...alternatives
      .slice(0, 3)
      .map(
        (each) =>
          `Or ${each.operation} ${JSON.stringify(each.filters)}: ${each.total}.`,
      ),
  ];
}
