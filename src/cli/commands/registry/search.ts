import type { SearchEntry } from "../../../contract/provider.ts";
import type {
  OperationResult,
  QuickOperation,
  ResultPage,
} from "../../../http/queries/data-operation.ts";
import type { Directory } from "../../../search/directory.ts";
import type { Fact, Facts } from "../../../search/filters/text-filter.ts";
import { StepTimes } from "../../../search/explain.ts";
import { command } from "../../command.ts";
import { counted, formatCount, formatTable } from "../../output/format.ts";
import {
  DATA_DIR,
  EXPLAIN,
  JSON_OUTPUT,
  NEARBY_SEARCH,
} from "../../settings/settings.ts";
import { requireParameters } from "./query-operands.ts";

export const searchCommand = command({
  operands: {
    text: "[PARAMETER=VALUE...]",
    min: 0,
    max: Number.POSITIVE_INFINITY,
  },
  summary:
    "Search the data folder as the API does, without a service or a key: state=CA last_name=SMITH limit=5.",
  details: [
    "Takes the parameters of /v1/providers/search, or with --nearby those of /v1/providers/nearby, and refuses what they refuse. Prints one line per provider, or with --json the API's response.",
    "With --explain, prints how the search runs: the query plan, which evaluator it chose and why, sizes, and the time of each step in microseconds, for the first run and for the best of ten more.",
  ],
  options: {
    nearby: NEARBY_SEARCH,
    explain: EXPLAIN,
    json: JSON_OUTPUT,
    dataDir: DATA_DIR,
  },
  async run({ dataDir, nearby, ...format }, context, operands) {
    requireParameters(operands);
    // Loaded here: other commands start without the API's schemas.
    const { answerLocally } = await import("./answer-locally.ts");
    if (nearby) {
      const { NEARBY } = await import("../../../http/routes/nearby.ts");
      const operation = shown(
        NEARBY,
        operands,
        format,
        (data, { query }, times) =>
          data.nearby.explain(query, data.lookup.rendering, times),
      );
      return answerLocally(operation, operands, dataDir, context);
    }
    const { SEARCH } = await import("../../../http/routes/search.ts");
    const operation = shown(
      SEARCH,
      operands,
      format,
      (data, { parameters }, times) =>
        data.search.explain(parameters, data.lookup.rendering, times),
    );
    return answerLocally(operation, operands, dataDir, context);
  },
});

/** The explanation of how a search runs. */
interface Explained extends OperationResult {
  readonly facts: Facts;
}

/** Makes the operation with the command's rendering: lines, JSON, or how it runs. */
function shown<Parsed extends object, Query extends object>(
  operation: QuickOperation<Parsed, Query, ResultPage>,
  operands: readonly string[],
  { explain, json }: { explain: boolean; json: boolean },
  explained: (data: Directory, query: Query, times: StepTimes) => Facts,
): QuickOperation<Parsed, Query, ResultPage | Explained> {
  const times = new StepTimes(() => performance.now());
  return {
    ...operation,
    parse: (target) =>
      times.measure(
        "parse",
        () => undefined,
        () => operation.parse(target),
      ).last,
    execute: (data, query) =>
      explain
        ? {
            facts: {
              parameters: [...operands],
              snapshot: data.id,
              ...explained(data, query, times),
            },
          }
        : operation.execute(data, query),
    render(data, result) {
      if ("facts" in result)
        return json
          ? JSON.stringify(result.facts, null, 2)
          : factLines(result.facts).join("\n");
      const { hits, meta } = result;
      const body = data.lookup.rendering.writePage(hits, { meta }).text();
      return json ? body : pageLines(body).join("\n");
    },
  };
}

/** An entry of search or nearby. */
type Entry = SearchEntry & { readonly distance_miles?: number };

function pageLines(body: string): string[] {
  // The renderer wrote it; the schema of the route's answer is its shape.
  const {
    data,
    meta: { limit, page, total },
  }: {
    data: Entry[];
    meta: { limit: number; page: number; total?: number };
  } = JSON.parse(body);
  const hasMiles = data.some(
    ({ distance_miles: miles }) => miles !== undefined,
  );
  const rows = data.map((entry) => [
    entry.npi,
    entry.organization_name ??
      [entry.name?.last, entry.name?.first].filter(Boolean).join(", "),
    entry.primary_taxonomy?.description ?? entry.primary_taxonomy?.code ?? "",
    entry.city ?? "",
    entry.state ?? "",
    entry.status,
    String(entry.distance_miles ?? ""),
  ]);
  const heading = ["NPI", "NAME", "SPECIALTY", "CITY", "STATE", "STATUS"];
  const lines =
    rows.length === 0
      ? []
      : [...formatTable(heading.concat(hasMiles ? "MILES" : ""), rows)];
  const found = counted(rows.length, "matching provider");
  if (total !== undefined)
    lines.push(`${rows.length} of ${counted(total, "matching provider")}.`);
  else if (rows.length < limit && page === 1) lines.push(`${found}.`);
  // Nearby has no total.
  else
    lines.push(
      `Page ${page}, with ${found}.${rows.length === limit ? ` To see more, add page=${page + 1}.` : ""}`,
    );
  return lines;
}

/** Writes facts as text: one line each; groups are indented below their name, and rows of single values are a table. */
function factLines(facts: Facts): string[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const label = `${name.replaceAll("_", " ")}:`;
    const single = singleText(fact);
    return single === null
      ? [label].concat(groupLines(fact).map((line) => `  ${line}`))
      : [`${label} ${single}`];
  });
}

function groupLines(fact: Fact): string[] {
  if (!isList(fact)) return isFacts(fact) ? factLines(fact) : [];
  const groups = fact.filter(isFacts);
  const rows = groups.map((group) => Object.values(group).map(singleText));
  const [first] = groups;
  if (first !== undefined && rows.every((row) => !row.includes(null)))
    return formatTable(
      Object.keys(first).map((name) => name.replaceAll("_", " ")),
      rows.map((row) => row.map(String)),
    );
  return groups.flatMap((group) =>
    factLines(group).map((line, index) =>
      index === 0 ? `- ${line}` : `  ${line}`,
    ),
  );
}

/** Writes a fact of one line; null for a group. */
function singleText(fact: Fact | undefined): string | null {
  if (fact === undefined || fact === null) return "none";
  if (typeof fact === "boolean") return fact ? "yes" : "no";
  if (typeof fact === "number")
    return Number.isInteger(fact) ? formatCount(fact) : String(fact);
  if (typeof fact === "string") return fact;
  if (!isList(fact)) return null;
  if (fact.length === 0) return "none";
  return fact.some(isFacts) ? null : fact.map(singleText).join("; ");
}

function isList(fact: Fact): fact is readonly Fact[] {
  return Array.isArray(fact);
}

function isFacts(fact: Fact): fact is Facts {
  return typeof fact === "object" && fact !== null && !isList(fact);
}
