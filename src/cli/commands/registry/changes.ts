import { countAll, type ChangeSet } from "../../../changes/change.ts";
import { ChangeReader } from "../../../changes/change-reader.ts";
import { timeOfSnapshot } from "../../../changes/change-sets.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  changeJson,
  describeChange,
  describeSet,
  describeSetCounts,
} from "./change-lines.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder } from "../../data-folder.ts";
import { formatCount } from "../../output/format.ts";
import {
  DATA_DIR,
  JSON_OUTPUT,
  ONE_NPI,
  SINCE,
  WITH_DETAILS,
} from "../../settings/settings.ts";

/** Changes printed for each import as text. */
const SHOWN = 20;

interface Options {
  readonly dataDir: string;
  readonly json: boolean;
  /** A day, `YYYY-MM-DD`. */
  readonly since: string | null;
  readonly npi: string | null;
  readonly details: boolean;
}

export const changesCommand: Command = {
  operands: NO_OPERANDS,
  settings: [SINCE, ONE_NPI, WITH_DETAILS, JSON_OUTPUT, DATA_DIR],
  summary:
    "Show what each import changed: the providers, and each field's old and new value.",
  details: [
    `Prints the first ${SHOWN} changes of each import, or with --json all of them, one object per line. With --npi, prints all changes to one provider, and only the imports that changed it.`,
    "Imports that were rolled back are not shown.",
  ],
  prepare(reader) {
    const options: Options = {
      dataDir: reader.read(DATA_DIR),
      json: reader.read(JSON_OUTPUT),
      since: reader.read(SINCE),
      npi: reader.read(ONE_NPI),
      details: reader.read(WITH_DETAILS),
    };
    return (context) => Promise.resolve(showChanges(options, context));
  },
};

function showChanges(
  { dataDir, details, json, npi, since }: Options,
  context: Context,
): ExitCode {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const current = new SnapshotStore(dataDir, { create: false }).currentId();
  if (current === null)
    return fail(
      context,
      `${dataDir} has no current snapshot. Import a registry file first.`,
    );
  using reader = new ChangeReader(dataDir);
  const { origin, sets } = reader.lineage(current);
  const matching = sets.filter(({ appliedOn }) => appliedOn >= (since ?? ""));
  let isEmpty = true;
  for (const set of matching) {
    if (npi === null && !json) {
      showSet(reader, set, details, context);
      isEmpty = false;
      continue;
    }
    for (const change of reader.changes(set, npi, details)) {
      if (json) context.out(changeJson(set, change));
      else {
        context.out(describeSet(set));
        context.out(describeChange(change));
      }
      isEmpty = false;
    }
  }
  if (isEmpty && !json)
    context.out(
      `No changes${npi === null ? "" : ` to ${npi}`}${since === null ? "" : ` on or after ${since}`}. The list covers everything since the data of ${timeOfSnapshot(origin)}.`,
    );
  return 0;
}

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
