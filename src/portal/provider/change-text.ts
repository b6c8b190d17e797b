import { naturalCase, type NameKind } from "../../text/natural-case.ts";
import { formatDay, fullName, placeText } from "../format.ts";
import { phoneText, postalCode } from "./contact-text.ts";
import { SEXES, TYPES } from "./labels.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const NAMES: Readonly<Record<string, NameKind>> = {
  address_1: "address",
  address_2: "address",
  city: "city",
  first: "person",
  middle: "person",
  last: "person",
  prefix: "person",
  suffix: "person",
  name_prefix: "person",
  name_suffix: "person",
  organization_name: "organization",
  parent_organization: "organization",
  title: "organization",
};
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sex: SEXES,
  entity_type: TYPES,
  status: { active: "Active", deactivated: "Deactivated" },
};

/** Writes a value of a field as the record's page does; null if there is none. */
export function valueText(path: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string") return JSON.stringify(value);
  const member = path.slice(path.lastIndexOf(".") + 1);
  if (DAY.test(value)) return formatDay(value);
  if (member === "phone" || member === "fax") return phoneText(value);
  if (member === "postal_code") return postalCode(value);
  const meaning = MEANINGS[member]?.[value];
  if (meaning !== undefined) return meaning;
  const kind = NAMES[member];
  return kind === undefined ? value : naturalCase(value, kind);
}

/** Writes an entry of one of a record's lists in a line; of a taxonomy only its license. */
export function entryText(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return String(entry);
  const text = (name: string): string | null =>
    valueText(name, Reflect.get(entry, name));
  const name = Reflect.get(entry, "name");
  const isPerson = typeof name === "object" && name !== null;
  const place = placeText(text("city"), text("state"));
  const parts = [
    isPerson ? fullName({ ...NO_NAME, ...name }) : text("organization_name"),
    Reflect.has(entry, "code") ? null : text("description"),
    text("license_number"),
    text("license_state"),
    text("identifier"),
    text("issuer"),
    text("address"),
    text("address_1"),
    text("address_2"),
    place === "" || text("address_1") === null ? null : place,
    text("postal_code"),
    text("phone"),
  ];
  return parts.filter(Boolean).join(", ");
}

const NO_NAME = {
  prefix: null,
  first: null,
  middle: null,
  last: null,
  suffix: null,
  credential: null,
};
