import type { SearchAnswer } from "../../contract/answers.ts";
import type {
  InterpretAnswer,
  Interpretation,
} from "../../contract/interpret.ts";
import { SearchEntry } from "../../contract/provider.ts";
import { InterpretParameters } from "../../contract/parameters.ts";
import { ask, isRefused, queryOf, type Api, type Refused } from "../api.ts";
import { described, object, sent, shown } from "../schemas.ts";
import {
  argumentsOf,
  PAGING,
  parametersOf,
  SEARCH_FILTERS,
} from "./filters.ts";
import { FIND_NEARBY } from "./find-nearby.ts";
import { readingLines } from "./interpret-request.ts";
import { LOOKUP_PROVIDERS } from "./lookup-providers.ts";
import {
  pageOf,
  pageShown,
  PROVIDER_COLUMNS,
  providerCells,
  rowsBefore,
} from "./rows.ts";
import {
  output,
  WHOLE,
  type Arguments,
  type Found,
  type Tool,
} from "./tool.ts";

const NAME = "search_providers";

export const SEARCH_PROVIDERS: Tool = {
  name: NAME,
  title: "Search providers",
  description:
    "Use to find providers by name, place, or specialty: `text` as a user typed it (cardiologist in chicago; the result says what was understood and dropped), or filters, or both (filters win). All filters must match. `total` is exact. To page, call `next`. Text counts as one more request.",
  input: object({
    text: described(
      sent(InterpretParameters.properties.q),
      "Names, specialties, places, or an NPI",
    ),
    ...SEARCH_FILTERS,
    ...PAGING,
  }),
  output: output({ total: WHOLE }, object(shown(SearchEntry), ["npi"])),
  async call({ text, ...given }, api) {
    if (typeof text !== "string" || text.trim() === "")
      return await search(given, api);
    const read = await ask<InterpretAnswer>(api, "/v1/providers/interpret", {
      q: text,
      snapshot: given["snapshot"],
    });
    if (isRefused(read)) return read;
    const { filters, operation, total: _total, ...parts } = read.body.data;
    const { snapshot } = read;
    const said = readingLines(read.body.data);
    const found = await callOf(operation, given, filters, snapshot, api);
    if (isRefused(found))
      return { refused: [...said, found.refused].join("\n") };
    return {
      ...found,
      said: [...said, ...found.said],
      facts: { ...found.facts, reading: { operation, filters, ...parts } },
    };
  },
};

/** Calls the operation that a text became, with the filters of the call too. */
async function callOf(
  operation: Interpretation["operation"],
  given: Arguments,
  { npi = "", ...filters }: Interpretation["filters"],
  snapshot: string | null,
  api: Api,
): Promise<Found | Refused> {
  const all = { ...argumentsOf(filters), ...given, snapshot };
  if (operation === "nearby") return await FIND_NEARBY.call(all, api);
  if (operation === "lookup")
    return await LOOKUP_PROVIDERS.call({ npis: [npi], snapshot }, api);
  const isAnything = Object.keys(all).some((name) => name in SEARCH_FILTERS);
  return operation === "search" || isAnything
    ? await search(all, api)
    : { snapshot, said: [], facts: { total: 0 }, rows: [] };
}

async function search(given: Arguments, api: Api): Promise<Found | Refused> {
  const page = pageOf(given);
  const filters = parametersOf(given);
  const found = await ask<SearchAnswer>(api, "/v1/providers/search", {
    ...filters,
    ...page,
  });
  if (isRefused(found)) return found;
  const { snapshot } = found;
  const { data, meta } = found.body;
  const { total } = meta;
  const before = rowsBefore(page);
  const hasMore = before + data.length < total;
  const query = { ...filters, limit: undefined, page: undefined, snapshot };
  return {
    ...pageShown(NAME, given, snapshot, data, hasMore, providerCells),
    said: [
      data.length === 0
        ? `Providers that match: ${total}; none on this page.`
        : `Providers that match: ${total}; shown: ${before + 1} to ${before + data.length}.`,
    ],
    facts: { total },
    columns: PROVIDER_COLUMNS,
    link:
      api.base === null || !hasMore
        ? null
        : {
            name: `All ${total} providers as CSV, with the API key`,
            url: `${api.base}/v1/providers/export${queryOf({ ...query, format: "csv" })}`,
          },
  };
}
