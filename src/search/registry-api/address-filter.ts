import { Tier, type TakeDocs, type Facts } from "../filters/text-filter.ts";
import { UntieredFilter } from "../filters/untiered-filter.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Addresses } from "../../snapshot/extended/extended-index.ts";
import type { AddressList } from "../../snapshot/extended/address-list.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { hasText } from "../../text/fold.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import { MatchingAreas } from "./matching-areas.ts";
import { postalCodeRule } from "./postal-code.ts";
import { PrimaryAddresses } from "./primary-addresses.ts";
import type { RegistryPlace } from "./registry-query.ts";

/** Looking up a document's place, and its area in a list. */
const PRIMARY_COST = 60;
const LIST_COST = 60;

/** The addresses that the purposes of a search include. */
const PURPOSES = {
  any: { primary: true, secondary: true, mailing: true },
  location: { primary: true, secondary: true, mailing: false },
  mailing: { primary: false, secondary: false, mailing: true },
  primary: { primary: true, secondary: false, mailing: false },
  secondary: { primary: false, secondary: true, mailing: false },
} as const;

/** One address of a document must match all conditions for addresses. */
export class AddressFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = false;
  readonly testCost: number;
  readonly #primary: PrimaryAddresses | null;
  readonly #areas: MatchingAreas | null;
  readonly #lists: readonly AddressList[];

  constructor(snapshot: Snapshot, workspace: Workspace, place: RegistryPlace) {
    super(workspace);
    const { city, country, postalCode, purpose, state } = place;
    const includes = PURPOSES[purpose ?? "any"];
    const isBlank = [city?.text, country, postalCode?.text, state].some(
      (text) => text !== undefined && !hasText(text),
    );
    const rule = postalCode === undefined ? null : postalCodeRule(postalCode);
    const { addresses } = snapshot.extended;
    this.#primary =
      includes.primary && !isBlank
        ? new PrimaryAddresses(snapshot, place, rule)
        : null;
    this.#areas =
      addresses === null || isBlank
        ? null
        : new MatchingAreas(addresses.areas, place, rule);
    this.#lists =
      addresses === null || isBlank ? [] : listsOf(addresses, includes);
    this.key = `address ${JSON.stringify([purpose, city, state, postalCode, country])}`;
    this.bound = this.#lists.reduce(
      (sum, list) => sum + (this.#areas?.countIn(list) ?? 0),
      this.#primary?.bound ?? 0,
    );
    this.testCost = PRIMARY_COST + this.#lists.length * LIST_COST;
  }

  explain(): Facts {
    return {
      filter: "address",
      primary_addresses_at_most: this.#primary?.bound ?? 0,
      documents: this.bound,
    };
  }

  eachList(take: TakeDocs): void {
    this.#primary?.eachList((docs) =>
      take(docs, 0, docs.length, Tier.wordPrefix),
    );
    this.#eachListed((docs, from, to) => take(docs, from, to, Tier.wordPrefix));
  }

  matches(doc: number): boolean {
    if (this.#primary?.has(doc) === true) return true;
    const areas = this.#areas;
    return (
      areas !== null &&
      this.#lists.some((list) =>
        list.someOf(doc, (item) =>
          areas.has(list.area[item]!, list.zip4[item]!),
        ),
      )
    );
  }

  protected override fill(set: BitSet): void {
    this.#primary?.addTo(set);
    this.#eachListed((docs, from, to) => set.addAll(docs, from, to));
  }

  #eachListed(
    take: (docs: Uint32Array, from: number, to: number) => void,
  ): void {
    const areas = this.#areas;
    if (areas === null) return;
    for (const list of this.#lists) {
      const { items, starts } = list.byArea;
      for (const range of areas.ranges) {
        const [from, to] = [starts[range.from]!, starts[range.to]!];
        if (list.owners === null && areas.areSure) {
          take(items, from, to);
          continue;
        }
        const docs = new Uint32Array(to - from);
        let count = 0;
        for (let at = from; at < to; at++) {
          const item = items[at]!;
          if (areas.areSure || areas.has(list.area[item]!, list.zip4[item]!))
            docs[count++] = list.docOf(item);
        }
        take(docs, 0, count);
      }
    }
  }
}

/** Leaves the other lists unopened. */
function listsOf(
  addresses: Addresses,
  includes: (typeof PURPOSES)[keyof typeof PURPOSES],
): AddressList[] {
  return [
    includes.mailing ? addresses.mailing : null,
    includes.secondary ? addresses.secondary : null,
    includes.primary ? addresses.unusual : null,
  ].filter((list) => list !== null);
}
