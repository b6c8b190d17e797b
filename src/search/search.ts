import type { FilterValues } from "../contract/parameters/filter-schemas.ts";
import { findByName } from "./evaluate/docs-by-name.ts";
import {
  findAll,
  firstDocs,
  type MatchedDocs,
} from "./evaluate/matched-docs.ts";
import { countMatches, evaluate } from "./evaluate/match.ts";
import { explainSearch, type StepTimes } from "./explain.ts";
import type { Facts } from "./filters/text-filter.ts";
import { planQuery } from "./plan/plan-query.ts";
import type { Planning } from "./plan/planning.ts";
import { unranked, type Matches, type QueryPlan } from "./plan/query-plan.ts";
import type {
  FirstDocs,
  SearchHits,
  SearchQuery,
  WholeSearch,
} from "./query.ts";
import { planRegistryQuery } from "./registry-api/plan-registry-query.ts";
import type { RegistryQuery } from "./registry-api/registry-query.ts";
import type { Rendering } from "./render/rendering.ts";

/** Searches by name, place, and specialty. */
export class Search {
  readonly #planning: Planning;

  constructor(planning: Planning) {
    this.#planning = planning;
  }

  /** True if the update dates and countries of records are known, which takes a moment after a snapshot is opened. */
  get knowsUpdates(): boolean {
    return this.#planning.snapshot.updatedDays.isRead;
  }

  /** True if the snapshot has the initials of middle names; those of earlier versions lack them. */
  get knowsMiddleInitials(): boolean {
    return this.#planning.snapshot.middleInitials !== null;
  }

  /** True if the snapshot has the order by name; those of earlier versions lack it. */
  get knowsNameOrder(): boolean {
    return this.#planning.snapshot.nameOrder !== null;
  }

  page(query: SearchQuery): SearchHits {
    const { limit, page, sort } = query;
    const { snapshot, workspace } = this.#planning;
    const plan = this.#plan(query);
    const matches =
      sort === "name"
        ? findByName(snapshot, plan, workspace)
        : evaluate(snapshot, plan, workspace).find();
    return pageOf(matches, (page - 1) * limit, limit);
  }

  /**
   * Returns a page of a search as the registry's own API has it, in the order of documents. Parts of details that the
   * snapshot doesn't index are not searched; `RegistryRecords.missingFor` lists them.
   */
  registryPage(query: RegistryQuery): SearchHits {
    const { snapshot, workspace } = this.#planning;
    workspace.begin();
    const plan = planRegistryQuery(this.#planning, query);
    const matches = evaluate(snapshot, plan, workspace).find();
    return pageOf(matches, query.skip, query.limit);
  }

  /** Returns how many providers a search finds. Takes less time than a page of it. */
  total(query: FilterValues): number {
    const { snapshot, workspace } = this.#planning;
    return countMatches(snapshot, this.#plan(query), workspace);
  }

  /** Estimates how long `total` takes, in nanoseconds. */
  cost(query: FilterValues): number {
    const { snapshot, workspace } = this.#planning;
    return evaluate(snapshot, unranked(this.#plan(query)), workspace).cost;
  }

  /** Finds all documents of a search, in its order. They stay valid until the directory is closed. */
  all(query: WholeSearch): MatchedDocs {
    const { snapshot, workspace } = this.#planning;
    const plan = this.#plan(query);
    return query.sort === "name"
      ? findByName(snapshot, plan, workspace, true)
      : findAll(snapshot, plan, workspace);
  }

  /** Finds the first documents of a search, at most `most`, and how many match. */
  first(query: WholeSearch, most: number): FirstDocs {
    return {
      total: this.total(query),
      first: () => firstDocs(this.all(query), most),
    };
  }

  /** Explains how a search runs. The searches that requests run do not pass through it. */
  explain(query: SearchQuery, rendering: Rendering, times: StepTimes): Facts {
    return explainSearch(rendering, this.#planning, query, times);
  }

  #plan(query: FilterValues): QueryPlan {
    this.#planning.workspace.begin();
    return planQuery(this.#planning, "search", query);
  }
}

function pageOf(
  matches: Pick<Matches, "page" | "total">,
  offset: number,
  limit: number,
): SearchHits {
  const docs = offset < matches.total ? matches.page(offset, limit) : [];
  return { total: matches.total, hits: docs.map((doc) => ({ doc })) };
}
