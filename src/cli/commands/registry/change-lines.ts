import {
  CHANGE_KINDS,
  changedDetailsList,
  type Change,
  type ChangeCounts,
  type ChangeSet,
} from "../../../changes/change.ts";
import { formatCount } from "../../output/format.ts";
import { printable } from "../../output/printable.ts";

const NONE = "(none)";

/** `1,204 added, 30 deactivated`. */
export function describeCounts(counts: ChangeCounts): string {
  const parts = CHANGE_KINDS.filter((kind) => counts[kind] > 0).map(
    (kind) => `${formatCount(counts[kind])} ${kind}`,
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** The import of a list of changes: `2026-11-16  npidata_pfile_20261109-20261115.csv, data through 2026-11-15`. */
export function describeSet({ appliedOn, dataDate, file }: ChangeSet): string {
  return `${appliedOn}  ${file}${dataDate === null ? "" : `, data through ${dataDate}`}`;
}

/** How many changes an import made, and whether the list starts with it. */
export function describeSetCounts({
  base,
  counts,
  isListed,
}: ChangeSet): string {
  if (base === null) return "the list starts with this import";
  return `${describeCounts(counts)}${isListed ? "" : "; too many to list, so the list starts over with this import"}`;
}

/** One change: the NPI, the kind, and each field's old and new value. */
export function describeChange(change: Change): string {
  const { details = {}, fields, kind, npi } = change;
  const values = Object.entries(fields).map(
    ([path, [before, after]]) =>
      `${path} ${printable(before ?? NONE)} → ${printable(after ?? NONE)}`,
  );
  for (const [path, [before, after]] of Object.entries(details))
    values.push(`${path} ${shown(before)} → ${shown(after)}`);
  return `  ${npi} ${kind}${values.length === 0 ? "" : `: ${values.join("; ")}`}`;
}

function shown(value: unknown): string {
  if (value === null) return NONE;
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** One change as a line of JSON. */
export function changeJson(set: ChangeSet, change: Change): string {
  const { appliedOn, dataDate, file, snapshot } = set;
  const { details, fields, kind, npi } = change;
  return JSON.stringify({
    npi,
    kind,
    date: appliedOn,
    data_date: dataDate,
    file,
    snapshot,
    fields: Object.fromEntries(
      Object.entries(fields).map(([path, [before, after]]) => [
        path,
        { old: before, new: after },
      ]),
    ),
    ...(details === undefined ? {} : { details: changedDetailsList(details) }),
  });
}
