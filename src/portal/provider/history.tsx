import type { HistoryEntry } from "../../contract/explorer/notes.ts";
import { useTaxonomyName } from "../explorer/hooks.ts";
import { formatDay, fullName, placeText } from "../format.ts";
import { FactsList } from "./fields.tsx";
import { labelOf, SEXES, TYPES } from "./labels.ts";
import styles from "./provider.module.css";
import { naturalCase, type NameKind } from "../../text/natural-case.ts";
import { phoneText, postalCode } from "./contact-text.ts";

const KINDS: Readonly<Record<HistoryEntry["kind"], string>> = {
  added: "Added to the registry",
  changed: "Changed",
  deactivated: "Deactivated",
  reactivated: "Reactivated",
  removed: "Removed from the registry",
};
const SPECIALTY = "primary_taxonomy.code";

type Field = HistoryEntry["fields"][number];

/** Lists the changes by imports, by date, newest first, in the words of the record's page. */
export function History({
  entries,
}: {
  readonly entries: readonly HistoryEntry[];
}) {
  if (entries.length === 0)
    return <p className="hint">No changes recorded yet.</p>;
  const days = [...new Set(entries.map(({ date }) => date))];
  return (
    <ol className={styles.history}>
      {days.map((day) => (
        <li key={day}>
          <h3>
            <time dateTime={day}>{formatDay(day)}</time>
          </h3>
          {entries
            .filter(({ date }) => date === day)
            .map((entry, place) => ({ entry, place }))
            .map(({ entry: { fields, kind }, place }) => (
              <div key={place}>
                {(kind !== "changed" || fields.length === 0) && (
                  <p>{KINDS[kind]}</p>
                )}
                <Fields fields={fields} />
              </div>
            ))}
        </li>
      ))}
    </ol>
  );
}

function Fields({ fields }: { readonly fields: readonly Field[] }) {
  const paths = new Set(fields.map(({ field }) => field));
  // The meaning of a code says more than the code.
  const shown = fields.filter(
    ({ field }) =>
      !field.endsWith(".code") ||
      !paths.has(`${field.slice(0, -".code".length)}.description`),
  );
  if (shown.length === 0) return null;
  return (
    <FactsList
      facts={shown.map((change) => [
        labelOf(change.field),
        <Change key="change" change={change} />,
        change.field,
      ])}
    />
  );
}

function Change({ change: { field, new: after, old } }: { change: Field }) {
  if (Array.isArray(old) || Array.isArray(after))
    return (
      <>
        <Entries title="Removed" entries={old} field={field} />
        <Entries title="Added" entries={after} field={field} />
      </>
    );
  if (old === null && after === null) return "Changed";
  if (field === SPECIALTY)
    return (
      <>
        <del>
          <Specialty code={old} />
        </del>{" "}
        → <Specialty code={after} />
      </>
    );
  return (
    <>
      <del>
        <bdi>{valueText(field, old) ?? "none"}</bdi>
      </del>{" "}
      → <bdi>{valueText(field, after) ?? "none"}</bdi>
    </>
  );
}

function Entries({
  entries,
  field,
  title,
}: {
  readonly title: string;
  readonly field: string;
  readonly entries: unknown;
}) {
  if (!Array.isArray(entries)) return null;
  const numbered = entries.map((entry: unknown, place) => ({ entry, place }));
  return numbered.map(({ entry, place }) => (
    <p key={place}>
      {title}: {field === "taxonomies" && <SpecialtyOf entry={entry} />}
      <bdi>{entryText(entry)}</bdi>
    </p>
  ));
}

/** Names the specialty of a taxonomy, before its license. */
function SpecialtyOf({ entry }: { readonly entry: unknown }) {
  const code: unknown = Reflect.get(Object(entry), "code");
  return (
    <>
      <Specialty code={code} />{" "}
    </>
  );
}

/** Shows a specialty by its name; by its code while that loads, or if it has none. */
function Specialty({ code }: { readonly code: unknown }) {
  const known = typeof code === "string" ? code : null;
  const name = useTaxonomyName(known);
  return known === null ? "none" : <bdi>{name ?? known}</bdi>;
}

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
function valueText(path: string, value: unknown): string | null {
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
function entryText(entry: unknown): string {
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
