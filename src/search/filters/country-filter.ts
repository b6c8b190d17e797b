import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import {
  countryOf,
  type UpdatedDays,
} from "../../snapshot/postings/updated-days.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import type { Facts } from "../facts.ts";
import { Tier, type TakeDocs } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

/** Providers whose practice address is in a country. */
export class CountryFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly setCost: number;
  readonly #countries: Uint16Array;
  readonly #country: number;

  /** `code` has two letters. */
  constructor(workspace: Workspace, columns: UpdatedDays, code: string) {
    super(workspace);
    this.#countries = columns.countries;
    this.#country = countryOf(code);
    this.key = `country ${code.toUpperCase()}`;
    this.setCost = this.#countries.length;
    this.bound = columns.countIn(this.#country);
  }

  explain(): Facts {
    return { filter: this.key, documents: this.bound };
  }

  eachList(take: TakeDocs): void {
    const docs = this.matching().toArray();
    take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return this.#countries[doc] === this.#country;
  }

  protected override fill({ bits }: BitSet): void {
    const countries = this.#countries;
    const country = this.#country;
    for (let doc = 0; doc < countries.length;) {
      const end = Math.min(doc + 32, countries.length);
      let word = 0;
      // Without branches: a difference that is not 0 has the sign bit in itself or its negative.
      for (; doc < end; doc++) {
        const difference = countries[doc]! ^ country;
        word |= (~(difference | -difference) >>> 31) << (doc & 31);
      }
      bits[(end - 1) >>> 5] = word;
    }
  }
}
