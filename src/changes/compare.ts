import { maskText } from "../registry/files/social-security-numbers.ts";
import type { Provider } from "../contract/provider.ts";
import type { Change, ChangedFields, ChangeKind } from "./change.ts";
import { withoutGone, type DetailComparer } from "./detail-changes.ts";
import type { SnapshotRecord, RecordsByNpi } from "./snapshot-records.ts";

/** Yields the changes of NPIs, ascending, with those of details if `details` compares them. Skips NPIs without any. */
export function* changesOf(
  before: RecordsByNpi,
  after: RecordsByNpi,
  npis: Uint32Array,
  details: DetailComparer | null = null,
): Generator<Change> {
  for (const npi of npis) {
    const change = changeOf(
      String(npi),
      before.of(npi),
      after.of(npi),
      details,
    );
    if (change !== null) yield change;
  }
}

function changeOf(
  npi: string,
  was: SnapshotRecord | null,
  is: SnapshotRecord | null,
  comparer: DetailComparer | null,
): Change | null {
  if (was === null)
    return is === null ? null : { npi, kind: "added", fields: {} };
  if (is === null) return { npi, kind: "removed", fields: {} };
  const changed = comparer?.changed(was.details, is.details) ?? null;
  // What is withheld isn't shown as an old value, either.
  const details =
    changed !== null && is.isWithheld ? withoutGone(changed) : changed;
  const fields =
    was.json === is.json
      ? {}
      : changedFields(JSON.parse(was.json), JSON.parse(is.json));
  const kind = kindOf(was, is);
  if (details !== null) return { npi, kind, fields, details };
  return kind === "changed" && Object.keys(fields).length === 0
    ? null
    : { npi, kind, fields };
}

function kindOf(was: SnapshotRecord, is: SnapshotRecord): ChangeKind {
  if (was.isDeactivated === is.isDeactivated) return "changed";
  return was.isDeactivated ? "reactivated" : "deactivated";
}

type Text = string | null;
/** A record, or a part of one. */
type Members = Readonly<Record<string, unknown>>;

const NAME_OF_TAXONOMY = "primary_taxonomy.description";

/**
 * Compares the fields of two records of one provider. A part that is null counts as one with only null members.
 * Taxonomy names are not part of the registry's record. Social Security numbers that an earlier version imported are
 * masked.
 */
function changedFields(before: Provider, after: Provider): ChangedFields {
  const changed: Record<string, [Text, Text]> = {};
  addChanged(changed, "", { ...before }, { ...after });
  return changed;
}

function addChanged(
  changed: Record<string, [Text, Text]>,
  prefix: string,
  before: Members | null,
  after: Members | null,
): void {
  for (const member of Object.keys(after ?? before ?? {})) {
    const was = before?.[member] ?? null;
    const is = after?.[member] ?? null;
    if (was === is) continue;
    const path = prefix + member;
    if (isPart(was) || isPart(is))
      addChanged(
        changed,
        `${path}.`,
        isPart(was) ? was : null,
        isPart(is) ? is : null,
      );
    else if (path !== NAME_OF_TAXONOMY) {
      const texts: [Text, Text] = [textOf(was), textOf(is)];
      if (texts[0] !== texts[1]) changed[path] = texts;
    }
  }
}

function isPart(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): Text {
  return typeof value === "string" ? maskText(value) : null;
}
