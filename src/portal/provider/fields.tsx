import type { ReactNode } from "react";
import type { Coded } from "../../contract/details.ts";
import type { Address } from "../../contract/address.ts";
import { naturalCase } from "../../text/natural-case.ts";
import { placeText } from "../format.ts";
import styles from "./provider.module.css";

/** A postal address. */
export function AddressText({ address }: { readonly address: Address }) {
  const {
    address_1: first,
    address_2: second,
    city,
    country,
    postal_code: code,
    state,
  } = address;
  const last = [placeText(city, state), postalCode(code)]
    .filter(Boolean)
    .join(" ");
  return (
    <address className={styles.postalAddress}>
      {first && <bdi>{naturalCase(first, "address")}</bdi>}
      {second && <bdi>{naturalCase(second, "address")}</bdi>}
      {last && <bdi>{last}</bdi>}
      {country && country !== "US" && <bdi>{country}</bdi>}
    </address>
  );
}

/** `627011234` as `62701-1234`. */
function postalCode(code: string | null): string | null {
  return code !== null && /^[0-9]{9}$/.test(code)
    ? `${code.slice(0, 5)}-${code.slice(5)}`
    : code;
}

/** A term and its value; null if the registry has none. */
export type Fact = readonly [term: string, value: ReactNode];

/** The facts that have a value. */
export function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  const said = facts.filter(([, value]) => Boolean(value));
  return (
    <dl className={styles.facts}>
      {said.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{typeof value === "string" ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Formats the ten digits of a U.S. phone number; anything else is shown as the registry has it. */
export function phoneText(phone: string, extension: string | null = null) {
  const read = /^([0-9]{3})([0-9]{3})([0-9]{4})$/.exec(phone);
  const [, area = "", exchange = "", line = ""] = read ?? [];
  const text = read === null ? phone : `(${area}) ${exchange}-${line}`;
  return extension === null ? text : `${text} ext. ${extension}`;
}

/** The code's description, or the code itself if it has none. */
export function meaningOf(coded: Coded | null): string | null {
  return coded && (coded.description ?? coded.code);
}
