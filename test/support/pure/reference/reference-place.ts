/** The oracle for where a provider is: for filters, page order and nearby. */

import type { Provider } from "../../../../src/contract/provider.ts";
import {
  isMilitary,
  NO_STATE,
  stateNumber,
} from "../../../../src/contract/states.ts";
import { isUsCountry } from "./reference-provider.ts";
import { referenceCity } from "./reference-fold.ts";

export interface Place {
  /** The two letters of a known state of a U.S. address. Without one a provider is unplaced. */
  state: string | null;
  /** The compared city, '' without one. Includes foreign cities. */
  city: string;
  /** The five-digit ZIP of a U.S. address, '' without one. */
  zip: string;
  /** Military addresses have ZIP codes, but no location in the U.S. */
  isMilitary: boolean;
}

/** The place of a provider's practice address. */
export function placeOf({ practice_address: address }: Provider): Place {
  const nowhere = { state: null, city: "", zip: "", isMilitary: false };
  if (address === null) return nowhere;
  const city = referenceCity(address.city ?? "");
  // The state of a U.S. address has two letters, so only foreign addresses need the country.
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
