/**
 * A provider as the service answers it, member by member as the specification names them. Null is the registry's
 * silence: blank or masked there, or withheld for a deactivated NPI whose details this installation never held.
 */
export interface Provider {
  npi: string;
  entity_type: EntityType | null;
  name: PersonName | null;
  organization_name: string | null;
  status: Status;
  /** ISO 8601 dates, `YYYY-MM-DD`. */
  enumeration_date: string | null;
  last_updated: string | null;
  deactivation_date: string | null;
  primary_taxonomy: Taxonomy | null;
  practice_address: Address | null;
}

export type EntityType = "individual" | "organization";
export type Status = "active" | "deactivated";

export interface PersonName {
  first: string | null;
  middle: string | null;
  last: string | null;
  credential: string | null;
}

/** A NUCC taxonomy code and its display name; `description` is null for a code that NUCC's table lacks. */
export interface Taxonomy {
  code: string;
  description: string | null;
}

export interface Address {
  address_1: string | null;
  address_2: string | null;
  city: string | null;
  /** Two letters on a U.S. address; elsewhere whatever the registry holds. */
  state: string | null;
  /** As published: `606013456`, `60601-3456`, `60601`. */
  postal_code: string | null;
  country: string | null;
}
