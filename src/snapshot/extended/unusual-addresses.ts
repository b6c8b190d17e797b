import { isStateOrDc, STATE_CODES } from "../../contract/states.ts";
import {
  ADDRESS_TEXTS,
  AddressText,
} from "../../registry/details/detail-blob.ts";
import { isDeactivated } from "../postings/kinds.ts";
import { Has } from "../records/records.ts";
import type { SnapshotView } from "../snapshot.ts";
import { AddressListDraft } from "./address-list.ts";
import type { AreasDraft } from "./areas.ts";
import type { RecordTexts } from "./doc-order.ts";

/**
 * Collects the primary practice addresses of active providers outside of the 50 states and DC. Those inside are found
 * by the snapshot's places; of these, places don't have all that searches for addresses compare.
 */
export function unusualAddresses(
  snapshot: SnapshotView,
  areas: AreasDraft,
): AddressListDraft {
  const draft = new AddressListDraft("any");
  const { cities, count, kinds, places, records } = snapshot;
  const address = new AddressBytes();
  const add = (doc: number, place: number, state: string | null): void => {
    if (isDeactivated(kinds.column[doc]!)) return;
    records.open(doc);
    const city = places.cityOf(doc, place, records.number(Has.citySpelling));
    const country = records.has(Has.noCountry)
      ? null
      : (records.text(Has.country) ?? "US");
    address.set(AddressText.city, cities.spelling(city));
    address.set(AddressText.state, state ?? records.text(Has.state));
    address.set(
      AddressText.postal_code,
      records.postalCode(places.zipOf(doc, place) - 1),
    );
    address.set(AddressText.country, country);
    draft.add(doc, areas.read(address));
  };
  for (let place = 0; place < places.count; place++) {
    const state = places.state[place]!;
    if (isStateOrDc(state)) continue;
    const end = places.starts[place + 1]!;
    for (let doc = places.starts[place]!; doc < end; doc++)
      add(doc, place, STATE_CODES[state - 1]!);
  }
  for (let doc = places.placedDocs; doc < count; doc++) add(doc, -1, null);
  return draft;
}

/** The texts of one address as bytes. */
class AddressBytes implements RecordTexts {
  bytes: Uint8Array = new Uint8Array(0);
  readonly starts = new Int32Array(ADDRESS_TEXTS);
  readonly ends = new Int32Array(ADDRESS_TEXTS);
  readonly #texts: string[] = Array.from({ length: ADDRESS_TEXTS }, () => "");

  set(text: number, value: string | null): void {
    this.#texts[text] = value ?? "";
    if (text !== AddressText.country) return;
    this.bytes = Buffer.from(this.#texts.join(""));
    let at = 0;
    this.#texts.forEach((each, index) => {
      this.starts[index] = at;
      at += Buffer.byteLength(each);
      this.ends[index] = at;
    });
  }
}
