import type { NearbyQuery, SearchQuery } from "../../src/search/query.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";

export type Question =
  | { kind: "search"; query: SearchQuery }
  | { kind: "nearby"; query: NearbyQuery };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Invents questions from what the registry holds, the same ones for the same seed. */
export class QuestionMaker {
  readonly #snapshot: Snapshot;
  #state: number;

  constructor(snapshot: Snapshot, firstState: number) {
    this.#snapshot = snapshot;
    this.#state = firstState;
  }

  /** A whole number from 0 to `bound` - 1 (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  invent(): Question {
    if (this.below(3) === 0) {
      const query = { center: this.#center(), radius: 500 };
      return this.change({
        kind: "nearby",
        query: { ...query, limit: 100, page: 1 },
      });
    }
    const text = ["name", "organization", "first_name", "last_name"][
      this.below(4)
    ]!;
    const words = Array.from({ length: 1 + this.below(10) }, () =>
      this.#piece(),
    );
    return this.change({
      kind: "search",
      query: { [text]: words.join(" ").slice(0, 100), limit: 100, page: 1 },
    });
  }

  /** The same question but for one parameter. */
  change(question: Question): Question {
    if (question.kind === "nearby")
      return { kind: "nearby", query: this.#changeNearby(question.query) };
    return { kind: "search", query: this.#changeSearch(question.query) };
  }

  #changeNearby(query: NearbyQuery): NearbyQuery {
    const changes: (() => Partial<NearbyQuery>)[] = [
      () => ({ center: this.#center() }),
      () => ({ radius: [5, 25, 100, 500][this.below(4)]! }),
      () => ({ page: 10 ** this.below(5) }),
      () => ({ sort: this.below(2) === 0 ? "distance" : "name" }),
      () => this.#filter(),
      () => this.#filter(),
      () => this.#reword(query),
      () => this.#reword(query),
      () => ({ [["first_name", "last_name"][this.below(2)]!]: this.#piece() }),
      () => ({ organization: this.#piece() }),
    ];
    return { ...query, ...changes[this.below(changes.length)]!() };
  }

  #changeSearch(query: SearchQuery): SearchQuery {
    const changes: (() => Partial<SearchQuery>)[] = [
      () => this.#reword(query),
      () => this.#reword(query),
      () => this.#reword(query),
      () => ({ [["first_name", "last_name"][this.below(2)]!]: this.#piece() }),
      () => ({ organization: this.#piece() }),
      () => ({ page: 10 ** this.below(6) }),
      () => ({ sort: this.below(2) === 0 ? "relevance" : "name" }),
      () => this.#place(),
      () => this.#filter(),
    ];
    return { ...query, ...changes[this.below(changes.length)]!() };
  }

  /** The texts of `name` or `organization` with a word more, less, or another one. */
  #reword(
    query: Pick<SearchQuery, "name" | "organization">,
  ): Pick<SearchQuery, "name" | "organization"> {
    const key = query.organization === undefined ? "name" : "organization";
    const words = (query[key] ?? "").split(" ").filter((word) => word !== "");
    const at = this.below(words.length + 1);
    if (this.below(3) === 0) words.splice(at, 1);
    else if (this.below(2) === 0) words.splice(at, 1, this.#piece());
    else words.splice(at, 0, this.#piece());
    const text = words.join(" ").slice(0, 100).trim();
    return text === "" ? {} : { [key]: text };
  }

  #filter(): Pick<
    SearchQuery,
    "entity_type" | "middle_initial" | "specialty" | "status" | "taxonomy"
  > {
    const { taxonomies, taxonomyNames } = this.#snapshot;
    const number = 1 + this.below(taxonomies.count);
    const name = (taxonomyNames[number] ?? "physician").split(/[^a-z]+/i);
    switch (this.below(6)) {
      case 0:
        return {
          entity_type: this.below(2) === 0 ? "individual" : "organization",
        };
      case 1:
        return { status: this.below(2) === 0 ? "active" : "deactivated" };
      case 2:
        return { taxonomy: taxonomies.spelling(number) ?? "207Q00000X" };
      case 3:
        return { specialty: name.at(this.below(name.length)) || "a" };
      case 4:
        return { middle_initial: LETTERS[this.below(LETTERS.length)]! };
      default:
        return { specialty: "aeiou"[this.below(5)]! };
    }
  }

  #place(): Pick<SearchQuery, "city" | "state" | "zip"> {
    const { cities, places } = this.#snapshot;
    const place = this.below(places.count);
    if (this.below(2) === 0)
      return { state: ["CA", "NY", "TX", "FL", "WY"][this.below(5)]! };
    if (this.below(2) === 0)
      return { city: cities.folded(Math.max(1, places.city[place]!)) };
    return {
      zip: String(Math.max(0, places.zip[place]! - 1)).padStart(5, "0"),
    };
  }

  #center(): { lat: number; lng: number } {
    const { lat, lng } = this.#snapshot.centroids;
    const index = this.below(lat.length);
    return { lat: lat[index]!, lng: lng[index]! };
  }

  /** One to eight letters of a provider's name; short ones are more frequent, and worse. */
  #piece(): string {
    const { count, firstName, firstNames, lastNames, name, organizations } =
      this.#snapshot;
    const doc = this.below(count);
    const number = name[doc]!;
    const texts = [
      number > lastNames.count
        ? organizations.folded(number - lastNames.count)
        : lastNames.folded(number),
      firstNames.folded(firstName[doc]!),
    ];
    const words = texts
      .join(" ")
      .split(" ")
      .filter((word) => word !== "");
    const word = words[this.below(words.length)] ?? "A";
    const length = 1 + this.below(1 + this.below(8));
    const at = this.below(Math.max(1, word.length - length + 1));
    return word.slice(at, at + length);
  }
}
