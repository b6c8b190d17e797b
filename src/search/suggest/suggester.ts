import type { InterpretedFilters } from "../../contract/interpret.ts";
import {
  MAX_COMPLETIONS,
  NAME_KINDS,
  type FilteredOperation,
} from "../../contract/filters.ts";
import type {
  Completion,
  CompletionKind,
} from "../../contract/explorer/suggest.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import { fold, words } from "../../text/fold.ts";
import { typedCase } from "../../text/typed-case.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { interpret, type Reading } from "../interpret/interpret.ts";
import { readings } from "../interpret/readings.ts";
import type { Vocabulary } from "../interpret/vocabulary.ts";
import { REASONS } from "../interpret/words/reasons.ts";
import type { Search } from "../search.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";
import { isMeant } from "./is-meant.ts";
import { namesFor } from "./names.ts";
import { organizationsFor } from "./organizations.ts";
import { placesFor } from "./places.ts";
import type { Proposal } from "./proposal.ts";
import { SpecialtyTexts } from "./specialties.ts";
import {
  inCaseOf,
  isInCapitals,
  typedEnds,
  type TypedEnd,
} from "./typed-end.ts";
import { scoreOf, weighted, WEIGHTS, type Weighted } from "./weighted.ts";

/** How many times as likely a name is after another one: after a first name, mostly a last name follows. */
const TIMES_AFTER_NAME = 10;
/** Fewer letters are of too many specialties to prefer them. */
const MIN_SPECIALTY_LETTERS = 3;
/** Of each kind, if there are others. */
const MAX_OF_KIND = 3;
/** Texts that are read for one answer, at most, and what counting them may take together, in nanoseconds. */
const MAX_READ = 24;
const COUNTING_NS = 4_000_000;
/** Testing the specialties of those with a name takes longer than estimated: they are far apart in memory. */
const TIMES_WITH_SPECIALTY = 3;

/** What an answer has read so far: filters as JSON, and how much time is left for counting. */
interface Progress {
  readonly seen: Set<string>;
  nanoseconds: number;
  readonly queryOf: CountedQuery;
}

/** The search that a completion leads to; null if it is none that is counted, such as a nearby search. */
export type CountedQuery = (completion: {
  readonly operation: FilteredOperation;
  readonly filters: InterpretedFilters;
}) => FilterValues | null;

/** The search of a completion by itself. */
const ownQuery: CountedQuery = ({ filters, operation }) =>
  operation === "search" ? filters : null;

interface Scored {
  readonly completion: Completion;
  readonly score: number;
}

/** What a text can become, as a user types it. */
export class Suggester {
  readonly #snapshot: Snapshot;
  readonly #search: Search;
  readonly #vocabulary: Vocabulary;
  readonly #specialties: SpecialtyTexts;

