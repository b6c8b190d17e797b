import type { SearchEntry } from "../../../contract/provider.ts";
import type {
  DataOperation,
  ResultPage,
} from "../../../http/queries/data-operation.ts";
import type { Directory } from "../../../search/directory.ts";
import type { Facts } from "../../../search/facts.ts";
import { JSON_FORMAT } from "../../../search/render/formats.ts";
import { StepTimes } from "../../../search/step-times.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder, noCurrentSnapshot } from "../../data-folder.ts";
import { openCurrent } from "./current-directory.ts";
import {
  isFailure,
  notCurrent,
  oddOperand,
  queryOfOperands,
  refuse,
} from "./query-operands.ts";
import { factLines } from "../../output/fact-lines.ts";
import { counted, formatTable } from "../../output/format.ts";
import {
  DATA_DIR,
  EXPLAIN,
  JSON_OUTPUT,
  NEARBY_SEARCH,
} from "../../settings/settings.ts";

interface Options {
  readonly dataDir: string;
  readonly explain: boolean;
  readonly json: boolean;
  readonly nearby: boolean;
}

export const searchCommand: Command = {
  operands: {
    text: "[PARAMETER=VALUE...]",
    min: 0,
    max: Number.POSITIVE_INFINITY,
  },
  settings: [NEARBY_SEARCH, EXPLAIN, JSON_OUTPUT, DATA_DIR],
  summary:
    "Search the data folder as the API does, without a service or a key: state=CA last_name=SMITH limit=5.",
  details: [
    "Takes the parameters of /v1/providers/search, or with --nearby those of /v1/providers/nearby, and refuses what they refuse. Prints one line per provider, or with --json the API's response.",
    "With --explain, prints how the search runs: the query plan, which evaluator it chose and why, sizes, and the time of each step in microseconds, for the first run and for the best of ten more.",
  ],
  prepare(reader, operands) {
    const options: Options = {
      dataDir: reader.read(DATA_DIR),
      explain: reader.read(EXPLAIN),
      json: reader.read(JSON_OUTPUT),
      nearby: reader.read(NEARBY_SEARCH),
    };
    return (context) => search(operands, options, context);
  },
};

async function search(
  operands: readonly string[],
  options: Options,
  context: Context,
): Promise<ExitCode> {
  const odd = oddOperand(operands);
  if (odd !== null) return refuseMisuse(context, odd);
  // Loaded here: other commands start without the API's schemas.
  if (options.nearby) {
    const { NEARBY } = await import("../../../http/routes/nearby.ts");
    return run(NEARBY, operands, options, context, (data, { query }, times) =>
      data.explainNearby(query, times),
    );
  }
  const { SEARCH } = await import("../../../http/routes/search.ts");
  return run(SEARCH, operands, options, context, (data, { query }, times) =>
    data.explainSearch(query, times),
  );
}

/** Runs an operation of the API on the current snapshot. */
function run<Parsed extends object, Query extends object>(
  operation: DataOperation<Parsed, Query, ResultPage>,
  operands: readonly string[],
  { dataDir, explain, json }: Options,
  context: Context,
  explained: (data: Directory, query: Query, times: StepTimes) => Facts,
): ExitCode {
  const url = queryOfOperands(operands);
  const parse = () => operation.parse({ url, params: {} });
  const parsed = parse();
  if (isFailure(parsed)) return refuse(parsed, context);
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const store = new SnapshotStore(dataDir, { create: false });
  using data = openCurrent(store);
  if (data === null) return fail(context, noCurrentSnapshot(store));
  const pinned = operation.pinned?.(parsed);
  if (pinned !== undefined && pinned !== data.id)
    return fail(context, notCurrent(pinned, data));
  const query = operation.resolve(data, parsed);
  if (isFailure(query)) return refuse(query, context);
  if (explain) {
    const times = new StepTimes(() => performance.now());
    times.measure("parse", () => undefined, parse);
    const facts = {
      parameters: [...operands],
      snapshot: data.id,
      ...explained(data, query, times),
    };
    if (json) context.out(JSON.stringify(facts, null, 2));
    else for (const line of factLines(facts)) context.out(line);
    return 0;
  }
  const found = operation.execute(data, query);
  if (isFailure(found)) return refuse(found, context);
  const body = operation.render(data, found, {}, JSON_FORMAT);
  if (json) context.out(body);
  else printPage(body, context);
  return 0;
}

/** An entry of search or nearby. */
type Entry = SearchEntry & { readonly distance_miles?: number };

function printPage(body: string, context: Context): void {
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
  if (rows.length > 0)
    for (const line of formatTable(
      heading.concat(hasMiles ? "MILES" : ""),
      rows,
    ))
      context.out(line);
  if (total !== undefined)
    context.out(`${rows.length} of ${counted(total, "matching provider")}.`);
  else if (rows.length < limit && page === 1)
    context.out(`${counted(rows.length, "matching provider")}.`);
  // Nearby has no total.
  else
    context.out(
      `Page ${page}, with ${counted(rows.length, "matching provider")}.${rows.length === limit ? ` To see more, add page=${page + 1}.` : ""}`,
    );
}
