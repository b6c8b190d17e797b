import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { MemorySections } from "../container/memory-sections.ts";

/** What a search can be widened to (FORMAT.md, "Scopes"); each is null where the snapshot does not hold it. */
export interface Scopes {
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
}

const NOTHING: Scopes = { slots: null, names: null, locations: null };

export function openScopes(snapshot: MemorySections): Scopes {
  return snapshot.has(SECTIONS.scopes)
    ? openScopesIn(snapshot.fileIn(SECTIONS.scopes))
    : NOTHING;
}

/** Opens what the section holds. */
export function openScopesIn(file: MemorySections): Scopes {
  return {
    slots: file.has(EXTENDED_SECTIONS.taxonomies.taxonomyNames)
      ? openTaxonomySlots(file)
      : null,
    names: OtherNames.isIn(file) ? new OtherNames(file) : null,
    locations: OtherLocations.isIn(file) ? new OtherLocations(file) : null,
  };
}
