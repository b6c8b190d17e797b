import type { FilteredOperation } from "../contract/filters.ts";
import type { FilterValues } from "../contract/parameters/filter-schemas.ts";
import type { DetailsOfDocs } from "./details-of-docs.ts";
import { Interpreter } from "./interpret/interpreter.ts";
import { Vocabulary } from "./interpret/vocabulary.ts";
import type { Lookup } from "./lookup.ts";
import { ZipCounts } from "./map/zip-counts.ts";
import type { Nearby } from "./nearby.ts";
import type { Planning } from "./plan/planning.ts";
import type { Hit } from "./query.ts";
import { notesOfPage, type PageNotes } from "./result-notes.ts";
import type { Search } from "./search.ts";
import { Spelling } from "./spelling/spelling.ts";
import { Suggester } from "./suggest/suggester.ts";

/** Texts whose suggestions run the code that most texts need. */
const WARM_UP_TEXTS = [
  "dr j smith card",
  "mayo clin",
  "near 606",
  "maria garcia houst",
];

/** The explorer's questions beyond lookups and searches: typed texts, spelling, and the map. */
export class Explore {
  readonly #planning: Planning;
  readonly #details: DetailsOfDocs;
  readonly #operations: { lookup: Lookup; search: Search; nearby: Nearby };
  /** The meanings of words in the snapshot. */
  readonly vocabulary: Vocabulary;
  #map: ZipCounts | null = null;
  #spelling: Spelling | null = null;
  #interpreter: Interpreter | null = null;
  #suggester: Suggester | null = null;

  constructor(
    planning: Planning,
    details: DetailsOfDocs,
    operations: { lookup: Lookup; search: Search; nearby: Nearby },
  ) {
    this.#planning = planning;
    this.#details = details;
    this.#operations = operations;
    this.vocabulary = new Vocabulary(
      planning.snapshot,
      () => operations.lookup.taxonomies,
    );
  }

  /** Returns what a page of results shows in addition to its entries, whose hits a search or nearby search returned. */
  notesOfPage(
    operation: FilteredOperation,
    query: FilterValues,
    hits: readonly Hit[],
  ): PageNotes {
    return notesOfPage(this.#planning, this.#details, operation, query, hits);
  }

  /** Suggests names and cities for misspelled ones. */
  get spelling(): Spelling {
    return (this.#spelling ??= new Spelling(this.#planning.snapshot));
  }

  /** Turns what users type into filters. */
  get interpreter(): Interpreter {
    return (this.#interpreter ??= new Interpreter(
      this.#operations,
      () => this.spelling,
      this.vocabulary,
    ));
  }

  /** Completes what users type. */
  get suggester(): Suggester {
    return (this.#suggester ??= new Suggester(
      this.#planning.snapshot,
      this.#operations.search,
      this.vocabulary,
    ));
  }

  /** Counts by ZIP, and where maps draw ZIPs. */
  get map(): ZipCounts {
    return (this.#map ??= new ZipCounts(
      this.#planning,
      this.#operations.nearby,
    ));
  }

  /**
   * Builds the tables that the first searches and suggestions need, and compiles their code: about 100 ms of processor
   * time, in steps between which other work of the thread runs.
   */
  *warmUp(): Generator<void, void> {
    const { snapshot } = this.#planning;
    void snapshot.withTaxonomy;
    yield;
    void snapshot.locatedZips.ranges;
    yield;
    this.map.facets.prepare();
    yield;
    for (const text of WARM_UP_TEXTS) {
      this.suggester.suggest(text);
      yield;
    }
  }
}
