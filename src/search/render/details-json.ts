import {
  PARTS,
  SECTIONS,
  type Member,
  type Members as Fields,
  type ValueMember,
} from "../../contract/provider-fields.ts";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { BLOB, type BlobSection } from "../../registry/details/detail-blob.ts";
import { DetailsView } from "../../snapshot/details/details-view.ts";
import { constant, type JsonText } from "./json-text.ts";
import type { Members } from "./renderer.ts";

/** Returns the display name of a taxonomy code as JSON, or null. */
export type TaxonomyName = (code: string) => Uint8Array | null;

/**
 * Writes a value of a provider's details, or of their current record, as JSON, behind the text `before`. If it is null,
 * writes nothing and returns false.
 */
type Write = (
  details: DetailsView,
  out: JsonText,
  before: Uint8Array,
  nameOf: TaxonomyName,
) => boolean;
type Writers = Readonly<Record<string, Write>>;
/** The places of a record's texts, by name. */
type Places = Readonly<Record<string, number>>;
/** The parts of details as objects. */
export type Details = Readonly<Record<string, Members | Members[] | null>>;

/** The details of a provider that has only a record. */
export const NO_DETAILS = new DetailsView();

const NOTHING = constant("");
const COMMA = constant(",");
const LIST = constant("[");
const LIST_END = constant("]");
const NULL = constant("null");
const TRUE = constant("true");
const FALSE = constant("false");
const YES = 0x59;
const NO = 0x4e;
/** JSON of the few texts that dates, states, and types of addresses are. */
const jsonOfText = new Map<string, Uint8Array>();

/** Makers of the writers of texts that need nothing else. */
const TEXT_WRITERS = {
  text: (text: number) => textWriter(text, false),
  key: (text: number) => textWriter(text, true),
  date: (text: number) => oneOf((details) => json(details.date(text))),
  flag: (text: number) =>
    oneOf((details) => (letter(details, text) === YES ? TRUE : FALSE)),
  /** Writes a yes or no; X, "not answered", is null as well. */
  yes_no: (text: number) =>
    oneOf((details) => {
      const code = letter(details, text);
      if (code === YES) return TRUE;
      return code === NO ? FALSE : null;
    }),
} satisfies Record<string, (text: number) => Write>;

const PART_OF_SECTION = new Map<number, DetailPart>(
  Object.values(SECTIONS).map(({ number, part }) => [number, part]),
);
const PART_WRITERS = new Map(
  DETAIL_PARTS.map((part) => {
    const key = constant(`,"${part}":`);
    return [part, { key, write: partWriter(part) }];
  }),
);

/** Writes the members that follow a record's own, for the requested parts: `,"taxonomies":[…],…`. */
export function writeDetails(
  details: DetailsView,
  parts: readonly DetailPart[],
  out: JsonText,
  nameOf: TaxonomyName,
): void {
  for (const part of parts) {
    const { key, write } = PART_WRITERS.get(part)!;
    if (write(details, out, key, nameOf)) continue;
    out.raw(key);
    out.raw(NULL);
  }
}

/** Parses what `writeDetails` wrote. */
export function detailMembers(written: Uint8Array): Details {
  return JSON.parse(`{${Buffer.from(written).toString("utf8", 1)}}`);
}

function partWriter(part: DetailPart): Write {
  const { members, shape } = PARTS[part];
  const ofPart = Object.values<BlobSection>(BLOB).filter(
    ({ number }) => PART_OF_SECTION.get(number) === part,
  );
  if (shape === "list") return listOf(members, ofPart);
  // The texts of all its sections, one after the other.
  let count = 0;
  const sections = ofPart.map((section) => {
    const first = count;
    count += section.count;
    return { first, section };
  });
  const places = sections.flatMap(({ first, section }) =>
    Object.entries(section.text).map(([path, at]) => [path, first + at]),
  );
  const writers = writersOf(members, Object.fromEntries(places));
  const needed = shape === "nullable" ? Object.keys(writers) : [];
  const write = objectOf(writers, needed);
  return (details, out, before, nameOf) => {
    for (const { first, section } of sections) details.only(section, first);
    return write(details, out, before, nameOf);
  };
}

/** Writes the entries of sections. */
function listOf(members: Fields, sections: readonly BlobSection[]): Write {
  const entries = sections.flatMap((section) =>
    entriesOf(members, section).map((write) => ({ section, write })),
  );
  return (details, out, before, nameOf) => {
    out.raw(before);
    out.raw(LIST);
    let separator = NOTHING;
    for (const { section, write } of entries) {
      details.begin(section.number);
      while (details.next(section.count))
        if (write(details, out, separator, nameOf)) separator = COMMA;
    }
    out.raw(LIST_END);
    return true;
  };
}

/**
 * Makes the writers of the entries of a record. The provider's own row can have another organization name and another
 * person's name.
 */
function entriesOf(members: Fields, { number, text }: BlobSection): Write[] {
  const writers = writersOf(members, text);
  if (number !== BLOB.mainRowName.number) return [objectOf(writers, [])];
  const { type: code } = PARTS.other_names.members;
  const type = writerOf(code, text, "organization_type");
  return [
    objectOf({ ...writers, type, name: isNull }, ["organization_name"]),
    objectOf({ ...writers, organization_name: isNull }, ["name"]),
  ];
}