  constructor(
    snapshot: Snapshot,
    search: Search,
    vocabulary: Vocabulary,
    taxonomies: TaxonomyList,
  ) {
    this.#snapshot = snapshot;
    this.#search = search;
    this.#vocabulary = vocabulary;
    this.#specialties = new SpecialtyTexts(taxonomies, (text) => {
      const { filters } = interpret(text, vocabulary);
      return fold(filters.specialty ?? "") === fold(text);
    });
  }

  /**
   * At most eight texts that start as the typed one, the likeliest first. Each is read as `interpret` reads it. Its
   * total, that of `queryOf`, is left out if counting it would take too long. An NPI isn't looked up, because
   * suggestions are free.
   */
  suggest(typed: string, queryOf: CountedQuery = ownQuery): Completion[] {
    const reading = interpret(typed, this.#vocabulary);
    if (reading.operation === "lookup") return numbered(reading);
    const found: Scored[] = [];
    const isCredential = endsInCredential(typed, reading);
    let read = 0;
    const progress: Progress = {
      seen: new Set(),
      nanoseconds: COUNTING_NS,
      queryOf,
    };
    for (const { proposal, weight } of this.#ordered(typed)) {
      if (isCredential && isStateOnly(proposal)) continue;
      if (++read > MAX_READ || found.length === MAX_COMPLETIONS) break;
      const completion = this.#completed(typed, proposal, progress);
      if (completion === null) continue;
      const score = scoreOf({ proposal, weight }, completion.total);
      found.push({ completion, score });
    }
    return found
      .sort((a, b) => b.score - a.score)
      .map(({ completion }) => completion);
  }

  /** All proposals, the likeliest first, with no more of a kind at the start than there is place for. */
  #ordered(typed: string): Weighted[] {
    const ordered = typedEnds(typed)
      .flatMap((end) => Array.from(this.#proposals(end)))
      .sort((a, b) => scoreOf(b) - scoreOf(a));
    const first: Weighted[] = [];
    const rest: Weighted[] = [];
    const ofKind = new Map<CompletionKind, number>();
    for (const each of ordered) {
      const { kind } = each.proposal;
      const count = (ofKind.get(kind) ?? 0) + 1;
      ofKind.set(kind, count);
      (count > MAX_OF_KIND ? rest : first).push(each);
    }
    return first.concat(rest);
  }

  /** What the end of a text can become, unless the text before it has that already. */
  *#proposals(end: TypedEnd): Generator<Weighted, void> {
    const { filters } = interpret(end.before, this.#vocabulary);
    const name = nameOf(filters);
    const inPlace = this.#shareInPlace(filters);
    const share = inPlace * this.#shareNamed(name);
    const isShort = end.phrase.length < MIN_SPECIALTY_LETTERS;
    if (filters.specialty === undefined && filters.taxonomy === undefined)
      yield* weighted(
        this.#specialties.startingWith(end),
        share,
        isShort ? 1 / WEIGHTS.specialty : 1,
      );
    if (filters.city === undefined && filters.zip === undefined)
      yield* weighted(placesFor(this.#snapshot, end), share);
    if (filters.organization !== undefined) return;
    const names = namesFor(this.#snapshot, end, name);
    yield* weighted(names, inPlace, name === "" ? 1 : TIMES_AFTER_NAME);
    if (name === "")
      yield* weighted(organizationsFor(this.#snapshot, end), inPlace);
  }

  /** Which part of all providers are in the place of some filters, about. */
  #shareInPlace({ city, state, zip }: InterpretedFilters): number {
    const { count } = this.#snapshot;
    if (zip !== undefined) return 1 / Math.max(1, this.#snapshot.places.count);
    const found =
      city === undefined
        ? state === undefined
          ? count
          : this.#vocabulary.inState(state)
        : (this.#vocabulary.city(city)?.total ?? 0);
    return found / count;
  }

  /** Which part of all providers have the first word of a name as their name, about. */
  #shareNamed(name: string): number {
    const [first = ""] = words(fold(name));
    if (first === "") return 1;
    const named =
      this.#vocabulary.withFirstName(first) +
      this.#vocabulary.withLastName(first);
    return named / this.#snapshot.count;
  }

  /**
   * What the whole text becomes with a proposal, and its total, unless counting it takes longer than what is left; null
   * if it is read in another sense, finds no one, or was seen.
   */
  #completed(
    typed: string,
    proposal: Proposal,
    progress: Progress,
  ): Completion | null {
    const { end, kind, label } = proposal;
    const text = end.before + inCaseOf(typed, proposal.text);
    const shown = label === undefined ? {} : { label };
    for (const reading of readings(text, this.#vocabulary)) {
      const { filters, operation } = reading;
      if (operation === null || !isMeant(proposal, reading)) return null;
      const cased = isInCapitals(typed) ? text : naturalText(text, reading);
      const completion = { kind, text: cased, ...shown, operation, filters };
      const key = JSON.stringify(filters);
      if (progress.seen.has(key)) return null;
      progress.seen.add(key);
      const query =
        operation === "lookup"
          ? null
          : progress.queryOf({ operation, filters });
      if (query === null) return completion;
      const cost = this.#costOf(query);
      if (cost > progress.nanoseconds) return completion;
      progress.nanoseconds -= cost;
      const total = this.#search.total(query);
      if (total > 0) return { ...completion, total };
    }
    return null;
  }

  /** What counting a query is estimated to take, in nanoseconds. */
  #costOf(query: FilterValues): number {
    const isFar = query.specialty !== undefined && nameOf(query) !== "";
    const cost = this.#search.cost(query);
    return isFar ? cost * TIMES_WITH_SPECIALTY : cost;
  }
}

/** A text with its names and cities in natural capitals. */
function naturalText(text: string, { place, understood }: Reading): string {
  let natural = "";
  let at = 0;
  for (const { filter, text: part } of understood) {
    // Of a nearby search, a city and its state.
    const isPlace = filter === "zip" && place.city !== undefined;
    const kind = NAME_KINDS.get(isPlace ? "city" : filter);
    if (kind === undefined) continue;
    const start = text.indexOf(part, at);
    const [named = ""] = part.split(",");
    natural += text.slice(at, start) + typedCase(named, kind);
    at = start + named.length;
  }
  return natural + text.slice(at);
}

/** Whether the last word is a credential after a name: MD, rather than Maryland. */
function endsInCredential(typed: string, { dropped }: Reading): boolean {
  const last = dropped.at(-1);
  return (
    last?.reason === REASONS.credential && typed.trimEnd().endsWith(last.text)
  );
}

function isStateOnly({ filters: { city, state } }: Proposal): boolean {
  return state !== undefined && city === undefined;
}

function nameOf({
  first_name,
  last_name,
  name,
}: Pick<FilterValues, "first_name" | "last_name" | "name">): string {
  return [name, first_name, last_name]
    .filter((part) => part !== undefined)
    .join(" ");
}

function numbered({ filters }: Reading): Completion[] {
  const { npi = "" } = filters;
  return [{ kind: "npi", text: npi, operation: "lookup", filters: { npi } }];
}
