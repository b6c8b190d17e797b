import type { ReactNode } from "react";
import type { Address, Coded } from "../../contract/details.ts";
import { Facts, type Fact } from "../components/elements.tsx";
import { naturalCase } from "../../text/natural-case.ts";
import { placeText } from "../format.ts";
import { phoneText, phoneUri, postalCode } from "./contact-text.ts";
import styles from "./provider.module.css";

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

/** Lists the facts of a record that have a value. */
export function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  return <Facts className={styles.facts} facts={facts} />;
}

/** Links a phone number, so that a click calls it; null without a number. */
export function phoneLink(
  number: string | null | undefined,
  extension: string | null = null,
): ReactNode {
  if (!number) return null;
  const uri = phoneUri(number, extension);
  const text = phoneText(number, extension);
  return uri === null ? (
    text
  ) : (
    <a href={uri} className={styles.phone}>
      {text}
    </a>
  );
}

/** Returns the code's description, or the code itself if it has none. */
export function meaningOf(coded: Coded | null): string | null {
  return coded && (coded.description ?? coded.code);
}
