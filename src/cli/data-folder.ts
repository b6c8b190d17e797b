import { databaseOf } from "../accounts/database/database.ts";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Accounts } from "../accounts/accounts.ts";
import { reasonOfFile } from "../accounts/database/sqlite-fault.ts";
import { IMPORT_LOCK_FILE, ImportLock } from "../importing/import-lock.ts";
import { firstFault } from "../registry/files/registry-file-error.ts";
import { fail, PROGRAM, type Context, type ExitCode } from "./command.ts";
import { SnapshotStore } from "../store/store.ts";
import type { ACCOUNTS } from "../settings/service-settings.ts";
import type { ValuesOf } from "../settings/setting.ts";
import { userInfo } from "node:os";

/** Why a data folder cannot be used, or null. A mistyped name must not create a new folder. */
export function missingFolder(path: string): string | null {
  const dataDir = resolve(path);
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return null;
  if (found !== undefined)
    return `${dataDir} is a file, not a folder. Set the data folder with --data-dir.`;
  return `There is no data folder ${dataDir}. Set --data-dir, or import a registry file first.`;
}

/** The snapshots of a data folder, for a command that may write there. Creates missing folders. */
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

/** Why a store has no current snapshot, and what to do. */
export function noCurrentSnapshot(store: SnapshotStore): string {
  const { dataDir } = store;
  if (store.ids().length === 0)
    return `${dataDir} has no current snapshot. Create one with import or demo.`;
  const id = store.currentId();
  return id === null
    ? `${dataDir} has snapshots, but none is marked as current. Run snapshots rollback to choose the newest.`
    : `The current snapshot ${id} is missing in ${dataDir}. Run snapshots rollback, or import again.`;
}

/** Where accounts are stored, and their plans. */
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
    actor: `operator ${operatorName()}: ${command}`,
    onWait: (message) => context.err(`${PROGRAM}: ${message}`),
  });
}

/** Runs `act` on existing accounts and returns its exit code, or 1 with a message if there are none. */
export async function withAccounts(
  place: AccountsPlace,
  command: string,
  context: Context,
  act: (accounts: Accounts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { databaseUrl, dataDir } = place;
  const missing = databaseUrl === null ? missingFolder(dataDir) : null;
  if (missing !== null) return fail(context, missing);
  await using accounts = await openAccountsFor(place, command, context);
  return await act(accounts);
}

/** Printed if another process has the import lock. */
export const IMPORT_RUNNING =
  "Another import or update is running on this data folder. Wait for it to finish, then try again.";

/** Runs `act` under the import lock. Null if another process has it. */
export async function withImportLock<T>(
  dataDir: string,
  act: () => Promise<T>,
): Promise<T | null> {
  using lock = takeLock(dataDir);
  if (lock === null) return null;
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

/** `file` is in the data folder, and what failed. */
function unusable(
  what: string,
  path: string,
  error: unknown,
  file: string,
): DataFolderError {
  return new DataFolderError(
    `Cannot use the ${what} ${path}: ${reasonOfFile(error, file)}`,
    { cause: error },
  );
}

/** Write errors have no path; name the data folder instead. */
function withPlace(error: unknown, dataDir: string): unknown {
  return error instanceof Error && "syscall" in error && !("path" in error)
    ? Object.assign(error, { path: dataDir })
    : error;
}

/** A file in the data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** The system user's name, or the user ID if it has none, as in many containers. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
