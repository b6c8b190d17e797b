import type {
  InterpretedFilters,
  InterpretedOperation,
  Interpretation,
} from "../../contract/interpret.ts";
import type {
  AlternativesAnswer,
  LeftOut,
} from "../../contract/explorer/suggest.ts";
import { MAX_ALTERNATIVES } from "../../contract/filters.ts";
import { fold, words } from "../../text/fold.ts";
import type { Lookup } from "../lookup.ts";
import type { Spelling } from "../spelling/spelling.ts";
import { leftOut } from "./left-out.ts";
import {
  specialtiesFor,
  withLikelierName,
  type SpellingSources,
} from "./corrections.ts";
import { offersFor } from "./offers.ts";
import {
  bestReading,
  isPlaceMissing,
  longTexts,
  readingsOf,
  type Reading,
} from "./reading.ts";
import {
  totalOf,
  without,
  type AskedOperation,
  type Operations,
  type OtherParameters,
} from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The sources of interpretations, apart from the vocabulary. */
interface Interpreted extends Operations {
  readonly lookup: Pick<Lookup, "checker" | "find">;
}

/** Offers that are counted for one text, at most. */
const MAX_TRIED = 20;

/** Turns what users type into an operation with filters, with the exact totals of it and of its alternatives. */
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
    const readings = [...readingsOf(typed, this.#vocabulary)];
    const count = ({ filters, operation }: Reading): number =>
      operation === null
        ? 0
        : totalOf(this.#operations, { operation, filters });
    const best = bestReading(readings, count);
    const reading =
      best.total === 0
        ? withLikelierName(best.reading, readings, this.#sources())
        : best.reading;
    const total = reading === best.reading ? best.total : count(reading);
    const { dropped, filters, operation, understood, wrongNpi } = reading;
    const alternatives = isPlaceMissing(reading)
      ? specialtiesFor(reading, this.#vocabulary).map((offer) =>
          Object.assign(offer, { total: 0 }),
        )
      : wrongNpi === null
        ? this.#alternatives(reading, total, readings, {})
        : this.#similarNpis(wrongNpi);
    return { operation, filters, understood, dropped, alternatives, total };
  }

  /**
   * Returns what else than an operation may be meant, as for a text with its filters, and if it finds no one, what it
   * can do without. Other parameters stay as they are.
   */
  alternatives(
    asked: AskedOperation,
    others: OtherParameters,
  ): Pick<Interpretation, "alternatives"> &
    Pick<AlternativesAnswer, "without"> {
    const total = totalOf(this.#operations, asked, others);
    const { filters, operation } = asked;
    const readings = [...readingsOf(textOf(filters), this.#vocabulary)].filter(
      (each) => each.operation === operation,
    );
    const reading: Reading = {
      operation,
      filters,
      understood: [],
      dropped: [],
      words: readings[0]?.words ?? [],
      place: filters.zip === undefined ? {} : { zip: filters.zip },
      wrongNpi: null,
      score: readings[0]?.score ?? 0,
    };
    const alternatives = this.#alternatives(reading, total, readings, others);
    const offered = new Set(
      alternatives.map((each) => keyOf(each.operation, each.filters)),
    );
    const isOffered = ({ parameters }: LeftOut): boolean =>
      offered.has(
        keyOf(
          parameters.includes("radius") ? "search" : operation,
          without(filters, parameters),
        ),
      );
    return {
      alternatives,
      without:
        total > 0
          ? []
          : leftOut(this.#operations, asked, others).filter(
              (each) => !isOffered(each),
            ),
    };
  }

  #alternatives(
    reading: Reading,
    total: number,
    readings: readonly Reading[],
    others: OtherParameters,
  ): Interpretation["alternatives"] {
    const { filters, operation } = reading;
    const seen = new Set([keyOf(operation, filters)]);
    const alternatives: Interpretation["alternatives"] = [];
    const sources = this.#sources();
    let tried = 0;
    for (const offer of offersFor(reading, total, readings, sources)) {
      const key = keyOf(offer.operation, offer.filters);
      if (seen.has(key) || longTexts(offer.filters).length > 0) continue;
      seen.add(key);
      const itsTotal = totalOf(this.#operations, offer, others);
      // Nicknames count only for those that they add. With an initial that was left out, all are added.
      const addsNicknames =
        filters.name_aliases === undefined &&
        offer.filters.name_aliases !== undefined &&
        offer.filters.middle_initial === filters.middle_initial;
      if (itsTotal > (addsNicknames ? total : 0))
        alternatives.push({ ...offer, total: itsTotal });
      if (alternatives.length === MAX_ALTERNATIVES || ++tried === MAX_TRIED)
        break;
    }
    return alternatives;
  }

  #sources(): SpellingSources {
    return { vocabulary: this.#vocabulary, spelling: this.#spelling() };
  }

  #similarNpis(npi: string): Interpretation["alternatives"] {
    const { checker } = this.#operations.lookup;
    const { suggestions } = checker.check(npi);
    return (suggestions ?? []).flatMap((each) => {
      const offer = { operation: "lookup" as const, filters: { npi: each } };
      const total = totalOf(this.#operations, offer);
      return total > 0 ? [{ ...offer, total }] : [];
    });
  }
}

/** Writes the filters of an operation as a text that has them. */
function textOf({
  city,
  first_name: first,
  last_name: last,
  middle_initial: middle,
  name,
  organization,
  specialty,
  state,
  taxonomy,
  zip,
}: InterpretedFilters): string {
  return [
    name,
    [last, first].filter((part) => part !== undefined).join(", "),
    middle,
    organization,
    specialty,
    taxonomy,
    [city, state].filter((part) => part !== undefined).join(", "),
    zip,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/** Distinguishes readings, not by their letters' case or the order of the words of a name. */
function keyOf(
  operation: InterpretedOperation | null,
  filters: InterpretedFilters,
): string {
  return JSON.stringify([
    operation,
    Object.entries(filters)
      .map(([name, value]) => {
        const folded = words(fold(String(value)));
        return `${name}=${(name === "name" ? folded.sort() : folded).join(" ")}`;
      })
      .sort(),
  ]);
}
