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
import { cityKey, fold, words } from "../../text/fold.ts";
import { typedCase } from "../../text/natural-case.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { bestReading, readingsOf, type Reading } from "../interpret/reading.ts";
import type { Vocabulary } from "../interpret/vocabulary.ts";
import { REASONS } from "../interpret/reasons.ts";
import type { Search } from "../search.ts";
import { namesFor, organizationsFor } from "./names.ts";
import { placesFor } from "./places.ts";
import {
  inCaseOf,
  isInCapitals,
  isWhole,
  lastTokens,
  most,
  type LastTokens,
  type Proposal,
} from "./last-tokens.ts";
import type {
  SpecialtyText,
  SpecialtyTexts,
} from "../interpret/specialty-texts.ts";

/**
 * The amounts by which a proposal is likelier than its number of providers says, as logarithms to base 2: specialties
 * and organizations are looked for more often, and after a first name a last name follows.
 */
const LIKELIER = {
  npi: 0,
  name: 0,
  organization: 2,
  specialty: 2,
  place: 0,
} as const satisfies Record<CompletionKind, number>;
const AFTER_NAME = 3;
const WHOLE = 1.5;
/** For each further word that it completes. */
const PER_WORD = 3;
/** Fewer letters are of too many specialties to prefer them. */
const MIN_SPECIALTY_LETTERS = 3;
/** Of each kind, if there are others. */
const MAX_OF_KIND = 3;
/** Texts that are read for one answer, at most, and what counting them may take together, in nanoseconds. */
const MAX_READ = 24;
const COUNTING_NS = 4_000_000;
/** The same for the texts before the ends that are completed. */
const COUNTING_BEFORE_NS = 1_000_000;
/** Testing the specialties of those with a name takes longer than estimated: they are far apart in memory. */
const TIMES_WITH_SPECIALTY = 3;

/** Returns the search that a completion leads to; null if it is none that is counted, such as a nearby search. */
export type CountedQuery = (completion: {
  readonly operation: FilteredOperation;
  readonly filters: InterpretedFilters;
}) => FilterValues | null;

/** Returns the search of a completion by itself. */
const ownQuery: CountedQuery = ({ filters, operation }) =>
  operation === "search" ? filters : null;

/** A value, how many providers it finds, about, and how much likelier it is than that, as a logarithm to base 2. */
interface Weighted<T> {
  readonly value: T;
  readonly found: number;
  readonly weight: number;
}

/** The totals that an answer has so far, by filters as JSON, and the time that is left for counting. */
interface Progress {
  readonly seen: Set<string>;
  readonly totals: Map<string, number>;
  nanoseconds: number;
  readonly queryOf: CountedQuery;
}

/** Completes a text as a user types it. */
export class Suggester {
  readonly #snapshot: Snapshot;
  readonly #search: Search;
  readonly #vocabulary: Vocabulary;

  constructor(snapshot: Snapshot, search: Search, vocabulary: Vocabulary) {
    this.#snapshot = snapshot;
    this.#search = search;
    this.#vocabulary = vocabulary;
  }

  /**
   * Proposes at most eight texts that start as the typed one, the likeliest first. Each is read as `interpret` reads
   * it. Its total, that of `queryOf`, is left out if counting it would take too long. An NPI isn't looked up, because
   * suggestions are free.
   */
  suggest(typed: string, queryOf: CountedQuery = ownQuery): Completion[] {
    const reading = this.#read(typed);
    if (reading.operation === "lookup") return numbered(reading);
    const found: Weighted<Completion>[] = [];
    const isCredential = endsInCredential(typed, reading);
    let read = 0;
    const progress = {
      seen: new Set<string>(),
      totals: new Map<string, number>(),
      nanoseconds: COUNTING_NS,
      queryOf,
    };
    for (const proposal of this.#ordered(typed, progress)) {
      if (isCredential && isStateOnly(proposal.value)) continue;
      if (++read > MAX_READ || found.length === MAX_COMPLETIONS) break;
      const completion = this.#completed(typed, proposal, progress);
      if (completion !== null) found.push(completion);
    }
    return sorted(found).map(({ value }) => value);
  }

  #read(text: string): Reading {
    const [first] = readingsOf(text, this.#vocabulary);
    return first!;
  }

  /** Orders all proposals, the likeliest first, with no more of a kind at the start than there is place for. */
  #ordered(typed: string, progress: Progress): Weighted<Proposal>[] {
    const counting = { ...progress, nanoseconds: COUNTING_BEFORE_NS };
    const ordered = sorted(
      lastTokens(typed).flatMap((tokens) =>
        Array.from(this.#proposals(tokens, counting)),
      ),
    );
    const first: Weighted<Proposal>[] = [];
    const rest: Weighted<Proposal>[] = [];
    const ofKind = new Map<CompletionKind, number>();
    for (const each of ordered) {
      const { kind } = each.value;
      const count = (ofKind.get(kind) ?? 0) + 1;
      ofKind.set(kind, count);
      (count > MAX_OF_KIND ? rest : first).push(each);
    }
    return first.concat(rest);
  }

