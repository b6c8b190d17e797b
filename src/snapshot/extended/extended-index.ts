import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { MovedDocs } from "../postings/merge-postings.ts";
import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { MemorySections } from "../container/memory-sections.ts";

/** What a search can be widened to, by the parts of the details that it is made from. */
export const EXTENDED_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
] as const;

/** What a search can be widened to (FORMAT.md, "Scopes"); each is null where the snapshot does not hold it. */
export interface ExtendedIndex {
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
}

/** What the base of an update can be searched by besides its records, of those whom the update says nothing of. */
export interface BaseExtended {
  readonly extended: ExtendedIndex;
  /** Where the documents of the base are now that keep their scopes. */
  readonly docs: MovedDocs;
}

const NOTHING: ExtendedIndex = { slots: null, names: null, locations: null };
export const NOTHING_HELD: BaseExtended = {
  extended: NOTHING,
  docs: new MovedDocs(new Uint32Array(0)),
};

export function openExtended(snapshot: MemorySections): ExtendedIndex {
  return snapshot.has(SECTIONS.extended)
    ? openExtendedIn(snapshot.fileIn(SECTIONS.extended))
    : NOTHING;
}

/** Opens what the section holds. */
export function openExtendedIn(file: MemorySections): ExtendedIndex {
  return {
    slots: file.has(EXTENDED_SECTIONS.taxonomies.taxonomyNames)
      ? openTaxonomySlots(file)
      : null,
    names: file.has(EXTENDED_SECTIONS.names.owners)
      ? new OtherNames(file)
      : null,
    locations: file.has(EXTENDED_SECTIONS.locations.docs)
      ? new OtherLocations(file)
      : null,
  };
}
