import type { DetailPart } from "../../contract/detail-parts.ts";
import type { EntityType } from "../../contract/provider.ts";

/** A text that a whole field must equal or, as a prefix, start with. Both are folded. It is not blank. */
export interface FieldText {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Names that must match one name: a provider's own or another one of it, or that of its authorized official. */
export interface RegistryNames {
  readonly purpose: "provider" | "official";
  readonly first?: FieldText | undefined;
  readonly last?: FieldText | undefined;
  /** True if the nicknames and full forms of `first` count, too. Only without a prefix. */
  readonly useAliases: boolean;
}

/**
 * An address that must match as a whole: `null` for the mailing address or any practice location, `location` for any
 * practice location.
 */
export interface RegistryPlace {
  readonly purpose: null | "location" | "mailing" | "primary" | "secondary";
  /** Compared like the parameter `city` of `/v1`. */
  readonly city?: FieldText | undefined;
  /** Two letters of a state, or the state of a foreign address. */
  readonly state?: string | undefined;
  /** Letters and digits count. Five digits are a prefix. */
  readonly postalCode?: FieldText | undefined;
  /** Two letters. */
  readonly country?: string | undefined;
}

/** A search as the registry's own API has it. Active providers match all conditions that are given. */
export interface RegistryQuery {
  /** An NPI. */
  readonly number?: string | undefined;
  readonly enumerationType?: EntityType | undefined;
  /** NUCC codes. A provider has one of them in any slot; none match no provider. */
  readonly taxonomies?: readonly string[] | undefined;
  readonly names?: RegistryNames | undefined;
  /** Of an organization: its legal name or another one. */
  readonly organizationName?: FieldText | undefined;
  readonly place?: RegistryPlace | undefined;
  /** The number of matches to leave out, in the order of searches. */
  readonly skip: number;
  readonly limit: number;
}

/** Lists the parts of details that a search looks into in addition to the records. */
export function partsSearched({
  names,
  organizationName,
  place,
  taxonomies,
}: Omit<RegistryQuery, "skip" | "limit">): Set<DetailPart> {
  const parts = new Set<DetailPart>();
  if (taxonomies !== undefined) parts.add("taxonomies");
  if (names !== undefined)
    parts.add(names.purpose === "official" ? "identity" : "other_names");
  if (organizationName !== undefined) parts.add("other_names");
  if (place === undefined) return parts;
  const { purpose } = place;
  if (purpose === null || purpose === "mailing") parts.add("mailing_address");
  if (purpose !== "mailing" && purpose !== "primary") parts.add("locations");
  return parts;
}
