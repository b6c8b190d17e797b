import type { Static } from "typebox";
import { schemaOf } from "./schemas.ts";
import {
  ADDRESS,
  AUTHORIZED_OFFICIAL,
  FULL_NAME,
  PARTS,
  type CodedValue,
} from "./provider-fields.ts";

/**
 * Addresses, and the fields that `include` adds to a provider's record. Titles are the component names in the OpenAPI
 * document.
 */

export const Address = schemaOf(ADDRESS);
export const FullName = schemaOf(FULL_NAME);
export const AuthorizedOfficial = schemaOf(AUTHORIZED_OFFICIAL);
export const TaxonomySlot = schemaOf(PARTS.taxonomies);
export const OtherName = schemaOf(PARTS.other_names);
export const PracticeLocation = schemaOf(PARTS.locations);
export const Identity = schemaOf(PARTS.identity);
export const MailingAddress = schemaOf(PARTS.mailing_address);
export const Identifier = schemaOf(PARTS.identifiers);
export const Endpoint = schemaOf(PARTS.endpoints);

export type Coded = CodedValue;
export type Address = Static<typeof Address>;
export type FullName = Static<typeof FullName>;
export type TaxonomySlot = Static<typeof TaxonomySlot>;
export type OtherName = Static<typeof OtherName>;
export type PracticeLocation = Static<typeof PracticeLocation>;
export type AuthorizedOfficial = Static<typeof AuthorizedOfficial>;
export type Identity = Static<typeof Identity>;
export type MailingAddress = Static<typeof MailingAddress>;
export type Identifier = Static<typeof Identifier>;
export type Endpoint = Static<typeof Endpoint>;
