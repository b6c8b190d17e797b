import type {
  InterpretedFilters,
  InterpretedOperation,
  Interpretation,
} from "../../contract/interpret.ts";
import type { AlternativesAnswer } from "../../contract/explorer/suggest.ts";
import { MAX_ALTERNATIVES } from "../../contract/filters.ts";
import type { Lookup } from "../lookup.ts";
import type { Spelling } from "../spelling/spelling.ts";
import {
  otherSenses,
  withFewerWords,
  withNicknames,
  withoutInitial,
} from "./alternatives.ts";
import { otherSpellings, specialtiesFor } from "./corrections.ts";
import type { Reading } from "./interpret.ts";
import { leftOut } from "./left-out.ts";
import { longTexts } from "./long-texts.ts";
import { readings } from "./readings.ts";
import {
  totalOf,
  type AskedOperation,
  type Operations,
  type OtherParameters,
} from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What interpretations come from, apart from the vocabulary. */
interface Interpreted extends Operations {
  readonly lookup: Pick<Lookup, "checker" | "find">;
}

/** How a text is read. */
interface Read {
  readonly reading: Reading;
  readonly total: number;
  /** The reading with a middle initial, if it finds no one; else null. */
  readonly withInitial: Reading | null;
}

/** A reading that finds as many providers is not checked for misspelled words. */
const MANY = 100;
/** Of the alternatives, so that other senses have a place. */
const MAX_SPELLINGS = 3;

/**
 * Turns what users type into an operation with filters, with the exact totals of it and of its alternatives: at most
 * seven searches.
 */
export class Interpreter {
  readonly #operations: Interpreted;
  readonly #spelling: () => Spelling;
  readonly #vocabulary: Vocabulary;

  /** `spelling` is called on first use. */
  constructor(
    operations: Interpreted,
    spelling: () => Spelling,
    vocabulary: Vocabulary,
  ) {
    this.#operations = operations;
    this.#spelling = spelling;
    this.#vocabulary = vocabulary;
  }

  interpret(typed: string): Interpretation {
    const { reading, total, withInitial } = this.#read(typed);
    const { dropped, filters, operation, understood } = reading;
    const isPlaceMissing = operation === "nearby" && filters.zip === undefined;
    const alternatives = isPlaceMissing
      ? specialtiesFor(filters).map((other) => ({
          operation,
          filters: other,
          total: 0,
        }))
      : this.#alternatives(reading, total, {}, withInitial);
    return { operation, filters, understood, dropped, alternatives, total };
  }

  /**
   * What else than an operation may be meant, as for a text that became it, and if it finds no one, what it can do
   * without. Other parameters stay as they are. Takes at most 22 searches.
   */
  alternatives(
    asked: AskedOperation,
    others: OtherParameters,
  ): Pick<Interpretation, "alternatives"> &
    Pick<AlternativesAnswer, "without"> {
    const total = totalOf(this.#operations, asked, others);
    return {
      alternatives: this.#alternatives(readingOf(asked), total, others),
      without: total > 0 ? [] : leftOut(this.#operations, asked, others),
    };
  }

  /** The first reading of a text that finds someone; if none does, the one without a middle initial. */
  #read(typed: string): Read {
    let found: Reading | null = null;
    let withInitial: Reading | null = null;
    for (const reading of readings(typed, this.#vocabulary)) {
      const { filters, operation } = reading;
      const total =
        operation === null
          ? 0
          : totalOf(this.#operations, { operation, filters });
      if (total > 0) return { reading, total, withInitial };
      if (filters.middle_initial !== undefined) withInitial = reading;
      if (found === null || filters.middle_initial === undefined)
        found = reading;
    }
    if (found === null) throw new Error("A text without a reading");
    return { reading: found, total: 0, withInitial };
  }

  #alternatives(
    reading: Reading,
    total: number,
    others: OtherParameters = {},
    withInitial: Reading | null = null,
  ): Interpretation["alternatives"] {
    const { filters, operation } = reading;
    const seen = new Set([keyOf(operation, filters)]);
    const found: Interpretation["alternatives"] = [];
    let tried = 0;
    const candidates = this.#candidates(reading, total, withInitial);
    for (const candidate of candidates) {
      const key = keyOf(candidate.operation, candidate.filters);
      if (seen.has(key) || longTexts(candidate.filters).length > 0) continue;
      seen.add(key);
      const itsTotal = totalOf(this.#operations, candidate, others);
      // Nicknames count only for those that they add. With an initial that was left out, all are added.
      const addsNicknames =
        filters.name_aliases === undefined &&
        candidate.filters.name_aliases !== undefined &&
        candidate.filters.middle_initial === filters.middle_initial;
      if (itsTotal > (addsNicknames ? total : 0))
        found.push({ ...candidate, total: itsTotal });
      if (++tried === MAX_ALTERNATIVES) break;
    }
    return found;
  }

  /** What else may be meant, the likeliest first. Corrections are made one after the other, as they take long. */
  *#candidates(
    reading: Reading,
    total: number,
    withInitial: Reading | null,
  ): Generator<AskedOperation, void> {
    if (reading.wrongNpi !== null) {
      yield* this.#similarNpis(reading.wrongNpi);
      return;
    }
    yield* withoutInitial(reading);
    if (withInitial !== null)
      yield* withNicknames(withInitial, this.#vocabulary);
    yield* withNicknames(reading, this.#vocabulary);
    let spellings = 0;
    if (total < MANY)
      for (const each of otherSpellings(reading, this.#spelling())) {
        yield each;
        if (++spellings === MAX_SPELLINGS) break;
      }
    if (total === 0) yield* withFewerWords(reading);
    yield* otherSenses(reading);
  }

  #similarNpis(npi: string): AskedOperation[] {
    const { suggestions } = this.#operations.lookup.checker.check(npi);
    return (suggestions ?? []).map((each) => ({
      operation: "lookup",
      filters: { npi: each },
    }));
  }
}

/** An operation as if each of its filters was typed. */
function readingOf({ filters, operation }: AskedOperation): Reading {
  const { zip } = filters;
  return {
    operation,
    filters,
    understood: Object.entries(filters).map(([filter, value]) => ({
      filter,
      text: String(value),
    })),
    dropped: [],
    place: zip === undefined ? {} : { zip },
    wrongNpi: null,
  };
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
