import type {
  TaxonomyRow,
  TaxonomyTable,
} from "../../reference/taxonomy-table.ts";
import { Dictionary, type DictionaryEntries } from "./dictionary.ts";
import { encodeJson } from "../metadata.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import type { Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * Writes a dictionary of taxonomy codes and the section `taxonomy.names`. `nameOf` returns the display name of a code
 * in upper case, or null.
 */
export function writeTaxonomyCodes(
  writer: SectionWriter,
  codes: DictionaryEntries,
  nameOf: (code: string) => string | null,
): void {
  const dictionary = new Dictionary(codes);
  const names = Array.from({ length: dictionary.count + 1 }, (_, number) => {
    const code = dictionary.spelling(number);
    return code === null ? null : nameOf(code.toUpperCase());
  });
  writer.writeGroup(SECTIONS.taxonomies, codes);
  writer.write(SECTIONS.taxonomyNames, encodeJson(names));
}

/** Writes the section `taxonomy.table`. */
export function writeTaxonomyTable(
  writer: SectionWriter,
  table: TaxonomyTable,
): void {
  writer.write(SECTIONS.taxonomyTable, encodeJson([...table.rows()]));
}

/** Reads the taxonomies of the table that was loaded; null for a snapshot that doesn't have it. */
export function openTaxonomyTable(
  sections: Sections,
): readonly TaxonomyRow[] | null {
  return sections.has(SECTIONS.taxonomyTable)
    ? JSON.parse(textOf(sections, SECTIONS.taxonomyTable))
    : null;
}

/** Reads the display name per taxonomy number; null if unknown. */
export function openTaxonomyNames(sections: Sections): (string | null)[] {
  return JSON.parse(textOf(sections, SECTIONS.taxonomyNames));
}

/** Reads the text of a section. Its checksum vouches for the shape of its JSON. */
function textOf(sections: Sections, section: Section<Uint8Array>): string {
  return new TextDecoder().decode(sections.get(section).slice());
}
