import {
  TaxonomyEntry,
  type TaxonomiesAnswer,
} from "../../contract/answers.ts";
import { TaxonomiesParameters } from "../../contract/parameters.ts";
import type { Cell } from "../result.ts";
import { ask, isRefused } from "../api.ts";
import { described, object, sent, shown } from "../schemas.ts";
import { PAGING } from "./filters.ts";
import { pageOf, pageShown, rowsBefore } from "./rows.ts";
import { output, WHOLE, type Tool } from "./tool.ts";

const NAME = "search_taxonomies";

export const SEARCH_TAXONOMIES: Tool = {
  name: NAME,
  title: "Search specialties",
  description:
    "Use to find the NUCC taxonomy code of a specialty, for `taxonomy` of the searches, and how many active providers have it. Without `words`, lists all, the most frequent first. To page, call `next`.",
  input: object({
    words: described(
      sent(TaxonomiesParameters.properties.q),
      "Starts of words of the name, or of the code",
    ),
    ...PAGING,
  }),
  output: output({ total: WHOLE }, object(shown(TaxonomyEntry), ["code"])),
  async call(given, api) {
    const page = pageOf(given);
    const { snapshot: pinned, words } = given;
    const found = await ask<TaxonomiesAnswer>(api, "/v1/taxonomies", {
      q: words,
      snapshot: pinned,
      ...page,
    });
    if (isRefused(found)) return found;
    const { data, meta } = found.body;
    const hasMore = rowsBefore(page) + data.length < meta.total;
    return {
      ...pageShown(NAME, given, found.snapshot, data, hasMore, cellsOf),
      said: [`Specialties that match: ${meta.total}.`],
      facts: { total: meta.total },
      columns: ["Code", "Specialty", "Individuals", "Organizations"],
    };
  },
};

function cellsOf({
  active_providers: { primary },
  code,
  description,
}: TaxonomyEntry): Cell[] {
  return [code, description, primary.individuals, primary.organizations];
}
