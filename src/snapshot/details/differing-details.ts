import { BitSet } from "../bytes/bitset.ts";
import { NumberList } from "../bytes/growable.ts";
import type { DetailsReader } from "./details-reader.ts";

/** Entries of the new snapshot that are compared at a time. */
const COMPARED_AT_ONCE = 500_000;

/**
 * Finds the NPIs with details in both files whose details differ in any part, or in only one of them, in any order.
 * Null if the files share all entries, or more than `most` differ. Takes about eight bytes of memory for each provider
 * of `before`.
 */
export function differingDetails(
  before: SnapshotDetails,
  after: SnapshotDetails,
  most: number,
): Uint32Array | null {
  if (entryFiles(before.details) === entryFiles(after.details)) return null;
  const old = new Hashes(before.snapshot.count);
  before.details.forEachHash((npi, hash) => old.add(npi, hash));
  old.sort();
  const met = new BitSet(old.count);
  const differing = new NumberList();
  const differs = (npi: number): void => {
    // One more shows that they are too many.
    if (differing.length <= most) differing.push(npi);
  };
  const some = new Hashes(Math.min(after.snapshot.count, COMPARED_AT_ONCE));
  const compare = (): void => {
    some.sort();
    let place = 0;
    for (let each = 0; each < some.count; each++) {
      const npi = some.npi(each);
      while (place < old.count && old.npi(place) < npi) place++;
      const isKnown = place < old.count && old.npi(place) === npi;
      if (isKnown) met.add(place);
      if (!isKnown || old.hash(place) !== some.hash(each)) differs(npi);
    }
    some.clear();
  };
  after.details.forEachHash((npi, hash) => {
    some.add(npi, hash);
    if (some.count === COMPARED_AT_ONCE) compare();
  });
  compare();
  for (let place = 0; place < old.count; place++)
    if (!met.has(place)) differs(old.npi(place));
  return differing.length > most ? null : differing.numbers;
}

/** A snapshot, with the number of its providers, and its details. */
interface SnapshotDetails {
  readonly snapshot: { readonly count: number };
  readonly details: DetailsReader;
}

/** Hashes of NPIs' details. */
class Hashes {
  count = 0;
  /** The hash and the NPI of each; as a 64-bit number, the NPI leads. */
  readonly #pairs: Uint32Array<ArrayBuffer>;

  constructor(most: number) {
    this.#pairs = new Uint32Array(most * 2);
  }

  add(npi: number, hash: number): void {
    const at = this.count++ * 2;
    this.#pairs[at] = hash;
    this.#pairs[at + 1] = npi;
  }

  npi(place: number): number {
    return this.#pairs[place * 2 + 1]!;
  }

  hash(place: number): number {
    return this.#pairs[place * 2]!;
  }

  /** Sorts by NPI. */
  sort(): void {
    new BigUint64Array(this.#pairs.buffer, 0, this.count).sort();
  }

  clear(): void {
    this.count = 0;
  }
}

function entryFiles({ metadata }: DetailsReader): string {
  return JSON.stringify(metadata.files.map(({ name }) => name));
}
