import type { SearchEntry } from "../contract/provider.ts";
import { naturalCase } from "../text/natural-case.ts";

/** A provider's name and place as pages write them, for server and browser. */

/** Returns a provider's name, or its NPI if the registry publishes no name. */
export function providerName({
  name,
  npi,
  organization_name: organization,
}: Pick<SearchEntry, "name" | "npi" | "organization_name">): string {
  if (organization !== null) return naturalCase(organization, "organization");
  const person = personName([name?.first, name?.middle, name?.last]);
  return person === "" ? `NPI ${npi}` : person;
}

/** Joins the parts of a person's name that are known. */
export function personName(
  parts: readonly (string | null | undefined)[],
): string {
  return parts
    .flatMap((part) => (part ? naturalCase(part, "person") : []))
    .join(" ");
}

/** Writes `Springfield, IL`; empty if neither is known. */
export function placeText(city: string | null, state: string | null): string {
  return [city && naturalCase(city, "city"), state].filter(Boolean).join(", ");
}
