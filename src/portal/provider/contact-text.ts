/** Postal codes, phone numbers, and directions, as pages write them. */
import type { Address } from "../../contract/details.ts";

const MIN_PHONE_DIGITS = 7;
/** Of an international number. */
const MAX_PHONE_DIGITS = 15;

/** Writes `627011234` as `62701-1234`. */
export function postalCode(code: string | null): string | null {
  return code !== null && /^[0-9]{9}$/.test(code)
    ? `${code.slice(0, 5)}-${code.slice(5)}`
    : code;
}

/** Formats the ten digits of a U.S. phone number; anything else is shown as the registry has it. */
export function phoneText(phone: string, extension: string | null = null) {
  const read = /^([0-9]{3})([0-9]{3})([0-9]{4})$/.exec(phone);
  const [, area = "", exchange = "", line = ""] = read ?? [];
  const text = read === null ? phone : `(${area}) ${exchange}-${line}`;
  return extension === null ? text : `${text} ext. ${extension}`;
}

/** Returns the URI of a phone number; null if it can't be called. Ten digits are a U.S. number. */
export function phoneUri(
  phone: string,
  extension: string | null = null,
): string | null {
  const digits = phone.replace(/\D/g, "");
  if (digits.length < MIN_PHONE_DIGITS || digits.length > MAX_PHONE_DIGITS)
    return null;
  const number = digits.length === 10 ? `+1${digits}` : digits;
  const inside = extension?.replace(/\D/g, "") ?? "";
  return `tel:${number}${inside === "" ? "" : `;ext=${inside}`}`;
}

/** A link to directions, and the app or site that it opens. */
interface DirectionsLink {
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
