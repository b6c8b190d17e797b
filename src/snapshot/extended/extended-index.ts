import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { MovedDocs } from "../postings/merge-postings.ts";
import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { MemorySections } from "../container/memory-sections.ts";

/** The parts of the details that the extended index covers. */
export const EXTENDED_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
] as const;

/** The extended index (FORMAT.md, "Extended index"). Parts that the snapshot does not have are null. */
export interface ExtendedIndex {
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
}

/** The base's extended index, for the documents that an update does not change. */
export interface BaseExtended {
  readonly extended: ExtendedIndex;
  /** New numbers of the base's documents that keep their entries. */
  readonly docs: MovedDocs;
}

const NOTHING: ExtendedIndex = { slots: null, names: null, locations: null };
export const NO_BASE: BaseExtended = {
  extended: NOTHING,
  docs: new MovedDocs(new Uint32Array(0)),
};

export function openExtended(snapshot: MemorySections): ExtendedIndex {
  return snapshot.has(SECTIONS.extended)
    ? openExtendedIn(snapshot.fileIn(SECTIONS.extended))
    : NOTHING;
}

/** Opens the parts that the section contains. */
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
