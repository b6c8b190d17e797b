import { withRoom } from "../../snapshot/bytes/growable.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";

/** Numbers of a dictionary as ranges, which do not overlap. */
export type Ranges = readonly NumberRange[];

/** The names of items: columns, and the items of each number. */
export type NamePairColumns = Pick<
  NameIndex,
  "name" | "nameDocs" | "firstName" | "firstNameDocs"
>;

/** Receives `items[from, to)`. */
type TakeItems = (items: Uint32Array, from: number, to: number) => void;

/**
 * The items whose name (a last name or an organization) and whose first name are in given ranges; null for any. At
 * least one of the two must be given.
 */
export class NamePairs {
  /** At most this many items match. */
  readonly bound: number;
  readonly #columns: NamePairColumns;
  readonly #names: Ranges | null;
  readonly #firsts: Ranges | null;
  readonly #isByName: boolean;

  constructor(
    columns: NamePairColumns,
    names: Ranges | null,
    firsts: Ranges | null,
  ) {
    const nameCount =
      names === null ? Infinity : itemsIn(columns.nameDocs, names);
    const firstCount =
      firsts === null ? Infinity : itemsIn(columns.firstNameDocs, firsts);
    this.#columns = columns;
    this.#names = names;
    this.#firsts = firsts;
    this.#isByName = nameCount <= firstCount;
    this.bound = Math.min(nameCount, firstCount);
  }

  /** A text that identifies them among the items of the same columns. */
  get key(): string {
    return `${keyOf(this.#names)}, ${keyOf(this.#firsts)}`;
  }

  has(item: number): boolean {
    const { firstName, name } = this.#columns;
    return (
      (this.#names === null || isIn(this.#names, name[item]!)) &&
      (this.#firsts === null || isIn(this.#firsts, firstName[item]!))
    );
  }

  /** Passes on lists that together contain each match once. */
  eachList(take: TakeItems): void {
    const { firstName, firstNameDocs, name, nameDocs } = this.#columns;
    const [postings, driver, column, others] = this.#isByName
      ? ([nameDocs, this.#names, firstName, this.#firsts] as const)
      : ([firstNameDocs, this.#firsts, name, this.#names] as const);
    const { items, starts } = postings;
    let matches: Uint32Array = new Uint32Array(0);
    for (const { from, to } of driver ?? []) {
      const [start, end] = [starts[from]!, starts[to]!];
      if (others === null) {
        take(items, start, end);
        continue;
      }
      matches = withRoom(matches, end - start);
      let count = 0;
      for (let at = start; at < end; at++) {
        const item = items[at]!;
        if (isIn(others, column[item]!)) matches[count++] = item;
      }
      take(matches, 0, count);
    }
  }
}

export function isIn(ranges: Ranges, number: number): boolean {
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i]!;
    if (number >= range.from && number < range.to) return true;
  }
  return false;
}

function itemsIn({ starts }: Postings, ranges: Ranges): number {
  return ranges.reduce(
    (sum, { from, to }) => sum + starts[to]! - starts[from]!,
    0,
  );
}

function keyOf(ranges: Ranges | null): string {
  return ranges?.map(({ from, to }) => `${from}-${to}`).join(" ") ?? "any";
}
