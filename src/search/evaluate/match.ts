import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import { setCost, setPassCost, TAXONOMY_LOOK_UP, tiersCost } from "./cost.ts";
import { countWord } from "./block-counts.ts";
import { countLists } from "./count-lists.ts";
import { countQueryPlan } from "./count.ts";
import { cheapestDriver, findInList, type Driver } from "./match-list.ts";
import { findInSets } from "./match-sets.ts";
import { PrefixFilter } from "../filters/prefix-filter.ts";
import { WordFilter } from "../filters/word-filter.ts";
import { rankedDocs } from "./ranked-docs.ts";
import { taxonomySetCost } from "./taxonomy-set.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type {
  GatheredMatches,
  Matches,
  QueryPlan,
} from "../plan/query-plan.ts";
import type { Workspace } from "./workspace.ts";

/** Counting from what the snapshot stores, in nanoseconds, and the same for a frequent n-gram. */
const COUNTED = 20_000;
const COUNTED_WORD = 500_000;

/** What finds the matches of a plan. The first five count from what the snapshot stores; the last one sorts by name. */
type Evaluator =
  | "ranges"
  | "taxonomies"
  | "prefix"
  | "word"
  | "lists"
  | "list"
  | "sets"
  | "names";

/** The matches of a plan, and how they were found. */
export interface Evaluation {
  readonly found: Matches;
  readonly evaluator: Evaluator;
  /** Null if the matches could be counted. */
  readonly estimates: Estimates | null;
}

/** What a list and sets were estimated to take, in nanoseconds, about: only their proportion matters. */
interface Estimates {
  readonly listCost: number;
  readonly setsCost: number;
  /** What the list would be filled from. */
  readonly driver: Driver;
}

/**
 * Finds all documents that match a query plan: from stored counts if the plan is simple enough, or else in a list of
 * candidates or in sets of all documents, whichever is less work.
 */
export function evaluate(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): Evaluation {
  return (
    counted(snapshot, plan, workspace) ?? gather(snapshot, plan, workspace)
  );
}

/** The matches of a query plan that stored counts are enough for; null if they are not. */
export function counted(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): Evaluation | null {
  const known = countQueryPlan(snapshot, plan);
  if (known !== null)
    return {
      found: known,
      evaluator: plan.taxonomies === null ? "ranges" : "taxonomies",
      estimates: null,
    };
  const prefix = countPrefix(snapshot, plan);
  if (prefix !== null)
    return { found: prefix, evaluator: "prefix", estimates: null };
  const word = countWord(snapshot, plan, workspace);
  if (word !== null) return { found: word, evaluator: "word", estimates: null };
  const lists = countLists(
    snapshot,
    plan,
    workspace,
    () => gather(snapshot, plan, workspace).found,
  );
  return lists && { found: lists, evaluator: "lists", estimates: null };
}

/** What `evaluate` is estimated to take, in nanoseconds, about. */
export function estimatedCost(snapshot: Snapshot, plan: QueryPlan): number {
  const { filters, kinds, taxonomies } = plan;
  const isCounted =
    kinds === ALL_KINDS
      ? filters.length === 0 || (filters.length === 1 && taxonomies === null)
      : filters.length === 0 && taxonomies === null;
  const [filter] = filters;
  if (isCounted && (filter === undefined || filter instanceof PrefixFilter))
    return COUNTED;
  if (isCounted && filter instanceof WordFilter && filter.ngram !== null)
    return COUNTED_WORD;
  return gatherCost(snapshot, plan);
}

/** What `gather` is estimated to take, in nanoseconds, about. */
export function gatherCost(snapshot: Snapshot, plan: QueryPlan): number {
  const { listCost, setsCost } = estimate(snapshot, plan);
  return Math.min(listCost, setsCost);
}

/** Finds all documents that match a query plan, in a list or in sets: what `evaluate` does if it can't count them. */
export function gather(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): Evaluation & { readonly found: GatheredMatches } {
  const estimates = estimate(snapshot, plan);
  return estimates.listCost <= estimates.setsCost
    ? {
        found: findInList(snapshot, plan, estimates.driver, workspace),
        evaluator: "list",
        estimates,
      }
    : {
        found: findInSets(snapshot, plan, workspace),
        evaluator: "sets",
        estimates,
      };
}

function estimate(snapshot: Snapshot, plan: QueryPlan): Estimates {
  const driver = cheapestDriver(snapshot, plan);
  const pass = setPassCost(snapshot.count);
  let setsCost = 2 * pass;
  if (plan.taxonomies !== null)
    setsCost += Math.min(
      taxonomySetCost(snapshot, plan.taxonomies),
      driver.listed * TAXONOMY_LOOK_UP,
    );
  setsCost += tiersCost(plan.filters, driver.listed, pass);
  for (const filter of plan.filters) setsCost += setCost(filter, pass) + pass;
  return { listCost: driver.cost, setsCost, driver };
}

/** A search for a prefix of a single field. Its documents are consecutive in the field's postings. */
function countPrefix(
  { count }: Snapshot,
  { filters, kinds, ranges, taxonomies }: QueryPlan,
): Matches | null {
  const [filter] = filters;
  const [range] = ranges;
  if (!(filter instanceof PrefixFilter) || filters.length > 1) return null;
  if (range === undefined || range.to - range.from < count) return null;
  if (kinds !== ALL_KINDS || taxonomies !== null) return null;
  return {
    total: filter.bound,
    page: (offset, limit) => {
      const { exact, others } = filter;
      const page = rankedDocs(exact, count, offset, limit);
      return page.concat(
        rankedDocs(
          others,
          count,
          Math.max(0, offset - exact.length),
          limit - page.length,
        ),
      );
    },
  };
}
