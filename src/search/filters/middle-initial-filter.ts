import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { MiddleInitials } from "../../snapshot/names/middle-initials.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import type { Facts } from "../facts.ts";
import { Tier, type TakeDocs } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

const EACH_BYTE = 0x01_01_01_01;
const LOW_BITS = 0x7f_7f_7f_7f;
/** Multiplied by it, the lowest bits of four bytes become the highest four bits. */
const GATHER = 0x10_20_40_80;

/** Individuals whose middle name starts with a letter. */
export class MiddleInitialFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly setCost: number;
  readonly #column: Uint8Array;
  readonly #initial: number;

  /** `initial` is not 0. */
  constructor(workspace: Workspace, initials: MiddleInitials, initial: number) {
    super(workspace);
    this.#column = initials.column;
    this.#initial = initial;
    this.key = `middle initial ${initial}`;
    this.setCost = initials.column.length;
    this.bound = initials.countOf(initial);
  }

  explain(): Facts {
    return { filter: this.key, documents: this.bound };
  }

  eachList(take: TakeDocs): void {
    const docs = this.matching().toArray();
    take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return this.#column[doc] === this.#initial;
  }

  protected override fill({ bits }: BitSet): void {
    const column = this.#column;
    const initial = this.#initial;
    const { buffer, byteOffset, length } = column;
    const fours = new Uint32Array(buffer, byteOffset, length >>> 2);
    const pattern = initial * EACH_BYTE;
    // Four documents at a time. Initials are less than 128, so no sum carries into the next byte.
    for (let at = 0; at < fours.length; at++) {
      const others = ((fours[at]! ^ pattern) + LOW_BITS) | 0;
      const own = (~others >>> 7) & EACH_BYTE;
      if (own !== 0)
        bits[at >>> 3]! |= (Math.imul(own, GATHER) >>> 28) << ((at & 7) * 4);
    }
    for (let doc = fours.length * 4; doc < length; doc++)
      if (column[doc] === initial) bits[doc >>> 5]! |= 1 << (doc & 31);
  }
}
