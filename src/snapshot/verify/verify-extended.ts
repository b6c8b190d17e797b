import { nameClaims } from "./verify-names.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { addressClaims, officialClaims } from "./verify-addresses.ts";
import {
  areAscending,
  haveOneLength,
  isSame,
  isSameGroup,
  isSorted,
} from "./verify-structures.ts";
import { groupValues } from "../postings/postings.ts";
import { countOtherTaxonomies } from "../postings/taxonomy-counts.ts";
import type { OtherLocations } from "../extended/other-locations.ts";
import type { OtherNames } from "../extended/other-names.ts";
import type { Sections } from "../container/sections.ts";
import { encodeJson } from "../metadata.ts";
import type { Snapshot } from "../snapshot.ts";
import type { TaxonomySlots } from "../extended/taxonomy-slots.ts";

/** The parts that the extended index has covered since its first version. */
const SCOPE_PARTS = ["taxonomies", "other_names", "locations"] as const;

/** Claims about the extended index, each with whether it is true. */
export function extendedClaims(snapshot: Snapshot): Record<string, boolean> {
  const { addresses, locations, names, officials, slots } = snapshot.extended;
  const stored = { taxonomies: slots, other_names: names, locations };
  const kept = snapshot.metadata.details ?? [];
  const { extendedFile: file } = snapshot;
  return {
    "the extended index is the snapshot's":
      file === null || isOf(file, snapshot.metadata.id),
    "the extended index has one element for each name or location":
      file === null || haveOneLength(file, EXTENDED_SECTIONS),
    "the details that are kept can be searched": SCOPE_PARTS.every(
      (part) => !kept.includes(part) || stored[part] !== null,
    ),
    "the lists of other taxonomies contain only documents with a different primary taxonomy":
      slots === null || areSlotsRight(snapshot, slots),
    "the counts of other taxonomies match their lists":
      slots === null || areSlotCountsRight(slots, snapshot.kinds.column),
    ...(names === null ? {} : otherNameClaims(snapshot, names)),
    "the location lists match their ZIPs":
      locations === null || areLocationsRight(snapshot, locations),
    ...(officials === null ? {} : officialClaims(officials, snapshot.count)),
    ...(addresses === null ? {} : addressClaims(addresses, snapshot.count)),
  };
}

/** True if the file names a snapshot, or is inside of it. */
function isOf(file: Sections, id: string): boolean {
  const { metadata } = EXTENDED_SECTIONS;
  if (!file.has(metadata)) return true;
  return Buffer.from(encodeJson({ id })).equals(file.get(metadata));
}

function areSlotCountsRight(
  { taxonomies, taxonomyCounts, taxonomyDocs }: TaxonomySlots,
  kinds: Uint8Array,
): boolean {
  return (
    taxonomyCounts === null ||
    isSame(
      taxonomyCounts,
      countOtherTaxonomies(taxonomies, taxonomyDocs, kinds),
    )
  );
}

function areSlotsRight(
  { count, taxonomies: primary, taxonomy }: Snapshot,
  { taxonomies, taxonomyDocs: { items, starts } }: TaxonomySlots,
): boolean {
  for (let number = 1; number <= taxonomies.count; number++) {
    const code = taxonomies.spelling(number)?.toUpperCase();
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      const doc = items[at]!;
      const isRight =
        doc < count &&
        (at === starts[number]! || items[at - 1]! < doc) &&
        primary.spelling(taxonomy[doc]!)?.toUpperCase() !== code;
      if (!isRight) return false;
    }
  }
  return isSorted(taxonomies);
}

function otherNameClaims(
  { count }: Snapshot,
  names: OtherNames,
): Record<string, boolean> {
  const claims = Object.entries(nameClaims(names)).map(
    ([claim, holds]) => [`other names: ${claim}`, holds] as const,
  );
  return {
    "other names are ordered by document": areAscending(names.owners, count),
    ...Object.fromEntries(claims),
  };
}

function areLocationsRight(
  { count }: Snapshot,
  { byZip, docs, zipNumbers, zips }: OtherLocations,
): boolean {
  return (
    areAscending(docs, count) &&
    isSameGroup(byZip, groupValues(zips, zipNumbers))
  );
}
