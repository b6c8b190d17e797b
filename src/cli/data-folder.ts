import { databaseOf } from "../accounts/database/database.ts";
import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { Accounts } from "../accounts/accounts.ts";
import { reasonOfFile } from "../accounts/database/sqlite-fault.ts";
import { IMPORT_LOCK_FILE, ImportLock } from "../importing/import-lock.ts";
import { firstFault } from "../registry/files/registry-file-error.ts";
import { ACCOUNTS } from "../settings/service-settings.ts";
import type { Setting, ValuesOf } from "../settings/setting.ts";
import { SnapshotStore } from "../store/store.ts";
import {
  CommandError,
  NO_OPERANDS,
  PROGRAM,
  type Command,
  type Context,
  type Described,
  type ExitCode,
} from "./command.ts";

/** Fails if there is no data folder: a mistyped name must not create a new one. */
export function requireFolder(path: string): void {
  const dataDir = resolve(path);
  const entry = statSync(dataDir, { throwIfNoEntry: false });
  if (entry === undefined)
    throw new CommandError(
      `There is no data folder ${dataDir}. Set --data-dir, or import a registry file first.`,
    );
  if (!entry.isDirectory())
    throw new CommandError(
      `${dataDir} is a file, not a folder. Set the data folder with --data-dir.`,
    );
}

/** Opens the snapshots of an existing data folder, to read them. */
export function storeIn(dataDir: string): SnapshotStore {
  requireFolder(dataDir);
  return new SnapshotStore(dataDir, { create: false });
}

/** Opens the snapshots of a data folder, for a command that may write there. Creates missing folders. */
export function openSnapshots(dataDir: string): SnapshotStore {
  try {
    return new SnapshotStore(dataDir);
  } catch (error) {
    throw unusable("data folder", dataDir, error, join(dataDir, "snapshots"));
  }
}

/** Removes all but `keep` snapshots after an import, which has succeeded even if one cannot be removed. */
export function pruneSnapshots(
  store: SnapshotStore,
  keep: number,
  context: Context,
): void {
  const ids = store.prune(keep, context.now(), (error, id) =>
    context.err(
      `${PROGRAM}: warning: The new snapshot is current, but the older ${id} could not be removed: ${reasonOfFile(error, store.pathOf(id))}`,
    ),
  );
  if (ids.length > 0)
    context.out(`  removed older snapshots: ${ids.join(", ")}`);
}

/** Makes the error for a store without a current snapshot, with what to do. */
export function noCurrentSnapshot(store: SnapshotStore): CommandError {
  const { dataDir } = store;
  const id = store.currentId();
  return new CommandError(
    store.ids().length === 0
      ? `${dataDir} has no current snapshot. Create one with import or demo.`
      : id === null
        ? `${dataDir} has snapshots, but none is marked as current. Run snapshots rollback to choose the newest.`
        : `The current snapshot ${id} is missing in ${dataDir}. Run snapshots rollback, or import again.`,
  );
}

/** The place of the accounts, and their plans. */
export type AccountsPlace = ValuesOf<typeof ACCOUNTS>;

/** Opens the accounts for a command, which the audit log names. Creates the data folder if needed. */
export async function openAccountsFor(
  place: AccountsPlace,
  command: string,
  context: Context,
): Promise<Accounts> {
  // Loaded here: a command that needs no accounts starts in half the time.
  const { openAccounts } = await import("../accounts/accounts.ts");
  const { now, random } = context;
  return await openAccounts({
    place: databaseOf(place),
    plans: place.plans,
    clock: now,
    random,
    actor: operator(command),
    onWait: (message) => context.err(`${PROGRAM}: ${message}`),
  });
}

/** Names who runs a command, for the audit log. Without a name, as in many containers, the user has an ID. */
export function operator(command: string): string {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    name = String(process.getuid?.() ?? "unknown");
  }
  return `operator ${name}: ${command}`;
}

/** Makes a command of an action on existing accounts, with ACCOUNTS after its own settings. */
export function accountsCommand<Values extends object>(
  words: string,
  {
    details = [],
    operands = NO_OPERANDS,
    options,
    run,
    summary,
  }: Described<Values> & {
    readonly run: (
      accounts: Accounts,
      values: Values & AccountsPlace,
      context: Context,
      operands: readonly string[],
    ) => Promise<ExitCode | void>;
  },
): Command {
  return {
    operands,
    settings: [
      ...Object.values<Setting<unknown>>(options),
      ...Object.values(ACCOUNTS),
    ],
    summary,
    details,
    prepare(reader, given) {
      const place = reader.readAll(ACCOUNTS);
      const values = { ...reader.readAll(options), ...place };
      return async (context) => {
        if (place.databaseUrl === null) requireFolder(place.dataDir);
        await using accounts = await openAccountsFor(place, words, context);
        return (await run(accounts, values, context, given)) ?? 0;
      };
    },
  };
}

/** Runs `act` under the import lock. Fails if another process has it. */
export async function withImportLock<T>(
  dataDir: string,
  act: () => T | Promise<T>,
): Promise<T> {
  using lock = takeLock(dataDir);
  if (lock === null)
    throw new CommandError(
      "Another import or update is running on this data folder. Wait for it to finish, then try again.",
    );
  try {
    return await act();
  } catch (error) {
    throw withPlace(firstFault(error), dataDir);
  }
}

function takeLock(dataDir: string): ImportLock | null {
  try {
    return ImportLock.take(dataDir);
  } catch (error) {
    const file = join(dataDir, IMPORT_LOCK_FILE);
    throw unusable("import lock", file, error, file);
  }
}

/** Makes the error for a part of the data folder; `file` failed. */
function unusable(
  part: string,
  path: string,
  error: unknown,
  file: string,
): CommandError {
  return new CommandError(
    `Cannot use the ${part} ${path}: ${reasonOfFile(error, file)}`,
  );
}

/** Names the data folder in write errors, which have no path. */
function withPlace(error: unknown, dataDir: string): unknown {
  return error instanceof Error && "syscall" in error && !("path" in error)
    ? Object.assign(error, { path: dataDir })
    : error;
}
