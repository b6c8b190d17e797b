import {
  ALL_KINDS,
  entityTypeOf,
  KIND_COUNT,
  statusOf,
} from "../snapshot/postings/kinds.ts";
import { wordsFor } from "../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { fold } from "../text/fold.ts";
import { findByName } from "./evaluate/docs-by-name.ts";
import { evaluate, type Evaluation } from "./evaluate/match.ts";
import type { Driver } from "./evaluate/match-list.ts";
import type { Facts } from "./filters/text-filter.ts";
import { PrimaryTaxonomies } from "./filters/taxonomy-filters.ts";
import { docsIn, type Matches, type QueryPlan } from "./plan/query-plan.ts";
import { planQuery } from "./plan/plan-query.ts";
import type { Planning } from "./plan/planning.ts";
import type { Hit, SearchQuery } from "./query.ts";
import type { Rendering } from "./render/rendering.ts";

/** The number of ranges that are shown; the rest are counted. */
const SHOWN_RANGES = 5;

/** An evaluator, or the order by name. */
type Evaluator = Evaluation["evaluator"] | "names";

/** The reasons why each evaluator is taken. */
export const REASONS: Readonly<Record<Evaluator, string>> = {
  ranges:
    "The plan has no text filter and no taxonomy: stored counts of kinds give the total.",
  taxonomies:
    "The plan has only places and taxonomies: the ends of slices of the taxonomies' lists give the total.",
  prefix:
    "The plan is one prefix: its documents are one slice of the name's list.",
  word: "The plan is one frequent n-gram in one range: stored counts per block give the total.",
  list: "A list of candidates is estimated to be less work than sets.",
  sets: "Sets of documents are estimated to be less work than a list.",
  names:
    "The order is by name: few matches are sorted; of more, the stored order is walked to the page.",
};

/** Explains how a search runs: its plan, the evaluator taken, sizes, and the time of each step. */
export function explainSearch(
  rendering: Rendering,
  planning: Planning,
  query: SearchQuery,
  times: StepTimes,
): Facts {
  const { snapshot, workspace } = planning;
  const { limit, page } = query;
  const begin = () => workspace.begin();
  measureFold(query, times);
  const plan = times.measure("plan (fold and resolve included)", begin, () =>
    planQuery(planning, "search", query),
  ).last;
  const run = (): Evaluated => {
    if (query.sort === "name") {
      const matches = findByName(snapshot, plan, workspace);
      return { evaluator: "names", estimates: null, matches };
    }
    const { estimates, evaluator, find } = evaluate(snapshot, plan, workspace);
    return { evaluator, estimates, matches: find() };
  };
  const { first, last } = times.measure("evaluate", begin, run);
  const docs = times.measure(
    "page",
    () => {
      begin();
      return run().matches;
    },
    (matches) => matches.page((page - 1) * limit, limit),
  ).last;
  const hits = docs.map((doc) => ({ doc }));
  const text = measureRender(rendering, hits, times);
  return {
    plan: planFacts(snapshot, plan),
    evaluation: evaluationFacts(first),
    ...(first.evaluator === last.evaluator
      ? {}
      : { evaluation_with_kept_sets: evaluationFacts(last) }),
    sizes: {
      ...sizesOf(snapshot),
      matches: last.matches.total,
      ...sizesOfPage(hits, text),
    },
    steps: times.rows,
  };
}

/** Measures folding, a part of planning, by itself: it shows what the rest of that takes. */
export function measureFold(query: object, times: StepTimes): void {
  const texts = Object.values(query).filter(
    (value) => typeof value === "string",
  );
  times.measure(
    "fold",
    () => undefined,
    () => texts.map(fold),
  );
}

export function measureRender(
  rendering: Rendering,
  hits: readonly Hit[],
  times: StepTimes,
): string {
  return times.measure(
    "render",
    () => undefined,
    () => rendering.renderPage(hits, {}),
  ).last;
}

