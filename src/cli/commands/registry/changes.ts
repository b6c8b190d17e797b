import {
  CHANGE_KINDS,
  changedDetailsList,
  countAll,
  type Change,
  type ChangeCounts,
  type ChangeSet,
} from "../../../changes/change.ts";
import { ChangeReader } from "../../../changes/change-reader.ts";
import { timeOfSnapshot } from "../../../changes/change-sets.ts";
import { command, CommandError, type Context } from "../../command.ts";
import { storeIn } from "../../data-folder.ts";
import { formatCount, printable } from "../../output/format.ts";
import {
  DATA_DIR,
  JSON_OUTPUT,
  ONE_NPI,
  SINCE,
  WITH_DETAILS,
} from "../../settings/settings.ts";

/** Changes printed for each import as text. */
const SHOWN = 20;
const NONE = "(none)";

export const changesCommand = command({
  summary:
    "Show what each import changed: the providers, and each field's old and new value.",
  details: [
    `Prints the first ${SHOWN} changes of each import, or with --json all of them, one object per line. With --npi, prints all changes to one provider, and only the imports that changed it.`,
    "Imports that were rolled back are not shown.",
  ],
  options: {
    since: SINCE,
    npi: ONE_NPI,
    details: WITH_DETAILS,
    json: JSON_OUTPUT,
    dataDir: DATA_DIR,
  },
  run({ dataDir, details, json, npi, since }, context) {
    const current = storeIn(dataDir).currentId();
    if (current === null)
      throw new CommandError(
        `${dataDir} has no current snapshot. Import a registry file first.`,
      );
    using reader = new ChangeReader(dataDir);
    const { origin, sets } = reader.lineage(current);
    let isEmpty = true;
    for (const set of sets) {
      if (set.appliedOn < (since ?? "")) continue;
      if (npi === null && !json) {
        showSet(reader, set, details, context);
        isEmpty = false;
        continue;
      }
      for (const change of reader.changes(set, npi, details)) {
        context.out(
          json
            ? changeJson(set, change)
            : `${describeSet(set)}\n${describeChange(change)}`,
        );
        isEmpty = false;
      }
    }
    if (isEmpty && !json)
      context.out(
        `No changes${npi === null ? "" : ` to ${npi}`}${since === null ? "" : ` on or after ${since}`}. The list covers everything since the data of ${timeOfSnapshot(origin)}.`,
      );
  },
});

function showSet(
  reader: ChangeReader,
  set: ChangeSet,
  details: boolean,
  context: Context,
): void {
  context.out(`${describeSet(set)}: ${describeSetCounts(set)}`);
  let shown = 0;
  for (const change of reader.changes(set, null, details)) {
    if (shown === SHOWN) {
      const left = formatCount(countAll(set.counts) - shown);
      context.out(
        `  and ${details ? "" : `${left} `}more; use --json to print all`,
      );
      break;
    }
    context.out(describeChange(change));
    shown++;
  }
}

/** Describes how many changes there are: `1,204 added, 30 deactivated`. */
export function describeCounts(counts: ChangeCounts): string {
  const parts = CHANGE_KINDS.filter((kind) => counts[kind] > 0).map(
    (kind) => `${formatCount(counts[kind])} ${kind}`,
  );
  return parts.length === 0 ? "none" : parts.join(", ");
}

/**
 * Describes the import of a list of changes: `2026-11-16 npidata_pfile_20261109-20261115.csv, data through 2026-11-15`.
 */
function describeSet({ appliedOn, dataDate, file }: ChangeSet): string {
  return `${appliedOn}  ${file}${dataDate === null ? "" : `, data through ${dataDate}`}`;
}

/** Counts the changes of an import, or says that the list starts with it. */
function describeSetCounts({ base, counts, isListed }: ChangeSet): string {
  if (base === null) return "the list starts with this import";
  return `${describeCounts(counts)}${isListed ? "" : "; too many to list, so the list starts over with this import"}`;
}

/** Describes a change: the NPI, the kind, and each field's old and new value. */
function describeChange(change: Change): string {
  const { details = {}, fields, kind, npi } = change;
  const values = Object.entries(fields).map(
    ([path, [before, after]]) =>
      `${path} ${printable(before ?? NONE)} → ${printable(after ?? NONE)}`,
  );
  for (const [path, [before, after]] of Object.entries(details))
    values.push(`${path} ${valueText(before)} → ${valueText(after)}`);
  return `  ${npi} ${kind}${values.length === 0 ? "" : `: ${values.join("; ")}`}`;
}

function valueText(value: unknown): string {
  if (value === null) return NONE;
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** Makes a line of JSON of a change. */
function changeJson(set: ChangeSet, change: Change): string {
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
