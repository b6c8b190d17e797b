import type { DetailPart } from "../../contract/detail-parts.ts";
import { EXTENDED_SECTIONS, SECTIONS } from "../container/descriptors.ts";
import { MovedDocs } from "../postings/merge-postings.ts";
import { AddressList } from "./address-list.ts";
import { Areas } from "./areas.ts";
import { Officials } from "./officials.ts";
import { OtherLocations } from "./other-locations.ts";
import { OtherNames } from "./other-names.ts";
import { openTaxonomySlots, type TaxonomySlots } from "./taxonomy-slots.ts";
import type { MemorySections } from "../container/memory-sections.ts";

/** The parts of the details that the extended index covers. */
export const EXTENDED_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
  "mailing_address",
] as const;

/** The extended index (FORMAT.md, "Extended index"). Parts that the snapshot does not have are null. */
export interface ExtendedIndex {
  readonly slots: TaxonomySlots | null;
  readonly names: OtherNames | null;
  readonly locations: OtherLocations | null;
  readonly officials: Officials | null;
  readonly addresses: Addresses | null;
}

/** Addresses other than those that the snapshot's places have. */
export interface Addresses {
  readonly areas: Areas;
  /** Null without the part `mailing_address`. */
  readonly mailing: AddressList | null;
  /** Secondary practice addresses; null without the part `locations`. */
  readonly secondary: AddressList | null;
  /** The primary practice addresses of active providers outside of the 50 states and DC. */
  readonly unusual: AddressList;
}

/** The base's extended index, for the documents that an update does not change. */
export interface BaseExtended {
  readonly extended: ExtendedIndex;
  /** New numbers of the base's documents that keep their entries. */
  readonly docs: MovedDocs;
}

const NOTHING: ExtendedIndex = {
  slots: null,
  names: null,
  locations: null,
  officials: null,
  addresses: null,
};
export const NO_BASE: BaseExtended = {
  extended: NOTHING,
  docs: new MovedDocs(new Uint32Array(0)),
};

/** The parts among `kept` that an index doesn't cover, because an older program made it. */
export function missingParts(
  { addresses, locations, names, officials, slots }: ExtendedIndex,
  kept: readonly DetailPart[],
): DetailPart[] {
  const covers = {
    taxonomies: slots !== null,
    other_names: names !== null,
    locations: locations !== null && addresses?.secondary != null,
    identity: officials !== null,
    mailing_address: addresses?.mailing != null,
  };
  return EXTENDED_PARTS.filter((part) => kept.includes(part) && !covers[part]);
}

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
    officials: file.has(EXTENDED_SECTIONS.officials.owners)
      ? new Officials(file)
      : null,
    addresses: file.has(EXTENDED_SECTIONS.areas.byZip)
      ? openAddresses(file)
      : null,
  };
}

function openAddresses(file: MemorySections): Addresses {
  const { mailing, secondary, unusual } = EXTENDED_SECTIONS;
  return {
    areas: new Areas(file),
    mailing: file.has(mailing.area) ? new AddressList(file, mailing) : null,
    secondary: file.has(secondary.area)
      ? new AddressList(file, secondary)
      : null,
    unusual: new AddressList(file, unusual),
  };
}
