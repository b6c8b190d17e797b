import { changedDetailsList } from "../../changes/change.ts";
import type { PastChange } from "../../changes/provider-history.ts";
import {
  MAX_HISTORY,
  type HistoryEntry,
} from "../../contract/explorer/notes.ts";
import { MapAnswer } from "../../contract/explorer/map.ts";
import {
  AlternativesAnswer,
  SuggestAnswer,
} from "../../contract/explorer/suggest.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit, Point } from "../../search/query.ts";
import type { Members } from "../../search/render/renderer.ts";
import type { AppContext } from "../app-context.ts";
import { isFailure, type Failure } from "../pipeline/failure.ts";
import type {
  OperationResult,
  QuickOperation,
} from "../queries/data-operation.ts";
import { INTERPRET } from "./interpret.ts";
import { LOOKUP_WITH_DETAILS } from "./lookup.ts";
import { MAP_NEARBY, MAP_SEARCH, PLACES_ROUTE } from "./explorer/map.ts";
import { ALTERNATIVES, SUGGEST } from "./explorer/shown-search.ts";
import { NEARBY } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH } from "./search.ts";
import { TAXONOMIES } from "./taxonomies.ts";

const MAP_OPTIONS = {
  answer: MapAnswer,
  isLong: true,
} as const;

/**
 * `/explore/*`: the data of the portal's explorer. Answers are those of `/v1`, plus the location of each result and
 * notes on it. Requests need no key but must come from this service's pages and stay within a burst limit per client
 * network and, if the explorer is only for signed-in users, also of their account.
 */
export const EXPLORER_ROUTES: readonly Route[] = [
  explorerRoute("/explore/providers/:npi", LOOKUP_WITH_DETAILS, {
    membersOf: (data, _query, hits, deps) => historyOf(data, hits, deps),
  }),
  explorerRoute("/explore/search", SEARCH, {
    membersOf: (data, { parameters }, hits) => ({
      ...data.explore.notesOfPage("search", parameters, hits),
    }),
  }),
  explorerRoute("/explore/nearby", NEARBY, {
    membersOf: (data, { query }, hits) => ({
      ...data.explore.notesOfPage("nearby", query, hits),
    }),
  }),
  explorerRoute("/explore/map/search", MAP_SEARCH, MAP_OPTIONS),
  explorerRoute("/explore/map/nearby", MAP_NEARBY, MAP_OPTIONS),
  PLACES_ROUTE,
  explorerRoute("/explore/interpret", INTERPRET),
  explorerRoute("/explore/alternatives", ALTERNATIVES, {
    answer: AlternativesAnswer,
    isLong: true,
  }),
  explorerRoute("/explore/suggest", SUGGEST, {
    answer: SuggestAnswer,
  }),
  explorerRoute("/explore/taxonomies", TAXONOMIES),
];

/**
 * Returns what imports changed about a provider, newest first, for its page. For a provider whose details are withheld,
 * only what kind of change it was: old values would show what is withheld.
 */
function historyOf(
  data: Directory,
  [hit]: readonly Hit[],
  { changes, logger }: AppContext,
): Members {
  if (hit === undefined) return {};
  const { entity_type: type, npi } = data.lookup.entryOf(hit);
  try {
    const past = changes.history(data.id, npi, MAX_HISTORY);
    return { history: past.map((each) => entryOf(each, type === null)) };
  } catch (err) {
    // The record is worth more than its past.
    logger?.error({ err }, "cannot read a provider's changes");
    return { history: [] };
  }
}

function entryOf(
  { change: { details = {}, fields, kind }, set }: PastChange,
  isWithheld: boolean,
): HistoryEntry {
  const all = [...changedDetailsList(fields), ...changedDetailsList(details)];
  return { date: set.appliedOn, kind, fields: isWithheld ? [] : all };
}

/** The form of the responses of a route of the explorer. */
interface ExplorerOptions<Query> extends Pick<Route, "answer"> {
  /** Returns further members of an answer with hits. */
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
 * Makes a route of the explorer for an operation: the same with where each hit is, and further members, from the
 * current data only.
 */
function explorerRoute<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  path: string,
  operation: QuickOperation<Parsed, Query, Result>,
  {
    isLong = false,
    membersOf = () => ({}),
    ...facts
  }: ExplorerOptions<Query> = {},
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
