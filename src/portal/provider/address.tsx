import type { Address } from "../../contract/provider.ts";

/** An address as letters have it; values are the registry's own. */
export function AddressText({ address }: { readonly address: Address }) {
  const {
    address_1: first,
    address_2: second,
    city,
    country,
    postal_code: code,
    state,
  } = address;
  const last = [city, [state, postalCode(code)].filter(Boolean).join(" ")]
    .filter(Boolean)
    .join(", ");
  return (
    <address className="postal-address">
      {first && <bdi>{first}</bdi>}
      {second && <bdi>{second}</bdi>}
      {last && <bdi>{last}</bdi>}
      {country && country !== "US" && <bdi>{country}</bdi>}
    </address>
  );
}

/** `627011234` as it is read, `62701-1234`. */
function postalCode(code: string | null): string | null {
  return code !== null && /^[0-9]{9}$/.test(code)
    ? `${code.slice(0, 5)}-${code.slice(5)}`
    : code;
}
