import type { Address } from "../../contract/details.ts";

/** A link to directions, and the app or site that it opens. */
export interface DirectionsLink {
  readonly href: string;
  readonly opens: string;
}

/**
 * Directions to an address on the visitor's device: its own map app on phones, OpenStreetMap elsewhere. Null without a
 * street or a city. A suite is left out, because map services don't find it.
 */
export function directionsTo(
  { address_1: street, city, country, postal_code: code, state }: Address,
  userAgent: string,
): DirectionsLink | null {
  if (street === null && city === null) return null;
  const area = [state, code?.slice(0, 5)].filter(Boolean).join(" ");
  const place = [street, city, area, country].filter(Boolean).join(", ");
  const to = encodeURIComponent(place);
  if (/Android/.test(userAgent))
    return { href: `geo:0,0?q=${to}`, opens: "your map app" };
  return /iPhone|iPad/.test(userAgent)
    ? { href: `https://maps.apple.com/?daddr=${to}`, opens: "Apple Maps" }
    : {
        href: `https://www.openstreetmap.org/search?query=${to}`,
        opens: "OpenStreetMap",
      };
}