/** Writes an object; null if all its members in `needed` are, unless that is empty. */
function objectOf(writers: Writers, needed: readonly string[]): Write {
  const names = Object.keys(writers);
  const members = names.map((name) => ({
    write: writers[name]!,
    isNeeded: needed.includes(name),
  }));
  const keys = names.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);
  // What is between the value of one member, or the start, and that of a later one, or the end: those in the middle are null.
  const between = [...keys, "}"].map((_, from, all) =>
    all.map((_key, to) => constant(all.slice(from, to + 1).join("null"))),
  );
  return (details, out, before, nameOf) => {
    const start = out.length;
    let isObject = needed.length === 0;
    let from = between[0]!;
    out.raw(before);
    for (let at = 0; at < members.length; at++) {
      const { isNeeded, write } = members[at]!;
      if (!write(details, out, from[at]!, nameOf)) continue;
      from = between[at + 1]!;
      isObject ||= isNeeded;
    }
    if (isObject) out.raw(from[members.length]!);
    else out.truncate(start);
    return isObject;
  };
}

/** Makes the writers of members, whose texts have a prefix. */
function writersOf(members: Fields, places: Places, prefix = ""): Writers {
  const writers = Object.entries(members).map(([name, member]) => [
    name,
    writerOf(member, places, prefix + name),
  ]);
  return Object.fromEntries(writers);
}

/** Makes the writer of a member, whose text has the name `path`, or those of its members start with that. */
function writerOf(member: Member, places: Places, path: string): Write {
  const isStored = Object.keys(places).some((text) =>
    `${text}.`.startsWith(`${path}.`),
  );
  const isDerived = ["taxonomy_name", "address_type"].includes(member.kind);
  if (!isStored && !isDerived) return isNull;
  const next = (name: string) =>
    placeOf(places, path.slice(0, path.lastIndexOf(".") + 1) + name);
  switch (member.kind) {
    case "object": {
      const { members } = member.of;
      const writers = writersOf(members, places, `${path}.`);
      return objectOf(writers, Object.keys(writers));
    }
    case "taxonomy_name": {
      const code = next("code");
      return oneOf((details, nameOf) => nameOf(details.text(code) ?? ""));
    }
    case "address_type": {
      const [state, country] = [next("state"), next("country")];
      return oneOf((details) => json(details.addressType(state, country)));
    }
    case "code":
      return codeWriter(member, places, path);
    case "state": {
      const [state, country] = [next("state"), next("country")];
      const code = oneOf((details) => json(details.usState(state, country)));
      const text = textWriter(state, false);
      return (details, out, before, nameOf) =>
        code(details, out, before, nameOf) ||
        text(details, out, before, nameOf);
    }
    default:
      return TEXT_WRITERS[member.kind](placeOf(places, path));
  }
}

/** Writes a code and its meaning, null if unknown. */
function codeWriter(
  { codeLength = Infinity, meanings }: ValueMember,
  places: Places,
  path: string,
): Write {
  const text = placeOf(places, path);
  if (meanings === undefined) {
    const code = textWriter(text, false);
    const next = placeOf(places, `${path}.description`);
    return objectOf({ code, description: textWriter(next, false) }, ["code"]);
  }
  // These codes are ASCII.
  const known = Array.from(meanings, ([code, description]) => ({
    code: constant(code),
    value: constant(JSON.stringify({ code, description })),
  }));
  return oneOf((details) => {
    const { bytes, ends, starts } = details;
    const start = starts[text]!;
    const length = Math.min(ends[text]! - start, codeLength);
    if (length === 0) return null;
    for (const { code, value } of known)
      if (
        code.length === length &&
        code.every((byte, at) => bytes[start + at] === byte)
      )
        return value;
    const code = details.text(text)?.slice(0, codeLength);
    return constant(JSON.stringify({ code, description: null }));
  });
}

/** Writes one of few values, which are JSON already. */
function oneOf(
  valueOf: (details: DetailsView, nameOf: TaxonomyName) => Uint8Array | null,
): Write {
  return (details, out, before, nameOf) => {
    const value = valueOf(details, nameOf);
    if (value === null) return false;
    out.raw(before);
    out.raw(value);
    return true;
  };
}

function textWriter(text: number, isKey: boolean): Write {
  return ({ bytes, ends, starts }, out, before) => {
    const start = starts[text]!;
    const end = ends[text]!;
    if (start === end && !isKey) return false;
    out.raw(before);
    out.quoted(bytes, start, end);
    return true;
  };
}

function isNull(): boolean {
  return false;
}

function json(text: string | null): Uint8Array | null {
  if (text === null) return null;
  const known = jsonOfText.get(text);
  if (known !== undefined) return known;
  const value = constant(JSON.stringify(text));
  jsonOfText.set(text, value);
  return value;
}

/** Returns the byte of a text that has only one; else 0. */
function letter({ bytes, ends, starts }: DetailsView, text: number): number {
  const start = starts[text]!;
  return ends[text] === start + 1 ? bytes[start]! : 0;
}

function placeOf(places: Places, path: string): number {
  const place = places[path];
  if (place === undefined) throw new Error(`No text is called ${path}`);
  return place;
}
