import { Snapshot } from "../../../snapshot/snapshot.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  verifyDetails,
  verifyExtended,
} from "../../../snapshot/verify/verify-details.ts";
import { verifySnapshot } from "../../../snapshot/verify/verify.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder } from "../../data-folder.ts";
import { counted } from "../../output/format.ts";
import { ALL, DATA_DIR } from "../../settings/settings.ts";

export const snapshotsVerifyCommand: Command = {
  operands: NO_OPERANDS,
  settings: [ALL, DATA_DIR],
  summary:
    "Check the current snapshot, or all: every checksum, and that its parts are consistent.",
  details: [],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const all = reader.read(ALL);
    return (context) => Promise.resolve(verifySnapshots(dataDir, all, context));
  },
};

function verifySnapshots(
  dataDir: string,
  all: boolean,
  context: Context,
): ExitCode {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const store = new SnapshotStore(dataDir, { create: false });
  const current = store.currentId();
  const ids = all ? store.ids() : current === null ? [] : [current];
  if (ids.length === 0)
    return fail(
      context,
      `${dataDir} has no ${all ? "" : "current "}snapshot. Create one with import or demo.`,
    );
  let faulty = 0;
  for (const id of ids) {
    const check = checkSnapshot(store, id);
    if (check.faults.length === 0)
      context.out(`${id}: OK, ${counted(check.providers, "provider")}.`);
    else faulty++;
    for (const fault of check.faults) context.out(`${id}: ${fault}`);
  }
  if (faulty === 0) return 0;
  return fail(
    context,
    `${faulty === 1 ? "1 snapshot is" : `${faulty} snapshots are`} damaged. Run snapshots rollback, or import again.`,
  );
}

/** Checks a stored snapshot: one sentence for each fault. */
export function checkSnapshot(
  store: SnapshotStore,
  id: string,
): { providers: number; faults: string[] } {
  try {
    const checked = checkApart(store, id);
    const isSound = checked.faults.length === 0;
    const path = store.pathOf(id);
    return isSound
      ? { ...checked, faults: verifyExtended(path, store.detailsPathOf(id)) }
      : checked;
  } catch (error) {
    // A damaged file can throw any error, which is then the fault.
    return {
      providers: 0,
      faults: [error instanceof Error ? error.message : String(error)],
    };
  }
}

/** Checks the snapshot and its details. The snapshot's memory is free afterwards. */
function checkApart(
  store: SnapshotStore,
  id: string,
): ReturnType<typeof checkSnapshot> {
  using snapshot = new Snapshot(store.share(id));
  return {
    providers: snapshot.count,
    faults: [
      ...verifySnapshot(snapshot),
      ...verifyDetails(snapshot, store.detailsPathOf(id)),
    ],
  };
}
