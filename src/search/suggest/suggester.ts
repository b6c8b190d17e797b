import type { InterpretedFilters } from "../../contract/interpret.ts";
import { MAX_COMPLETIONS } from "../../contract/filters.ts";
import type {
  Completion,
  CompletionKind,
} from "../../contract/explorer/suggest.ts";
import type { FilterValues } from "../../contract/parameters.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { interpret, type Reading } from "../interpret/interpret.ts";
import { totalOf, type Searches } from "../interpret/total-of.ts";
import type { Vocabulary } from "../interpret/vocabulary.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";
import { isMeant } from "./is-meant.ts";
import { namesFor } from "./names.ts";
import { organizationsFor } from "./organizations.ts";
import { placesFor } from "./places.ts";
import type { Proposal } from "./proposal.ts";
import { SpecialtyTexts } from "./specialties.ts";
import { inCaseOf, isWhole, typedEnds, type TypedEnd } from "./typed-end.ts";

/** What totals come from (`Directory`). */
export interface CountedSearches extends Searches {
  /** How long a search is estimated to take, in nanoseconds. */
  searchCost(query: FilterValues): number;
}

/** How many times as often users look for a kind as its number of providers says. */
const WEIGHTS: Readonly<Record<CompletionKind, number>> = {
  npi: 1,
  name: 1,
  organization: 4,
  specialty: 4,
  place: 1,
};
/** The same for a text that is typed whole, and for each further word that it completes. */
const TIMES_WHOLE = 3;
const TIMES_PER_WORD = 10;
/** Of each kind, if there are others. */
const MAX_OF_KIND = 3;
/** Texts that are read for one answer, at most, and what counting them may take together, in nanoseconds. */
const MAX_READ = 24;
const COUNTING_NS = 6_000_000;

interface Scored {
  readonly completion: Completion;
  readonly score: number;
}

/** What a text can become, as a user types it. */
export class Suggester {
  readonly #snapshot: Snapshot;
  readonly #searches: CountedSearches;
  readonly #vocabulary: Vocabulary;
  readonly #specialties: SpecialtyTexts;

  constructor(
    snapshot: Snapshot,
    searches: CountedSearches,
    vocabulary: Vocabulary,
    taxonomies: TaxonomyList,
  ) {
    this.#snapshot = snapshot;
    this.#searches = searches;
    this.#vocabulary = vocabulary;
    this.#specialties = new SpecialtyTexts(taxonomies);
  }

  /**
   * At most eight texts that start as the typed one, the likeliest first. Each is read as `interpret` reads it. Its
   * total is left out if counting it would take too long.
   */
  suggest(typed: string): Completion[] {
    const reading = interpret(typed, this.#vocabulary);
    if (reading.operation === "lookup") return this.#provider(reading);
    const found: Scored[] = [];
    const seen = new Set<string>();
    let read = 0;
    let nanoseconds = COUNTING_NS;
    for (const proposal of this.#ordered(typed)) {
      if (++read > MAX_READ || found.length === MAX_COMPLETIONS) break;
      const completion = this.#completed(typed, proposal);
      if (completion === null) continue;
      const key = JSON.stringify(completion.filters);
      if (seen.has(key)) continue;
      seen.add(key);
      const cost = this.#costOf(completion);
      const isCounted = cost <= nanoseconds;
      if (isCounted) nanoseconds -= cost;
      const total = isCounted ? totalOf(this.#searches, completion) : undefined;
      if (total === 0) continue;
      found.push({
        completion: {
          ...completion,
          ...(total === undefined ? {} : { total }),
        },
        score: scoreOf(proposal, total),
      });
    }
    return found
      .sort((a, b) => b.score - a.score)
      .map(({ completion }) => completion);
  }

  #provider({ filters }: Reading): Completion[] {
    const { npi = "" } = filters;
    const doc = this.#snapshot.find(Number(npi));
    if (doc < 0) return [];
    const { firstName, firstNames, lastNames, name, organizations } =
      this.#snapshot;
    const number = name[doc]!;
    const named =
      number > lastNames.count
        ? [organizations.spelling(number - lastNames.count)]
        : [firstNames.spelling(firstName[doc]!), lastNames.spelling(number)];
    const label = named.filter((part) => part !== null).join(" ");
    return [
      {
        kind: "npi",
        text: npi,
        ...(label === "" ? {} : { label }),
        operation: "lookup",
        filters: { npi },
        total: 1,
      },
    ];
  }

  /** All proposals, the likeliest first, with no more of a kind at the start than there is place for. */
  #ordered(typed: string): Proposal[] {
    const scored = typedEnds(typed)
      .flatMap((end) => Array.from(this.#proposals(end)))
      .map((proposal) => ({ proposal, score: scoreOf(proposal) }))
      .sort((a, b) => b.score - a.score);
    const first: Proposal[] = [];
    const rest: Proposal[] = [];
    const ofKind = new Map<CompletionKind, number>();
    for (const { proposal } of scored) {
      const count = (ofKind.get(proposal.kind) ?? 0) + 1;
      ofKind.set(proposal.kind, count);
      (count > MAX_OF_KIND ? rest : first).push(proposal);
    }
    return first.concat(rest);
  }

  /** What the end of a text can become, unless the text before it has that already. */
  *#proposals(end: TypedEnd): Generator<Proposal, void> {
    const { filters } = interpret(end.before, this.#vocabulary);
    const name = nameOf(filters);
    if (filters.specialty === undefined)
      yield* this.#specialties.startingWith(end);
    if (filters.city === undefined && filters.zip === undefined)
      yield* placesFor(this.#snapshot, end);
    if (filters.organization !== undefined) return;
    yield* namesFor(this.#snapshot, end, name);
    if (name === "") yield* organizationsFor(this.#snapshot, end);
  }

  /** What the whole text becomes with a proposal; null if it is read in another sense. */
  #completed(typed: string, proposal: Proposal): Completion | null {
    const { end, kind, label } = proposal;
    const text = end.before + inCaseOf(typed, proposal.text);
    const reading = interpret(text, this.#vocabulary);
    const { filters, operation } = reading;
    if (operation === null || !isMeant(proposal, reading)) return null;
    const shown = label === undefined ? {} : { label };
    return { kind, text, ...shown, operation, filters };
  }

  /** What counting a completion is estimated to take, in nanoseconds; a nearby search is never counted. */
  #costOf({ filters, operation }: Completion): number {
    return operation === "search"
      ? this.#searches.searchCost(filters)
      : Infinity;
  }
}

function nameOf({ first_name, last_name, name }: InterpretedFilters): string {
  return [name, first_name, last_name]
    .filter((part) => part !== undefined)
    .join(" ");
}

function scoreOf(
  { end, kind, providers, text }: Proposal,
  total = providers,
): number {
  const times = isWhole(end, text) ? TIMES_WHOLE : 1;
  return total * WEIGHTS[kind] * times * TIMES_PER_WORD ** (end.size - 1);
}
