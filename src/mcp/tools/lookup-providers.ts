import { BatchEntry, type BatchAnswer } from "../../contract/answers.ts";
import { BatchParameters } from "../../contract/parameters.ts";
import { VERDICTS, type Verdict } from "../../contract/verdicts.ts";
import { ask, isRefused } from "../api.ts";
import type { Row } from "../result.ts";
import { described, object, sent, shown } from "../schemas.ts";
import { nameOf, PROVIDER_COLUMNS, specialtyOf } from "./rows.ts";
import { output, TEXT, WHOLE, type Tool } from "./tool.ts";

const MAX_NPIS = 100;
/** The most characters of a number, which the result repeats. */
const MAX_CHARACTERS = 40;
const [, ...COLUMNS] = PROVIDER_COLUMNS;

/** The verdicts in words. */
const MEANINGS: Readonly<Record<Verdict, string>> = {
  active: "active",
  deactivated: "deactivated",
  not_found: "valid, but not in the registry (not_found)",
  invalid_check_digit: "invalid, with a typo (invalid_check_digit)",
  malformed: "invalid, not 10 digits (malformed)",
};

export const LOOKUP_PROVIDERS: Tool = {
  name: "lookup_providers",
  title: "Look up providers by NPI",
  description: `Use for 1 to ${MAX_NPIS} known NPIs: what each is (verdict), and its record. not_found is a valid number without a record; invalid_check_digit and malformed are no NPIs; suggestions are NPIs that may be meant. Each NPI looked up counts as a request. Records are shortened if there are many; look up fewer for all fields.`,
  input: object(
    {
      npis: {
        type: "array",
        items: { ...TEXT, maxLength: MAX_CHARACTERS },
        minItems: 1,
        maxItems: MAX_NPIS,
      },
      include: described(
        sent(BatchParameters.properties.include),
        "More fields, such as taxonomies (with licenses), locations, identity; or all",
      ),
      snapshot: TEXT,
    },
    ["npis"],
  ),
  output: output(
    { counted: WHOLE },
    object(shown(BatchEntry), ["npi", "verdict"]),
  ),
  async call({ include, npis, snapshot }, api) {
    const numbers = Array.isArray(npis) ? npis.map(String) : [];
    const found = await ask<BatchAnswer>(api, "/v1/providers", {
      // A comma would make two numbers of one.
      npi: numbers.map((each) => each.replaceAll(",", " ")).join(","),
      include,
      snapshot,
    });
    if (isRefused(found)) return found;
    const { data, meta } = found.body;
    const byVerdict = Map.groupBy(data, ({ verdict }) => verdict);
    const summary = VERDICTS.flatMap((verdict) => {
      const { length } = byVerdict.get(verdict) ?? [];
      return length === 0 ? [] : [`${length} ${MEANINGS[verdict]}`];
    }).join(", ");
    return {
      snapshot: found.snapshot,
      said: [`Numbers: ${data.length}; ${summary}.`],
      facts: { counted: meta.counted },
      columns: ["NPI", "Verdict", ...COLUMNS, "Instead"],
      rows: data.map(rowOf),
      next: (count) =>
        count === data.length
          ? null
          : {
              tool: "lookup_providers",
              arguments: { npis: numbers.slice(count), include, snapshot },
            },
    };
  },
};

function rowOf(entry: BatchEntry): Row {
  const { provider: record, ...short } = entry;
  const { npi, replaced_by: replacement, suggestions = [], verdict } = short;
  const place = record?.practice_address;
  const cells = [
    npi,
    verdict,
    record && nameOf(record),
    record && specialtyOf(record),
    place?.city,
    place?.state,
    record?.status,
    replacement ?? suggestions.map((each) => `${each}?`).join(" or "),
  ];
  return { cells, full: entry, short };
}
