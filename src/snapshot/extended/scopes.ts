import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { SectionFile } from "../container/section-file.ts";

/** The section that holds a file of its own with all that searches can be widened to. */
export const SCOPES = "scopes";

/** What a search can be widened to (FORMAT.md, "Scopes"); each is null where the snapshot does not hold it. */
export interface Scopes {
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
}

const NOTHING: Scopes = { slots: null, names: null, locations: null };

export function openScopes(snapshot: SectionFile): Scopes {
  return snapshot.has(SCOPES) ? openScopesIn(snapshot.fileIn(SCOPES)) : NOTHING;
}

/** Opens what the section holds. */
export function openScopesIn(file: SectionFile): Scopes {
  return {
    slots: file.has("taxonomy.bytes") ? openTaxonomySlots(file) : null,
    names: OtherNames.isIn(file) ? new OtherNames(file) : null,
    locations: OtherLocations.isIn(file) ? new OtherLocations(file) : null,
  };
}
