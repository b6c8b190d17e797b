import type { HistoryEntry } from "../../contract/explorer/notes.ts";
import { useTaxonomyName } from "../explorer/hooks.ts";
import { formatDay } from "../format.ts";
import { entryText, valueText } from "./change-text.ts";
import { FactsList } from "./fields.tsx";
import { labelOf } from "./labels.ts";
import styles from "./provider.module.css";

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
