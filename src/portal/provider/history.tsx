import type { HistoryEntry } from "../../contract/explorer/history.ts";
import { formatDay } from "../format.ts";
import styles from "./provider.module.css";

const KINDS: Readonly<Record<HistoryEntry["kind"], string>> = {
  added: "Added",
  changed: "Changed",
  deactivated: "Deactivated",
  reactivated: "Reactivated",
  removed: "Removed",
};

/** What imports changed, newest first, in the registry's own spelling. */
export function History({
  entries,
}: {
  readonly entries: readonly HistoryEntry[];
}) {
  return (
    <ol className={styles.history}>
      {entries.map(({ date, fields, kind }) => (
        <li key={date + kind}>
          <p>
            <strong>{KINDS[kind]}</strong>{" "}
            <time dateTime={date}>{formatDay(date)}</time>
          </p>
          {fields.length > 0 && (
            <ul>
              {fields.map(({ field, new: after, old }) => (
                <li key={field}>
                  {labelOf(field)}: {changeText(old, after)}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

/** `practice_address.postal_code` as `Practice address, postal code`. */
function labelOf(field: string): string {
  const text = field.replaceAll(".", ", ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function changeText(before: unknown, after: unknown) {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [gone, come] = [before, after].map((list) =>
      Array.isArray(list) ? list.length : 0,
    );
    return `${gone} removed, ${come} added`;
  }
  if (before === null && after === null) return "changed";
  return (
    <>
      <del>{valueText(before)}</del> → <ins>{valueText(after)}</ins>
    </>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
