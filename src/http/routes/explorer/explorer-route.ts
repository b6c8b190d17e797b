import type { Directory } from "../../../search/directory.ts";
import type { Hit, Point } from "../../../search/query.ts";
import type { Members } from "../../../search/render/renderer.ts";
import type { AppContext } from "../../app-context.ts";
import { isFailure, type Failure } from "../../pipeline/failure.ts";
import type {
  OperationResult,
  QuickOperation,
} from "../../queries/data-operation.ts";
import type { Route } from "../route.ts";

/** The form of the responses of a route of the explorer. */
interface Options<Query> extends Pick<Route, "answer"> {
  /** Further members of an answer with hits. */
  readonly membersOf?: (
    data: Directory,
    query: Query,
    hits: readonly Hit[],
    deps: AppContext,
  ) => Members;
  /** True if answers take so long that lists must not wait behind many of them. */
  readonly isLong?: boolean;
}

/** A result, with what the explorer adds to it. */
interface Shown<Result> extends OperationResult {
  readonly result: Result;
  readonly members: Members;
}

/**
 * Makes a route of the explorer for an operation: the same with where each hit is, and further members, from the current
 * data only.
 */
export function explorerRoute<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  path: string,
  operation: QuickOperation<Parsed, Query, Result>,
  { isLong = false, membersOf = () => ({}), ...facts }: Options<Query> = {},
): Route {
  return {
    ...facts,
    method: "GET",
    path,
    access: "explorer",
    counted: "explorer",
    handler({ deps, from, work }) {
      if (deps.portal === null) return null;
      const { execute, key: _, render, ...steps } = operation;
      return from({
        ...steps,
        execute(data, query, call) {
          const executed = (): Shown<Result> | Failure => {
            const result = execute(data, query);
            if (isFailure(result)) return result;
            const { hits } = result;
            const members =
              hits === undefined
                ? {}
                : {
                    points: hits.map((hit) =>
                      pairOf(data.explore.map.pointOf(hit)),
                    ),
                    ...membersOf(data, query, hits, deps),
                  };
            return { result, members };
          };
          return isLong ? work.longTurn(call).then(executed) : executed();
        },
        render: (data, { members, result }) => render(data, result, members),
      });
    },
  };
}

function pairOf(point: Point | null): [number, number] | null {
  return point && [point.lat, point.lng];
}