export function planFacts(snapshot: Snapshot, plan: QueryPlan): Facts {
  const { filters, kinds, ranges, rules } = plan;
  const taxonomies = filters.find(
    (filter) => filter instanceof PrimaryTaxonomies,
  );
  return {
    document_ranges: {
      ranges: ranges.length,
      documents: docsIn(ranges),
      first: ranges
        .slice(0, SHOWN_RANGES)
        .map(({ from, to }) => ({ from, to })),
    },
    kinds: kinds === ALL_KINDS ? "all" : kindNames(kinds),
    primary_taxonomies: taxonomies === undefined ? "any" : taxonomies.explain(),
    filters: filters
      .filter((filter) => filter !== taxonomies)
      .map((filter) => filter.explain()),
    rules_of_exact_matches: rules.length,
  };
}

function kindNames(mask: number): string[] {
  return Array.from({ length: KIND_COUNT }, (_, kind) => kind)
    .filter((kind) => ((mask >>> kind) & 1) === 1)
    .map((kind) => `${entityTypeOf(kind) ?? "withheld"}, ${statusOf(kind)}`);
}

/** The matches of a query plan, and the evaluator that found them. */
interface Evaluated extends Pick<Evaluation, "estimates"> {
  readonly evaluator: Evaluator;
  readonly matches: Pick<Matches, "listed" | "page" | "total">;
}

function evaluationFacts({ estimates, evaluator, matches }: Evaluated): Facts {
  return {
    evaluator,
    reason: REASONS[evaluator],
    ...(estimates === null
      ? {}
      : {
          estimated_us_of_a_list: microseconds(estimates.listCost),
          estimated_us_of_sets: microseconds(estimates.setsCost),
          list_filled_from: sourceOf(estimates.driver),
          list_filled_with_at_most: estimates.driver.bound,
        }),
    ...(matches.listed === undefined
      ? {}
      : { candidates_listed: matches.listed }),
  };
}

function sourceOf({ filter }: Driver): string {
  if (filter === null) return "ranges";
  return filter instanceof PrimaryTaxonomies ? "taxonomies" : "filter";
}

export function sizesOf({ count, sections }: Snapshot): {
  readonly documents: number;
  readonly bits_of_a_set: number;
  readonly snapshot_bytes: number;
} {
  return {
    documents: count,
    bits_of_a_set: wordsFor(count) * 32,
    snapshot_bytes: sections.buffer.byteLength,
  };
}

export function sizesOfPage(hits: readonly Hit[], text: string): Facts {
  return { page: hits.length, answer_bytes: Buffer.byteLength(text) };
}

/** Converts nanoseconds, to one decimal. */
function microseconds(ns: number): number {
  return Math.round(ns / 100) / 10;
}

const REPETITIONS = 10;

/** The durations of steps: the first time, and the least of the times after it. */
export class StepTimes {
  readonly #clock: () => number;
  readonly #steps: (Facts & { readonly step: string })[] = [];

  /** `clock` returns milliseconds, with fractions. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** A row for each step, in microseconds. */
  get rows(): readonly Facts[] {
    return this.#steps;
  }

  /**
   * Does something several times, each time after what prepares it. Returns the result of the first and of the last
   * time.
   */
  measure<Prepared, Result>(
    step: string,
    prepare: () => Prepared,
    act: (prepared: Prepared) => Result,
  ): { readonly first: Result; readonly last: Result } {
    const once = (): { readonly result: Result; readonly us: number } => {
      const prepared = prepare();
      const started = this.#clock();
      const result = act(prepared);
      return { result, us: (this.#clock() - started) * 1000 };
    };
    const first = once();
    let last = first;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < REPETITIONS; i++) {
      last = once();
      least = Math.min(least, last.us);
    }
    this.#steps.push({
      step,
      first_us: Math.round(first.us * 10) / 10,
      best_us: Math.round(least * 10) / 10,
    });
    return { first: first.result, last: last.result };
  }
}
