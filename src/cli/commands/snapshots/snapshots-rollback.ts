import { existsSync } from "node:fs";
import { Snapshot } from "../../../snapshot/snapshot.ts";
import { SnapshotFormatError } from "../../../snapshot/container/section-file.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  NO_OPERANDS,
  PROGRAM,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  IMPORT_RUNNING,
  missingFolder,
  withImportLock,
} from "../../data-folder.ts";
import { counted } from "../../output/format.ts";
import { DATA_DIR } from "../../settings/settings.ts";
import { checkSnapshot } from "./snapshots-verify.ts";

export const snapshotsRollbackCommand: Command = {
  operands: NO_OPERANDS,
  settings: [DATA_DIR],
  summary:
    "Go back to the previous snapshot; a running service switches within five seconds.",
  details: [
    "The snapshot that was current is kept until later imports replace it. Never goes back to a damaged snapshot.",
  ],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    return (context) => rollBack(dataDir, context);
  },
};

async function rollBack(dataDir: string, context: Context): Promise<ExitCode> {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const store = new SnapshotStore(dataDir);
  const code = await withImportLock(dataDir, () =>
    Promise.resolve(rollBackLocked(store, context)),
  );
  return code ?? fail(context, IMPORT_RUNNING);
}

function rollBackLocked(store: SnapshotStore, context: Context): ExitCode {
  const from = store.currentId();
  const to = store.previousId();
  if (from === null && to === null)
    return fail(
      context,
      `${store.dataDir} has no current snapshot. Create one with import or demo.`,
    );
  if (to === null)
    return fail(
      context,
      `There is no snapshot before ${from}. To change the served data, import the files again.`,
    );
  const { faults, providers } = checkSnapshot(store, to);
  const [fault] = faults;
  if (fault !== undefined)
    return fail(
      context,
      `The previous snapshot ${to} is damaged (${fault.replace(/\.$/, "")}). Import the files again instead.`,
    );
  if (from !== null && isDamaged(store, from)) {
    store.makeCurrent(to, context.now());
    context.out(
      `Rolled back to ${to} (${counted(providers, "provider")}) from ${from}, which is damaged. The next update imports its files again.`,
    );
    return 0;
  }
  const isRemembered = store.rollBackTo(to, context.now());
  context.out(
    `Rolled back to ${to} (${counted(providers, "provider")}) from ${from ?? "none"}.`,
  );
  if (!isRemembered)
    context.err(
      `${PROGRAM}: warning: The disk of ${store.dataDir} is too full to record this rollback, so an update may import the same files again. Free some space, and turn updates off until you have.`,
    );
  return 0;
}

/** True if a snapshot's bytes are corrupt: then the rollback is from the damage, not from its files. */
function isDamaged(store: SnapshotStore, id: string): boolean {
  try {
    using snapshot = new Snapshot(store.share(id));
    return snapshot.corruptSections().length > 0;
  } catch (error) {
    if (error instanceof SnapshotFormatError || !existsSync(store.pathOf(id)))
      return true;
    throw error;
  }
}
