import type {
  InterpretedFilters,
  InterpretedOperation,
  Interpretation,
} from "../../contract/interpret.ts";
import {
  DEFAULT_RADIUS_MILES,
  MAX_ALTERNATIVES,
} from "../../contract/filters.ts";
import type { NpiChecker } from "../npi-checker.ts";
import type {
  NearbyQuery,
  NearbyZips,
  Point,
  SearchHits,
  SearchQuery,
} from "../query.ts";
import type { Spelling } from "../spelling/spelling.ts";
import { otherSenses, type Candidate } from "./alternatives.ts";
import { otherSpellings } from "./corrections.ts";
import { interpret, type Reading } from "./interpret.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The searches that totals come from (`Directory`). */
export interface Searches {
  readonly checker: NpiChecker;
  readonly spelling: Spelling;
  find(npi: string): object | null;
  searchHits(query: SearchQuery): SearchHits;
  nearbyZips(query: NearbyQuery, most: number): NearbyZips;
  centroid(zip: string): Point | null;
}

const PAGE = { page: 1, limit: 1 };

/**
 * Turns what users type into an operation with filters, with the exact totals of it and of its alternatives: at most
 * six searches.
 */
export class Interpreter {
  readonly #searches: Searches;
  readonly #vocabulary: Vocabulary;

  constructor(searches: Searches, vocabulary: Vocabulary) {
    this.#searches = searches;
    this.#vocabulary = vocabulary;
  }

  interpret(typed: string): Interpretation {
    const reading = interpret(typed, this.#vocabulary);
    const { dropped, filters, operation, understood } = reading;
    return {
      operation,
      filters,
      understood,
      dropped,
      alternatives: this.#alternatives(reading),
      total: operation === null ? 0 : this.#total({ operation, filters }),
    };
  }

  #alternatives(reading: Reading): Interpretation["alternatives"] {
    const { filters, operation, wrongNpi } = reading;
    const candidates =
      wrongNpi === null
        ? [
            ...otherSpellings(reading, this.#searches.spelling),
            ...otherSenses(reading),
          ]
        : this.#similarNpis(wrongNpi);
    const seen = new Set([keyOf(operation, filters)]);
    const found: Interpretation["alternatives"] = [];
    let tried = 0;
    for (const candidate of candidates) {
      const key = keyOf(candidate.operation, candidate.filters);
      if (seen.has(key)) continue;
      seen.add(key);
      if (++tried > MAX_ALTERNATIVES) break;
      const total = this.#total(candidate);
      if (total > 0) found.push({ ...candidate, total });
    }
    return found;
  }

  #similarNpis(npi: string): Candidate[] {
    const { suggestions } = this.#searches.checker.check(npi);
    return (suggestions ?? []).map((each) => ({
      operation: "lookup",
      filters: { npi: each },
    }));
  }

  #total({ filters, operation }: Candidate): number {
    const { npi = "", radius, zip = "", ...rest } = filters;
    if (operation === "lookup")
      return this.#searches.find(npi) === null ? 0 : 1;
    if (operation === "search")
      return this.#searches.searchHits({
        ...rest,
        ...(zip === "" ? {} : { zip }),
        ...PAGE,
      }).total;
    const center = this.#searches.centroid(zip);
    if (center === null) return 0;
    const query = { ...rest, ...PAGE, center };
    return this.#searches.nearbyZips(
      { ...query, radius: radius ?? DEFAULT_RADIUS_MILES },
      0,
    ).total;
  }
}

/** Distinguishes readings. */
function keyOf(
  operation: InterpretedOperation | null,
  filters: InterpretedFilters,
): string {
  return JSON.stringify([
    operation,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
