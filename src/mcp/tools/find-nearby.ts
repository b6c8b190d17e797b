import type { NearbyAnswer } from "../../contract/answers.ts";
import { NearbyEntry } from "../../contract/provider.ts";
import { ask, isRefused } from "../api.ts";
import { object, shown } from "../schemas.ts";
import { NEARBY_FILTERS, PAGING, parametersOf } from "./filters.ts";
import { pageOf, pageShown, PROVIDER_COLUMNS, providerCells } from "./rows.ts";
import { output, type Tool } from "./tool.ts";

const NAME = "find_providers_nearby";

export const FIND_NEARBY: Tool = {
  name: NAME,
  title: "Find providers nearby",
  description:
    "Use to find the nearest providers to a ZIP code or a point (lat, lng), within a radius. Filters are those of search_providers. Distances are between centroids of ZIP codes, in miles: for discovery, not for routes. There is no total; to page, call `next`.",
  input: object({ ...NEARBY_FILTERS, ...PAGING }),
  output: output(
    { center: { type: "object" } },
    object(shown(NearbyEntry), ["npi"]),
  ),
  async call(given, api) {
    const page = pageOf(given);
    const found = await ask<NearbyAnswer>(api, "/v1/providers/nearby", {
      ...parametersOf(given),
      ...page,
    });
    if (isRefused(found)) return found;
    const { data, meta } = found.body;
    const { center, radius_miles: radius } = meta;
    const hasMore = data.length === page.limit;
    return {
      ...pageShown(NAME, given, found.snapshot, data, hasMore, (entry) => [
        ...providerCells(entry),
        entry.distance_miles,
      ]),
      said: [
        `Providers on page ${page.page}: ${data.length}, within ${radius} miles of ${center.zip}, nearest first.`,
      ],
      facts: { center },
      columns: [...PROVIDER_COLUMNS, "Miles"],
    };
  },
};
