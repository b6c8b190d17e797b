import {
  SECTIONS,
  type SectionName,
  type TextOf,
} from "../../contract/provider-fields.ts";

/**
 * A section of one provider's details as bytes, a _blob_ (FORMAT.md, "Details"). The sections of a blob are in the
 * order of `SECTIONS`, each with records of a fixed number of texts. A text is a varint length and UTF-8; null is
 * empty. A date is a text of two bytes, a day number, low byte first. Sections with a single record omit its trailing
 * empty texts.
 */
export interface BlobSection<Text extends string = string> {
  readonly number: number;
  /** The number of texts of a record. */
  readonly count: number;
  readonly text: Readonly<Record<Text, number>>;
}

export const BLOB = {
  status: section("status"),
  identity: section("identity"),
  taxonomies: section("taxonomies"),
  mainRowName: section("mainRowName"),
  mailingAddress: section("mailingAddress"),
  identifiers: section("identifiers"),
  otherNames: section("otherNames"),
  locations: section("locations"),
  endpoints: section("endpoints"),
};

/** The places of an address's texts, from its first one. */
export const AddressText = BLOB.locations.text;
export const ADDRESS_TEXTS = 6;

function section<Name extends SectionName>(
  name: Name,
): BlobSection<TextOf<Name>>;
function section(name: SectionName): BlobSection {
  const { number, texts } = SECTIONS[name];
  const names = Object.keys(texts);
  return {
    number,
    count: names.length,
    text: Object.fromEntries(names.map((text, place) => [text, place])),
  };
}
