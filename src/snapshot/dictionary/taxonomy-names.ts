import {
  Dictionary,
  writeDictionary,
  type DictionaryEntries,
} from "./dictionary.ts";
import type { SectionFile } from "../container/section-file.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * Writes a dictionary of taxonomy codes, and the section `taxonomy.names`. `nameOf` gives the display name of a code in
 * upper case, or null.
 */
export function writeTaxonomyCodes(
  writer: SectionWriter,
  codes: DictionaryEntries,
  nameOf: (code: string) => string | null,
): void {
  const dictionary = new Dictionary(codes.bytes, codes.offsets);
  const names = Array.from({ length: dictionary.count + 1 }, (_, number) => {
    const code = dictionary.spelling(number);
    return code === null ? null : nameOf(code.toUpperCase());
  });
  writeDictionary(writer, "taxonomy", codes);
  writer.write("taxonomy.names", encodeJson(names));
}

/** The section's JSON; its checksum stands for its shape. */
export function openTaxonomyNames(file: SectionFile): (string | null)[] {
  return JSON.parse(
    new TextDecoder().decode(file.bytes("taxonomy.names").slice()),
  );
}

export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
