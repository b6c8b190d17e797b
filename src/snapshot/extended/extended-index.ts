import type { DetailPart } from "../../contract/detail-parts.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { AddressList, type ListSections } from "./address-list.ts";
import { lazily } from "../bytes/once.ts";
import { Areas } from "./areas.ts";
import { Officials } from "./officials.ts";
import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { Section } from "../container/section.ts";
import type { Sections } from "../container/sections.ts";

/** The parts of the details that the extended index covers. */
export const EXTENDED_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
  "mailing_address",
] as const;

/**
 * The extended index (FORMAT.md, "Extended index"). Parts that the snapshot does not have are null. Each part is opened
 * on first use, which may read it from disk; it then throws SnapshotFormatError if that fails.
 */
export interface ExtendedIndex {
  /** The parts of details that it covers. */
  readonly parts: readonly DetailPart[];
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
  readonly officials: Officials | null;
  readonly addresses: Addresses | null;
}

/** Addresses other than those that the snapshot's places have. Each list is opened on first use. */
export interface Addresses {
  readonly areas: Areas;
  /** Null without the part `mailing_address`. */
  readonly mailing: AddressList | null;
  /** Secondary practice addresses; null without the part `locations`. */
  readonly secondary: AddressList | null;
  /** The primary practice addresses of active providers outside of the 50 states and DC. */
  readonly unusual: AddressList;
}

const { areas, locations, mailing, names, officials, secondary, taxonomies } =
  EXTENDED_SECTIONS;
/** The sections that tell whether an index covers a part. */
const SECTIONS_OF: Readonly<
  Record<(typeof EXTENDED_PARTS)[number], readonly Section[]>
> = {
  taxonomies: [taxonomies.taxonomyNames],
  other_names: [names.owners],
  locations: [locations.docs, secondary.area],
  identity: [officials.owners],
  mailing_address: [mailing.area],
};

/** Lists the parts that an index covers. One that an older program made may lack some of today's. */
function coveredParts(sections: Sections): DetailPart[] {
  return EXTENDED_PARTS.filter((part) =>
    SECTIONS_OF[part].every((section) => sections.has(section)),
  );
}

/** True if any of these parts can be searched through the extended index. */
export function hasExtendedParts(parts: readonly DetailPart[]): boolean {
  return EXTENDED_PARTS.some((part) => parts.includes(part));
}

/** Opens the index of a file; without one, it has no parts. */
export function openExtended(file: Sections | null): ExtendedIndex {
  const open =
    <T>(section: Section, opened: (from: Sections) => T) =>
    (): T | null =>
      file?.has(section) === true ? opened(file) : null;
  return lazily<ExtendedIndex>({
    parts: () => (file === null ? [] : coveredParts(file)),
    slots: open(taxonomies.taxonomyNames, openTaxonomySlots),
    names: open(names.owners, (from) => new OtherNames(from)),
    locations: open(locations.docs, (from) => new OtherLocations(from)),
    officials: open(officials.owners, (from) => new Officials(from)),
    addresses: open(areas.byZip, openAddresses),
  });
}

function openAddresses(file: Sections): Addresses {
  const listIn = (list: ListSections): AddressList | null =>
    file.has(list.area) ? new AddressList(file, list) : null;
  return lazily<Addresses>({
    areas: () => new Areas(file),
    mailing: () => listIn(mailing),
    secondary: () => listIn(secondary),
    unusual: () => new AddressList(file, EXTENDED_SECTIONS.unusual),
  });
}
