import {
  PARTS,
  SECTIONS,
  type Member,
  type Members as Fields,
  type SectionName,
  type ValueMember,
} from "../../contract/provider-fields.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { BLOB, type BlobSection } from "../../registry/details/detail-blob.ts";
import { DetailsView } from "../../snapshot/details/details-view.ts";
import type { Members } from "./renderer.ts";

/** Returns the display name of a taxonomy code, or null. */
export type TaxonomyName = (code: string) => string | null;

/** Reads a value from a provider's details, or from their current record. */
type Read<T = unknown> = (details: DetailsView, nameOf: TaxonomyName) => T;

/** The details of a provider that has only a record. */
export const NO_DETAILS = new DetailsView();

/** The readers of texts that need nothing else. */
const TEXT_READERS = {
  text: (details: DetailsView, text: number) => details.text(text),
  key: (details: DetailsView, text: number) => details.text(text) ?? "",
  date: (details: DetailsView, text: number) => details.date(text),
  flag: (details: DetailsView, text: number) => details.text(text) === "Y",
  /** Reads a yes or no; X, "not answered", is null as well. */
  yes_no(details: DetailsView, text: number) {
    const code = details.text(text);
    if (code === "Y") return true;
    return code === "N" ? false : null;
  },
} as const;

const READERS: Readonly<Record<DetailPart, Read>> = {
  taxonomies: listOf("taxonomies"),
  other_names: otherNames(),
  locations: listOf("locations"),
  identity: identity(),
  mailing_address: mailingAddress(),
  identifiers: listOf("identifiers"),
  endpoints: listOf("endpoints"),
};

/** Makes the members that follow a record's own, for the requested parts. */
export function detailMembers(
  details: DetailsView,
  parts: readonly DetailPart[],
  nameOf: TaxonomyName,
): Members {
  return Object.fromEntries(
    parts.map((part) => [part, READERS[part](details, nameOf)]),
  );
}

/** Returns an object; null if all its members are. */
export function orNull<Values extends object>(object: Values): Values | null {
  return Object.values(object).every((value) => value === null) ? null : object;
}

function listOf(name: SectionName): Read<Members[]> {
  const entry = recordOf(name);
  return (details, nameOf) =>
    details.each(BLOB[name], () => entry(details, nameOf));
}

/** Reads other names. The provider's own row can have another organization name and another person's name. */
function otherNames(): Read<Members[]> {
  const ofFile = listOf("otherNames");
  const ofRow = recordOf("mainRowName");
  const organizationType = reader(
    PARTS.other_names.members.type,
    BLOB.mainRowName,
    "organization_type",
  );
  return (details, nameOf) => {
    const names = details.each(BLOB.mainRowName, () => {
      const person = ofRow(details, nameOf);
      const type = organizationType(details, nameOf);
      return [
        { ...person, type, name: null },
        { ...person, organization_name: null },
      ];
    });
    return [...names.flat().filter(isNamed), ...ofFile(details, nameOf)];
  };
}

function isNamed({ name, organization_name: organization }: Members): boolean {
  return name !== null || organization !== null;
}

/** Reads the identity, of which the status has its own section. */
function identity(): Read {
  const [status, others] = [recordOf("status"), recordOf("identity")];
  const names = Object.keys(PARTS.identity.members);
  return (details, nameOf) => {
    details.only(BLOB.status);
    const first = status(details, nameOf);
    details.only(BLOB.identity);
    const second = others(details, nameOf);
    return Object.fromEntries(
      names.map((name) => [name, first[name] ?? second[name]]),
    );
  };
}

function mailingAddress(): Read {
  const address = recordOf("mailingAddress");
  return (details, nameOf) => {
    details.only(BLOB.mailingAddress);
    return orNull(address(details, nameOf));
  };
}

/** Reads the members of a section's part; those that it doesn't have are null. */
function recordOf(name: SectionName): Read<Members> {
  return objectOf(PARTS[SECTIONS[name].part].members, BLOB[name], "");
}

/** Reads an object, whose texts have a prefix. */
function objectOf(
  members: Fields,
  section: BlobSection,
  prefix: string,
): Read<Members> {
  const readers = Object.entries(members).map(
    ([name, member]) => [name, reader(member, section, prefix + name)] as const,
  );
  return (details, nameOf) => {
    const object: Record<string, unknown> = {};
    for (const [name, read] of readers) object[name] = read(details, nameOf);
    return object;
  };
}

/** Reads a member, whose text has the name `path`. */
function reader(member: Member, section: BlobSection, path: string): Read {
  const isStored = Object.keys(section.text).some(
    (text) => text === path || text.startsWith(`${path}.`),
  );
  const isDerived = ["taxonomy_name", "address_type"].includes(member.kind);
  if (!isStored && !isDerived) return () => null;
  const next = (name: string) =>
    placeOf(section, path.slice(0, path.lastIndexOf(".") + 1) + name);
  switch (member.kind) {
    case "object": {
      const object = objectOf(member.of.members, section, `${path}.`);
      return (details, nameOf) => orNull(object(details, nameOf));
    }
    case "taxonomy_name": {
      const code = next("code");
      return (details, nameOf) => nameOf(details.text(code) ?? "");
    }
    case "address_type": {
      const [state, country] = [next("state"), next("country")];
      return (details) => details.addressType(state, country);
    }
    case "code":
      return codeReader(member, section, path);
    case "state": {
      const [state, country] = [placeOf(section, path), next("country")];
      return (details) => details.state(state, country);
    }
    default: {
      const text = placeOf(section, path);
      const read = TEXT_READERS[member.kind];
      return (details) => read(details, text);
    }
  }
}

/** Reads a code and its meaning, null if unknown. */
function codeReader(
  { codeLength, meanings }: ValueMember,
  section: BlobSection,
  path: string,
): Read {
  const text = placeOf(section, path);
  const described = meanings ? 0 : placeOf(section, `${path}.description`);
  return (details) => {
    const code = details.text(text)?.slice(0, codeLength) ?? null;
    if (code === null) return null;
    const description = meanings
      ? (meanings.get(code) ?? null)
      : details.text(described);
    return { code, description };
  };
}

function placeOf({ text }: BlobSection, path: string): number {
  const place = text[path];
  if (place === undefined) throw new Error(`No text is called ${path}`);
  return place;
}
