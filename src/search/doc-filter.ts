import { kindMask } from "../snapshot/kinds.ts";
import { NumberSet } from "../snapshot/number-set.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Filters } from "./query.ts";

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
    let count = 0;
    for (const { from, to } of ranges) {
      if (this.#taxonomies === null) {
        count += this.#snapshot.kinds.count(from, to, this.#kinds);
      } else {
        for (let doc = from; doc < to; doc++) if (this.admits(doc)) count++;
      }
    }
    return count;
  }

  /** The documents of ranges that pass, by NPI. */
  list(ranges: readonly NumberRange[]): number[] {
    const { npi } = this.#snapshot;
    const docs: number[] = [];
    for (const { from, to } of ranges) {
      for (let doc = from; doc < to; doc++) {
        if (this.admits(doc)) docs.push(doc);
      }
    }
    return docs.sort((a, b) => npi[a]! - npi[b]!);
  }
}