  /**
   * Yields proposals for the end of a text, unless the text before it has that already. If that finds no one, only
   * specialties, with which words can be left out, and after a name, which may be a middle one, names.
   */
  *#proposals(
    tokens: LastTokens,
    progress: Progress,
  ): Generator<Weighted<Proposal>, void> {
    const { reading, total } = bestReading(
      readingsOf(tokens.before, this.#vocabulary),
      (each) => this.#count(each, progress),
    );
    const { filters, operation } = reading;
    const isEmpty = total === 0 && operation !== null;
    const name = nameOf(filters);
    const { specialties } = this.#vocabulary;
    const isShort = tokens.phrase.length < MIN_SPECIALTY_LETTERS;
    if ((filters.specialty ?? filters.taxonomy) === undefined)
      yield* weighted(specialtiesFor(specialties, tokens), isShort ? -2 : 0);
    if (!isEmpty && (filters.city ?? filters.zip) === undefined)
      yield* weighted(placesFor(this.#snapshot, tokens));
    if (filters.organization !== undefined || (isEmpty && name === "")) return;
    const names = namesFor(this.#snapshot, tokens, name);
    yield* weighted(names, name === "" ? 0 : AFTER_NAME);
    if (name === "") yield* weighted(organizationsFor(this.#snapshot, tokens));
  }

  /**
   * Returns what the whole text becomes with a proposal, and its total, unless counting it takes longer than what is
   * left; null if it is read in another sense, finds no one, or was seen.
   */
  #completed(
    typed: string,
    { value: proposal, weight }: Weighted<Proposal>,
    progress: Progress,
  ): Weighted<Completion> | null {
    const { kind, label, providers, tokens } = proposal;
    const text = tokens.before + inCaseOf(typed, proposal.text);
    const { reading, total } = bestReading(
      readingsOf(text, this.#vocabulary),
      (each) => this.#count(each, progress),
    );
    const { filters, operation } = reading;
    const key = JSON.stringify(filters);
    if (operation === null || !isMatch(proposal, reading)) return null;
    if (total === 0 || progress.seen.has(key)) return null;
    progress.seen.add(key);
    const cased = isInCapitals(typed) ? text : naturalText(text, reading);
    const value = {
      kind,
      text: cased,
      ...(label === undefined ? {} : { label }),
      operation,
      filters,
      ...(total === null ? {} : { total }),
    };
    return { value, weight, found: total ?? providers };
  }

  /** Returns how many providers a reading finds; null if that isn't counted, or would take too long. */
  #count({ filters, operation }: Reading, progress: Progress): number | null {
    if (operation === null || operation === "lookup") return null;
    const query = progress.queryOf({ operation, filters });
    if (query === null) return null;
    const key = JSON.stringify(query);
    const known = progress.totals.get(key);
    if (known !== undefined) return known;
    const isFar = query.specialty !== undefined && nameOf(query) !== "";
    const cost = this.#search.cost(query) * (isFar ? TIMES_WITH_SPECIALTY : 1);
    if (cost > progress.nanoseconds) return null;
    progress.nanoseconds -= cost;
    const total = this.#search.total(query);
    progress.totals.set(key, total);
    return total;
  }
}

/** Sorts values, the likeliest first. */
function sorted<T>(values: readonly Weighted<T>[]): Weighted<T>[] {
  return values.toSorted((a, b) => scoreOf(b) - scoreOf(a));
}

function scoreOf({ found, weight }: Weighted<unknown>): number {
  return Math.log2(found) + weight;
}

function weighted(
  proposals: Iterable<Proposal>,
  gain = 0,
): Weighted<Proposal>[] {
  return Array.from(proposals, (value) => {
    const { kind, providers, text, tokens } = value;
    const whole = isWhole(tokens, text) ? WHOLE : 0;
    const weight = LIKELIER[kind] + whole + PER_WORD * (tokens.size - 1) + gain;
    return { value, found: providers, weight };
  });
}

/** True if the reading of a completed text has what its proposal stands for. */
function isMatch(
  { filters: meant }: Proposal,
  { filters, place }: Reading,
): boolean {
  if (meant.specialty !== undefined)
    return fold(filters.specialty ?? "") === fold(meant.specialty);
  if (meant.zip !== undefined) return filters.zip === meant.zip;
  if (meant.state !== undefined) {
    const { city, state } = { ...filters, ...place };
    return (
      state === meant.state && cityKey(city ?? "") === cityKey(meant.city ?? "")
    );
  }
  const named = new Set(
    [nameOf(filters), filters.organization].flatMap((text) =>
      words(fold(text ?? "")),
    ),
  );
  const wanted = words(fold(meant.name ?? meant.organization ?? ""));
  return wanted.every((word) => named.has(word));
}

/** Writes the names and cities of a text in natural capitals. */
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

/** True if the last word is a credential after a name: MD, rather than Maryland. */
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

const MOST = 4;
/** The rest of a possessive after folding: CHILDREN S DOCTOR. */
const BROKEN = / S /;
/** Names such as Family Medicine Physician: the same without it says the same. */
const PHYSICIAN = / Physician$/;

/** Proposes the specialties whose text starts with the typed phrase. Of texts for the same taxonomies, the shortest. */
export function specialtiesFor(
  specialties: SpecialtyTexts,
  tokens: LastTokens,
): Proposal[] {
  const found = new Map<string, SpecialtyText>();
  for (const each of specialties.all) {
    const { codes, folded, providers, text } = each;
    if (!folded.startsWith(tokens.phrase) || providers === 0) continue;
    if (BROKEN.test(text) || PHYSICIAN.test(text)) continue;
    const known = found.get(codes);
    if (known === undefined || text.length < known.text.length)
      found.set(codes, each);
  }
  return most(
    Array.from(found.values(), ({ providers, text }) => ({
      kind: "specialty",
      tokens,
      text,
      providers,
      filters: { specialty: text },
    })),
    MOST,
  );
}
