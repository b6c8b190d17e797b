import { ADDED_DOC, setCost, setPassCost, tiersCost } from "./cost.ts";
import { countWord } from "./block-counts.ts";
import { countPlan, type Counted } from "./count.ts";
import { cheapestDriver, findInList, type Driver } from "./match-list.ts";
import { findInSets } from "./match-sets.ts";
import { TIER_COUNT } from "../filters/text-filter.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { unranked, type Matches, type QueryPlan } from "../plan/query-plan.ts";
import type { Workspace } from "./workspace.ts";

/** Reading the edges of ranges and lists, in nanoseconds, about, and the same of a frequent n-gram's counts. */
const COUNTED = 20_000;
const COUNTED_WORD = 500_000;

/** The way in which the matches of a plan are found with the least work: what it costs, and how to take it. */
export interface Evaluation {
  /** All but the last two are counts. */
  readonly evaluator: Counted["evaluator"] | "word" | "list" | "sets";
  /** The total and a page, in nanoseconds, about: only proportions matter. */
  readonly cost: number;
  /** All matches in memory. */
  readonly wholeCost: number;
  /** Null for counts. */
  readonly estimates: Estimates | null;
  readonly find: () => Matches;
}

/** The estimated times of a list and of sets, in nanoseconds. */
interface Estimates {
  readonly listCost: number;
  readonly setsCost: number;
  /** The source that the list would be filled from. */
  readonly driver: Driver;
}

/**
 * Decides how the matches of a query plan are found: from the edges of ranges and lists if the plan is simple enough,
 * or else in a list of candidates or in sets of all documents, whichever is less work.
 */
export function evaluate(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): Evaluation {
  const pass = setPassCost(snapshot.count);
  const counted = countPlan(snapshot, plan);
  if (counted !== null) {
    const { evaluator, matches } = counted;
    return {
      evaluator,
      cost: COUNTED,
      wholeCost: COUNTED + pass + matches.total * ADDED_DOC,
      estimates: null,
      find: () => matches,
    };
  }
  const driver = cheapestDriver(snapshot, plan);
  let setsCost = 2 * pass;
  setsCost += tiersCost(plan, driver.listed, pass);
  for (const filter of plan.filters) setsCost += setCost(filter, pass) + pass;
  const isListed = driver.cost <= setsCost;
  const cost = isListed ? driver.cost : setsCost;
  const gather = (): Matches =>
    isListed
      ? findInList(snapshot, plan, driver, workspace)
      : findInSets(snapshot, plan, workspace);
  const word = countWord(plan, workspace);
  if (word !== null)
    return {
      evaluator: "word",
      cost: COUNTED_WORD,
      wholeCost: cost,
      estimates: null,
      find: () => ({
        total: word.total,
        page: (offset, limit) => word.page(offset, limit),
        addTo: (tiers) => gather().addTo(tiers),
      }),
    };
  return {
    evaluator: isListed ? "list" : "sets",
    cost,
    wholeCost: cost,
    estimates: { listCost: driver.cost, setsCost, driver },
    find: gather,
  };
}

/**
 * Finds all documents that match a query plan, however well: a list of them, ascending, if they are at most `most`, or
 * a set, which is valid until the next search starts.
 */
export function findUnranked(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
  most: number,
): Uint32Array | BitSet {
  const matches = evaluate(snapshot, unranked(plan), workspace).find();
  const { set, total } = matches;
  if (total > most) return setOf(matches, workspace);
  return set?.toArray(total) ?? Uint32Array.from(matches.page(0, most)).sort();
}

/** Finds all documents that match a query plan, however well, as a set in any case. */
export function findSet(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): BitSet {
  return setOf(evaluate(snapshot, unranked(plan), workspace).find(), workspace);
}

/** Counts the documents that match a query plan. */
export function countMatches(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): number {
  return evaluate(snapshot, unranked(plan), workspace).find().total;
}

function setOf(matches: Matches, workspace: Workspace): BitSet {
  if (matches.set !== undefined) return matches.set;
  const set = workspace.scratch();
  set.clear();
  matches.addTo(Array.from({ length: TIER_COUNT }, () => set));
  return set;
}
