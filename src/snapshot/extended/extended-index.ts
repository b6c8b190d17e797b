import type { DetailPart } from "../../contract/detail-parts.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { AddressList, type ListSections } from "./address-list.ts";
import { once } from "../bytes/once.ts";
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

const NOTHING: ExtendedIndex = {
  parts: [],
  slots: null,
  names: null,
  locations: null,
  officials: null,
  addresses: null,
};

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

/** The parts that an index covers. One that an older program made may lack some of today's. */
export function coveredParts(sections: Sections): DetailPart[] {
  return EXTENDED_PARTS.filter((part) =>
    SECTIONS_OF[part].every((section) => sections.has(section)),
  );
}

/** The parts among `kept` that an index could cover, but doesn't; `covered` are those that it covers. */
export function missingParts(
  covered: readonly DetailPart[],
  kept: readonly DetailPart[],
): DetailPart[] {
  return EXTENDED_PARTS.filter(
    (part) => kept.includes(part) && !covered.includes(part),
  );
}

/** Opens the index of a file; without one, it has no parts. */
export function openExtended(file: Sections | null): ExtendedIndex {
  if (file === null) return NOTHING;
  const opened = {
    slots: once(() => OPENERS.slots(file)),
    names: once(() => OPENERS.names(file)),
    locations: once(() => OPENERS.locations(file)),
    officials: once(() => OPENERS.officials(file)),
    addresses: once(() => OPENERS.addresses(file)),
  };
  return {
    parts: coveredParts(file),
    get slots() {
      return opened.slots();
    },
    get names() {
      return opened.names();
    },
    get locations() {
      return opened.locations();
    },
    get officials() {
      return opened.officials();
    },
    get addresses() {
      return opened.addresses();
    },
  };
}

/** Open the members of an index; null if the file lacks one. */
const OPENERS = {
  slots: (file: Sections) =>
    file.has(taxonomies.taxonomyNames) ? openTaxonomySlots(file) : null,
  names: (file: Sections) =>
    file.has(names.owners) ? new OtherNames(file) : null,
  locations: (file: Sections) =>
    file.has(locations.docs) ? new OtherLocations(file) : null,
  officials: (file: Sections) =>
    file.has(officials.owners) ? new Officials(file) : null,
  areas: (file: Sections) => (file.has(areas.byZip) ? new Areas(file) : null),
  addresses: (file: Sections) => {
    const opened = OPENERS.areas(file);
    return opened === null ? null : openAddresses(file, opened);
  },
};

function openAddresses(file: Sections, of: Areas): Addresses {
  const opened = {
    mailing: once(() => listIn(file, mailing)),
    secondary: once(() => listIn(file, secondary)),
    unusual: once(() => new AddressList(file, EXTENDED_SECTIONS.unusual)),
  };
  return {
    areas: of,
    get mailing() {
      return opened.mailing();
    },
    get secondary() {
      return opened.secondary();
    },
    get unusual() {
      return opened.unusual();
    },
  };
}

function listIn(file: Sections, list: ListSections): AddressList | null {
  return file.has(list.area) ? new AddressList(file, list) : null;
}
