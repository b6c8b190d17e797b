import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Provider, Taxonomy } from "../../contract/provider.ts";
import type {
  AuthorizedOfficial,
  FullName,
  PracticeLocation,
} from "../../registry/details/provider-details.ts";

/** A record with those parts of its details that the installation holds. */
export interface ProviderRecord extends Provider {
  readonly taxonomies?: readonly TaxonomyShown[];
  readonly other_names?: readonly OtherNameShown[];
  readonly locations?: readonly PracticeLocation[];
  readonly identity?: IdentityShown;
}

export interface TaxonomyShown extends Taxonomy {
  readonly primary: boolean;
  readonly license_number: string | null;
  readonly license_state: string | null;
  readonly group: Coded | null;
}

export interface OtherNameShown {
  readonly type: Coded | null;
  readonly name: FullName | null;
  readonly organization_name: string | null;
}

interface IdentityShown {
  readonly name_prefix: string | null;
  readonly name_suffix: string | null;
  readonly sex: string | null;
  readonly sole_proprietor: boolean | null;
  readonly organization_subpart: boolean | null;
  readonly parent_organization: string | null;
  readonly phone: string | null;
  readonly fax: string | null;
  readonly certification_date: string | null;
  readonly deactivation_reason: Coded | null;
  readonly deactivation_date: string | null;
  readonly reactivation_date: string | null;
  readonly replacement_npi: string | null;
  readonly authorized_official: AuthorizedOfficial | null;
}

interface Coded {
  readonly code: string;
  readonly description: string | null;
}

const PARTS: readonly DetailPart[] = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
];

/** What `include` of the API has to be for the same answer; empty where nothing beyond the record is held. */
export function includeOf(record: ProviderRecord): string {
  return PARTS.filter((part) => record[part] !== undefined).join(",");
}

/** Its meaning, or the code where nobody says. */
export function meaningOf(coded: Coded | null): string | null {
  return coded && (coded.description ?? coded.code);
}
