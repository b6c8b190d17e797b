import { Dictionary, type DictionaryEntries } from "./dictionary.ts";
import { encodeJson } from "../metadata.ts";
import { SECTIONS } from "../container/descriptors.ts";
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

/** Parses the section's JSON. Its checksum vouches for its shape. */
export function openTaxonomyNames(sections: Sections): (string | null)[] {
  return JSON.parse(
    new TextDecoder().decode(sections.get(SECTIONS.taxonomyNames).slice()),
  );
}
