import { existsSync } from "node:fs";
import { MemorySections } from "../../../snapshot/container/memory-sections.ts";
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
  IMPORT_RUNS,
  missingFolder,
  withImportLock,
} from "../../data-folder.ts";
import { formatCount } from "../../output/format.ts";
import { DATA_DIR } from "../../settings/settings.ts";
import { checkSnapshot } from "./snapshots-verify.ts";

export const snapshotsRollbackCommand: Command = {
  words: ["snapshots", "rollback"],
  operands: NO_OPERANDS,
  settings: [DATA_DIR],
  summary:
    "Go back to the snapshot before the current one; a running service follows within five seconds.",
  details: [
    "The one that was current stays, until later imports make it superfluous. A damaged snapshot is not gone back to.",
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
    Promise.resolve(rollBackAlone(store, context)),
  );
  return code ?? fail(context, IMPORT_RUNS);
}

function rollBackAlone(store: SnapshotStore, context: Context): ExitCode {
  const from = store.currentId();
  const to = store.previousId();
  if (from === null && to === null)
    return fail(
      context,
      `${store.dataDir} holds no current snapshot: make one with import or demo.`,
    );
  if (to === null)
    return fail(
      context,
      `There is no snapshot before ${from}: import the files again to change what is served.`,
    );
  const { faults, providers } = checkSnapshot(store, to);
  const [fault] = faults;
  if (fault !== undefined)
    return fail(
      context,
      `The snapshot before, ${to}, is damaged (${fault.replace(/\.$/, "")}): import again instead.`,
    );
  if (from !== null && isDamaged(store, from)) {
    store.makeCurrent(to, context.now());
    context.out(
      `${to} with ${formatCount(providers)} providers is current again; before it was ${from}, which is damaged. The next update imports its files again.`,
    );
    return 0;
  }
  const isRemembered = store.rollBackTo(to, context.now());
  context.out(
    `${to} with ${formatCount(providers)} providers is current again; before it was ${from ?? "none"}.`,
  );
  if (!isRemembered)
    context.err(
      `${PROGRAM}: warning: The disk of ${store.dataDir} is too full to remember this: an update may import again what you went back from. Free some space and switch updates off until that is mended.`,
    );
  return 0;
}

/** Whether bytes of a snapshot changed since it was made: then its files are not what the operator goes back from. */
function isDamaged(store: SnapshotStore, id: string): boolean {
  try {
    return new MemorySections(store.read(id)).corruptSections().length > 0;
  } catch (error) {
    if (error instanceof SnapshotFormatError || !existsSync(store.pathOf(id)))
      return true;
    throw error;
  }
}
