import type { ProviderRecord } from "../../contract/provider.ts";
import { providerName } from "../../site/provider-name.ts";
import { naturalCase, type NameKind } from "../../text/natural-case.ts";
import { phoneUri, postalCode } from "./contact-text.ts";

/** Octets of a line without its end (RFC 2426, 2.6). */
const MAX_LINE_OCTETS = 75;
const CONTROL = /\p{Cc}/gu;

/**
 * Writes a provider's business card: name, specialty, practice address, phone and fax. In vCard 3.0 (RFC 2426), which
 * all phones read. `url` is that of the provider's page.
 */
export function vcardOf(record: ProviderRecord, url: string): string {
  const { identity, name, npi, organization_name: organization } = record;
  const { practice_address: address, primary_taxonomy: taxonomy } = record;
  const credential = name?.credential ?? "";
  const called = [providerName(record), credential].filter(Boolean).join(", ");
  const person = (part: string | null | undefined) => cased(part, "person");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `FN:${escaped(called)}`,
    `N:${fields([
      person(name?.last),
      person(name?.first),
      person(name?.middle),
      person(identity?.name_prefix),
      [person(identity?.name_suffix), credential].filter(Boolean).join(" "),
    ])}`,
    ...(organization === null
      ? []
      : [
          `ORG:${escaped(naturalCase(organization, "organization"))}`,
          // Without it, Apple's contacts take the name for a person's.
          "X-ABShowAs:COMPANY",
        ]),
    ...(taxonomy?.description
      ? [`TITLE:${escaped(taxonomy.description)}`]
      : []),
    ...phone("WORK,VOICE", identity?.phone),
    ...phone("WORK,FAX", identity?.fax),
    ...(address === null
      ? []
      : [
          `ADR;TYPE=WORK:${fields([
            "",
            cased(address.address_2, "address"),
            cased(address.address_1, "address"),
            cased(address.city, "city"),
            address.state ?? "",
            postalCode(address.postal_code) ?? "",
            address.country ?? "",
          ])}`,
        ]),
    `NOTE:${escaped(`NPI ${npi}`)}`,
    `URL:${url}`,
    "END:VCARD",
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join("");
}

function phone(type: string, number: string | null | undefined): string[] {
  const uri = number ? phoneUri(number) : null;
  return uri === null ? [] : [`TEL;TYPE=${type}:${uri.slice("tel:".length)}`];
}

function fields(values: readonly string[]): string {
  return values.map(escaped).join(";");
}

function cased(value: string | null | undefined, kind: NameKind): string {
  return value ? naturalCase(value, kind) : "";
}

function escaped(text: string): string {
  return text.replace(CONTROL, " ").replace(/[\\;,]/g, "\\$&");
}

/** Folds a line into pieces that continue after a space, without dividing a character. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MAX_LINE_OCTETS) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
