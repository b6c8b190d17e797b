import { kindMask } from "../../snapshot/postings/kinds.ts";
import { NumberSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Filters } from "../query.ts";

/** The filters of a nearby query, document by document; `taxonomies` null admits any and none. */
export class DocFilter {
  readonly #snapshot: Snapshot;
  readonly #kinds: number;
  readonly #taxonomies: NumberSet | null;

  constructor(
    snapshot: Snapshot,
    { entityType, status }: Filters,
    taxonomies: Uint32Array | null,
  ) {
    this.#snapshot = snapshot;
    this.#kinds = kindMask(entityType, status);
    this.#taxonomies =
      taxonomies === null
        ? null
        : NumberSet.of(snapshot.taxonomies.count + 1, taxonomies);
  }

  admits(doc: number): boolean {
    const { kinds, taxonomy } = this.#snapshot;
    return (
      ((this.#kinds >>> kinds.column[doc]!) & 1) === 1 &&
      (this.#taxonomies === null || this.#taxonomies.has(taxonomy[doc]!))
    );
  }

  /** How many documents of ranges pass. */
  count(ranges: readonly NumberRange[]): number {
    const { kinds, taxonomy } = this.#snapshot;
    const taxonomies = this.#taxonomies;
    const mask = this.#kinds;
    let count = 0;
    for (const { from, to } of ranges) {
      if (taxonomies === null) {
        count += kinds.count(from, to, mask);
      } else {
        const { bits } = taxonomies;
        const { column } = kinds;
        for (let doc = from; doc < to; doc++) {
          const number = taxonomy[doc]!;
          count +=
            (bits[number >>> 5]! >>> (number & 31)) &
            (mask >>> column[doc]!) &
            1;
        }
      }
    }
    return count;
  }

  /**
   * The documents that pass at `offset` to `offset + limit` - 1 by NPI. Within each of the ranges documents stand by NPI,
   * so that the ranges are merged as far as the page reaches.
   */
  page(
    ranges: readonly NumberRange[],
    offset: number,
    limit: number,
  ): number[] {
    const { npi } = this.#snapshot;
    const heads = ranges
      .map(({ from, to }) => ({ doc: this.#next(from, to), to }))
      .filter(({ doc, to }) => doc < to);
    const page: number[] = [];
    for (let skip = offset; page.length < limit && heads.length > 0; skip--) {
      let least = 0;
      for (let i = 1; i < heads.length; i++) {
        if (npi[heads[i]!.doc]! < npi[heads[least]!.doc]!) least = i;
      }
      const head = heads[least]!;
      if (skip <= 0) page.push(head.doc);
      head.doc = this.#next(head.doc + 1, head.to);
      if (head.doc === head.to) heads.splice(least, 1);
    }
    return page;
  }

  /** The first document from `from` on that passes, or `to`. */
  #next(from: number, to: number): number {
    let doc = from;
    while (doc < to && !this.admits(doc)) doc++;
    return doc;
  }
}
