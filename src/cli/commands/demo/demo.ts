import type { DetailPart } from "../../../contract/detail-parts.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import { buildDemo } from "./build-demo.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  IMPORT_RUNNING,
  openSnapshots,
  withImportLock,
  pruneSnapshots,
} from "../../data-folder.ts";
import { formatCount, formatSeconds } from "../../output/format.ts";
import {
  DATA_DIR,
  DETAILS,
  FORCE,
  KEEP_SNAPSHOTS,
  PROVIDERS,
} from "../../settings/settings.ts";

interface Options {
  readonly dataDir: string;
  readonly providers: number;
  readonly details: ReadonlySet<DetailPart>;
  readonly force: boolean;
  readonly keepSnapshots: number;
}

export const demoCommand: Command = {
  operands: NO_OPERANDS,
  settings: [DATA_DIR, PROVIDERS, DETAILS, FORCE, KEEP_SNAPSHOTS],
  summary: "Fill the data folder with invented providers, marked as a demo.",
  details: [
    "Invented providers are never mixed with real ones: importing a registry file replaces them.",
  ],
  prepare(reader) {
    const options: Options = {
      dataDir: reader.read(DATA_DIR),
      providers: reader.read(PROVIDERS),
      details: reader.read(DETAILS),
      force: reader.read(FORCE),
      keepSnapshots: reader.read(KEEP_SNAPSHOTS),
    };
    return (context) => demo(options, context);
  },
};

async function demo(
  { dataDir, details, force, keepSnapshots, providers }: Options,
  context: Context,
): Promise<ExitCode> {
  const store = openSnapshots(dataDir);
  const code = await withImportLock(dataDir, async (): Promise<ExitCode> => {
    if (!force && holdsRealData(store)) {
      return fail(
        context,
        `${dataDir} contains registry data. Choose another folder with --data-dir, or use --force to replace the data.`,
      );
    }
    const { report, seconds } = await buildDemo(
      store,
      { providers, details },
      context,
    );
    context.out(
      `${formatCount(report.counts?.providers ?? report.rows)} invented providers imported in ${formatSeconds(seconds)}.`,
    );
    pruneSnapshots(store, keepSnapshots, context);
    return 0;
  });
  return code ?? fail(context, IMPORT_RUNNING);
}

/**
 * An unreadable current snapshot counts as real, because it may be worth repairing. So does any snapshot if none is
 * current.
 */
function holdsRealData(store: SnapshotStore): boolean {
  const all = store.list();
  const current = all.find(({ isCurrent }) => isCurrent);
  const counted = current === undefined ? all : [current];
  return counted.some(({ metadata }) => metadata?.demo !== true);
}
