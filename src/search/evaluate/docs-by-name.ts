import { BitSet } from "../../snapshot/bytes/bitset.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import { firstNotBefore, lowerBound } from "../../snapshot/bytes/sorted.ts";
import { compareEntries } from "../../snapshot/names/name-order.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { DocReader, MatchedDocs } from "./matched-docs.ts";
import { findUnranked } from "./match.ts";
import type { Workspace } from "./workspace.ts";
import { PrefixFilter } from "../filters/prefix-filter.ts";
import type { QueryPlan } from "../plan/query-plan.ts";
import { orderByKey, sortedBy } from "../../snapshot/bytes/radix-sort.ts";

/** Up to this share of all documents are sorted; of more, the order is walked to a page. */
const FEW_SHARE = 1 / 2048;
/** Documents that are counted together on the way to a page. */
const BLOCK = 1024;

/**
 * Documents by the name shown (ADR 55): individuals by last name and organizations by their name, as names are
 * compared; then by first name, then by NPI. Documents without such a name come last.
 */
export class DocsByName implements MatchedDocs {
  readonly total: number;
  readonly miles = null;
  /** Documents by name, all of the set among them. */
  readonly #order: Uint32Array;
  /** Null if the order has only the documents that were given. */
  readonly #set: BitSet | null;

  /**
   * Takes a list, each document once, or a set. They must not change, and match the plan. The snapshot must have the
   * order by name.
   */
  constructor(
    snapshot: Snapshot,
    matches: Uint32Array | BitSet,
    plan: Pick<QueryPlan, "filters"> = { filters: [] },
  ) {
    if (matches instanceof BitSet) {
      this.total = matches.count(0, snapshot.count);
      this.#order = orderAround(snapshot, plan);
      this.#set = matches;
    } else {
      this.total = matches.length;
      this.#order = sortedByName(snapshot, matches);
      this.#set = null;
    }
  }

  /** Returns the documents at `offset` to `offset + limit` - 1, found from the nearer end. */
  page(offset: number, limit: number): number[] {
    const end = Math.min(this.total, offset + limit);
    if (offset >= end) return [];
    if (this.#set === null)
      return Array.from(this.#order.subarray(offset, end));
    const isForward = offset <= this.total - end;
    const page = walk(
      this.#order,
      this.#set,
      isForward,
      isForward ? offset : this.total - end,
      end - offset,
    );
    return isForward ? page : page.reverse();
  }

  reader(): DocReader {
    const order = this.#order;
    const set = this.#set;
    let at = 0;
    return {
      read: (target) => {
        let count = 0;
        for (; at < order.length && count < target.length; at++) {
          const doc = order[at]!;
          if (set === null || set.has(doc)) target[count++] = doc;
        }
        return count;
      },
    };
  }
}

/**
 * Finds all documents that match a query plan, however well, by name. Valid until the next search starts, or if
 * `isKept`, in memory that later searches do not overwrite: at most a bit for each document of the snapshot.
 */
export function findByName(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
  isKept = false,
): DocsByName {
  const found = findUnranked(snapshot, plan, workspace, fewOf(snapshot));
  const matches =
    isKept && found instanceof BitSet
      ? new BitSet(snapshot.count, found.bits.slice())
      : found;
  return new DocsByName(snapshot, matches, plan);
}

/** Returns how many documents are best given as a list. */
export function fewOf({ count }: Snapshot): number {
  return Math.floor(count * FEW_SHARE);
}

/** Lists the next `limit` members of a set after `skip` of them, from an end of an order. It has that many. */
function walk(
  order: Uint32Array,
  { bits }: BitSet,
  isForward: boolean,
  skip: number,
  limit: number,
): number[] {
  const { length } = order;
  let passed = 0;
  let left = skip;
  for (; passed + BLOCK < length; passed += BLOCK) {
    const from = isForward ? passed : length - passed - BLOCK;
    let members = 0;
    // No branch depends on the set, so the processor can wait for several reads at a time.
    for (let at = from; at < from + BLOCK; at++) {
      const doc = order[at]!;
      members += (bits[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    if (members > left) break;
    left -= members;
  }
  const found: number[] = [];
  for (; found.length < limit; passed++) {
    const doc = order[isForward ? passed : length - passed - 1]!;
    if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1 && left-- <= 0)
      found.push(doc);
  }
  return found;
}

/** Returns the part of the order in which all matches of a plan are: the last names that it asks for, or all of it. */
function orderAround(
  snapshot: Snapshot,
  { filters }: Pick<QueryPlan, "filters">,
): Uint32Array {
  const { lastNames, nameOrder } = snapshot;
  if (nameOrder === null)
    throw new Error("The snapshot does not hold the order by name");
  const prefix = filters.find(
    (filter): filter is PrefixFilter =>
      filter instanceof PrefixFilter && filter.field === "last",
  );
  if (prefix === undefined) return nameOrder;
  const { from, to }: NumberRange = prefix.range;
  return nameOrder.subarray(
    firstFrom(snapshot, nameOrder, from),
    to > lastNames.count
      ? nameOrder.length
      : firstFrom(snapshot, nameOrder, to),
  );
}

/** Returns where the first document is whose name does not come before a last name. */
function firstFrom(
  { lastNames, name, organizations }: Snapshot,
  order: Uint32Array,
  lastName: number,
): number {
  const base = lastNames.count;
  return firstNotBefore(order.length, (at) => {
    const number = name[order[at]!]!;
    return number > base
      ? compareEntries(organizations, number - base, lastNames, lastName) < 0
      : number > 0 && number < lastName;
  });
}

/** Sorts a list of documents as the stored order has them. */
function sortedByName(snapshot: Snapshot, docs: Uint32Array): Uint32Array {
  const { firstName, firstNames, lastNames, name, npi, organizations } =
    snapshot;
  const base = lastNames.count;
  const npis = docs.map((doc) => npi[doc]!);
  const firsts = docs.map((doc) => firstAlike(firstNames, firstName[doc]!, 0));
  const names = docs.map((doc) => {
    const number = name[doc]!;
    return number > base
      ? base + firstAlike(organizations, number - base, 1)
      : firstAlike(lastNames, number, 1);
  });
  const byNpi = orderByKey(npis, docs.length);
  const order = sortedBy(names, sortedBy(firsts, byNpi));
  const sortedNames = order.map((index) => names[index]!);
  const people = lowerBound(sortedNames, 1);
  const others = lowerBound(sortedNames, base + 1);
  const compare = (person: number, other: number): number =>
    compareEntries(
      lastNames,
      names[person]!,
      organizations,
      names[other]! - base,
    ) ||
    firsts[person]! - firsts[other]! ||
    npis[person]! - npis[other]!;
  const sorted = new Uint32Array(docs.length);
  let count = 0;
  for (let i = people, j = others; i < others || j < order.length;) {
    const isPersonNext =
      j === order.length || (i < others && compare(order[i]!, order[j]!) < 0);
    sorted[count++] = docs[order[isPersonNext ? i++ : j++]!]!;
  }
  // Number 0 stands for no name.
  for (let i = 0; i < people; i++) sorted[count++] = docs[order[i]!]!;
  return sorted;
}

/** Finds the first entry from `least` on that is compared like an entry. */
function firstAlike(names: Dictionary, entry: number, least: 0 | 1): number {
  let first = entry;
  while (first > least && names.isFoldedAlike(first - 1, first)) first--;
  return first;
}
