import type { SearchEntry } from "../contract/provider.ts";
import type { FullName } from "../contract/details.ts";

/** What a provider is called, as the registry writes it; its number where the registry shows no name. */
export function nameOf({
  name,
  npi,
  organization_name: organization,
}: Pick<SearchEntry, "name" | "npi" | "organization_name">): string {
  const person = joined([name?.first, name?.middle, name?.last]);
  return organization ?? (person === "" ? `NPI ${npi}` : person);
}

/** A person's name with all its parts. */
export function fullNameOf({
  credential,
  first,
  last,
  middle,
  prefix,
  suffix,
}: FullName): string {
  const name = joined([prefix, first, middle, last, suffix]);
  return [name, credential].filter(Boolean).join(", ");
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
