import type { Address } from "../../registry/provider.ts";

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
  const lines = [
    first,
    second,
    [city, [state, postalCode(code)].filter(Boolean).join(" ")]
      .filter(Boolean)
      .join(", "),
    country === "US" ? null : country,
  ].filter((line) => line !== null && line !== "");
  return (
    <address className="postal-address">
      {lines.map((line, place) => (
        <bdi key={place}>{line}</bdi>
      ))}
    </address>
  );
}

/** `627011234` as it is read, `62701-1234`. */
function postalCode(code: string | null): string | null {
  return code !== null && /^[0-9]{9}$/.test(code)
    ? `${code.slice(0, 5)}-${code.slice(5)}`
    : code;
}
