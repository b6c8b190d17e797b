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
import type { NearbyQuery, Point, SearchHits, SearchQuery } from "../query.ts";
import type { Spelling } from "../spelling/spelling.ts";
import { otherSenses, type Candidate } from "./alternatives.ts";
import { otherSpellings } from "./corrections.ts";
import { interpret, type Reading } from "./interpret.ts";
import { longTexts } from "./long-texts.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The searches that totals come from (`Directory`). */
export interface Searches {
  readonly checker: NpiChecker;
  readonly spelling: Spelling;
  find(npi: string): object | null;
  searchHits(query: SearchQuery): SearchHits;
  readonly map: { nearbyTotal(query: NearbyQuery): number };
  centroid(zip: string): Point | null;
}

/** A reading that finds as many providers is not checked for misspelled words. */
const MANY = 100;
/** Of the alternatives, so that other senses have a place. */
const MAX_SPELLINGS = 3;
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
    const total = operation === null ? 0 : this.#total({ operation, filters });
    const alternatives = this.#alternatives(reading, total);
    return { operation, filters, understood, dropped, alternatives, total };
  }

  #alternatives(
    reading: Reading,
    total: number,
  ): Interpretation["alternatives"] {
    const { filters, operation } = reading;
    const seen = new Set([keyOf(operation, filters)]);
    const found: Interpretation["alternatives"] = [];
    let tried = 0;
    for (const candidate of this.#candidates(reading, total)) {
      const key = keyOf(candidate.operation, candidate.filters);
      if (seen.has(key) || longTexts(candidate.filters).length > 0) continue;
      seen.add(key);
      const itsTotal = this.#total(candidate);
      if (itsTotal > 0) found.push({ ...candidate, total: itsTotal });
      if (++tried === MAX_ALTERNATIVES) break;
    }
    return found;
  }

  /** What else may be meant, the likeliest first. Corrections are made one after the other, as they take long. */
  *#candidates(reading: Reading, total: number): Generator<Candidate, void> {
    if (reading.wrongNpi !== null) {
      yield* this.#similarNpis(reading.wrongNpi);
      return;
    }
    let spellings = 0;
    if (total < MANY)
      for (const each of otherSpellings(reading, this.#searches.spelling)) {
        yield each;
        if (++spellings === MAX_SPELLINGS) break;
      }
    yield* otherSenses(reading);
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
    return this.#searches.map.nearbyTotal({
      ...query,
      radius: radius ?? DEFAULT_RADIUS_MILES,
    });
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
