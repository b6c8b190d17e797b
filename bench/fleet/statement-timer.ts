import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryId,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from "kysely";
import type { Timed } from "./orders.ts";

/** What a statement of the fleet has that no other has. */
const MARKS: readonly (readonly [Timed, RegExp])[] = [
  ["quota", /INSERT INTO api_usage AS uses/],
  ["flush", /INSERT INTO api_flush/],
  ["feed", /FROM api_key_change/],
  ["heartbeat", /INSERT INTO fleet_node/],
];

/** Which of the fleet's statements a text is. */
export function kindOf(statement: string): Timed {
  return MARKS.find(([, mark]) => mark.test(statement))?.[0] ?? "other";
}

/** Times statements from when they are made to when their rows are there, with the wait for a connection. */
export class StatementTimer implements KyselyPlugin {
  readonly #started = new WeakMap<QueryId, { kind: Timed; atMs: number }>();
  #times = emptyTimes();

  /** The times since the last call, in milliseconds. */
  take(): Record<Timed, number[]> {
    const times = this.#times;
    this.#times = emptyTimes();
    return times;
  }

  transformQuery({
    node,
    queryId,
  }: PluginTransformQueryArgs): RootOperationNode {
    const kind =
      node.kind === "RawNode" ? kindOf(node.sqlFragments.join(" ")) : "other";
    this.#started.set(queryId, { kind, atMs: performance.now() });
    return node;
  }

  transformResult({
    queryId,
    result,
  }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const started = this.#started.get(queryId);
    if (started !== undefined)
      this.#times[started.kind].push(performance.now() - started.atMs);
    return Promise.resolve(result);
  }
}

function emptyTimes(): Record<Timed, number[]> {
  return {
    quota: [],
    flush: [],
    feed: [],
    heartbeat: [],
    other: [],
  };
}
