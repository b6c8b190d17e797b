/** The oracle's reading of where a provider is, for filters, for the order of pages, and for nearby. */

import type { Provider } from "../../../src/contract/provider.ts";
import {
  isMilitary,
  NO_STATE,
  stateNumber,
} from "../../../src/contract/states.ts";
import { foldCity } from "../../../src/text/city.ts";
import { isUsCountry } from "./reference-provider.ts";

export interface Place {
  /** The two letters of a known state of a U.S. address. Without one a provider is unplaced. */
  state: string | null;
  /** The city as it is compared, '' without one. Foreign cities too. */
  city: string;
  /** The five-digit ZIP of a U.S. address, '' without one. */
  zip: string;
  /** Military addresses have ZIP codes, but lie at no place in the U.S. */
  isMilitary: boolean;
}

/** Where a provider's shown practice address lies. */
export function placeOf({ practice_address: address }: Provider): Place {
  const nowhere = { state: null, city: "", zip: "", isMilitary: false };
  if (address === null) return nowhere;
  const city = foldCity(address.city ?? "");
  // The state of a U.S. address is shown as its two letters, so only foreign addresses need the country to tell.
  const known = stateNumber(address.state ?? "");
  if (!isUsCountry(address.country) && !isMilitary(known))
    return { ...nowhere, city };
  return {
    state: known === NO_STATE ? null : address.state,
    city,
    zip: /^[0-9]{5}/.exec(address.postal_code ?? "")?.[0] ?? "",
    isMilitary: isMilitary(known),
  };
}

/** The snapshot's order: state, compared city, ZIP, NPI; unplaced ones last, only by NPI. */
export function comparePlaced(
  a: { place: Place; npi: string },
  b: { place: Place; npi: string },
): number {
  if (a.place.state === null || b.place.state === null) {
    if (a.place.state !== null) return -1;
    if (b.place.state !== null) return 1;
    return compareText(a.npi, b.npi);
  }
  return (
    compareText(a.place.state, b.place.state) ||
    compareText(a.place.city, b.place.city) ||
    compareText(a.place.zip, b.place.zip) ||
    compareText(a.npi, b.npi)
  );
}

/** By code point, which is also the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
