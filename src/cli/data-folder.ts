import { databaseOf } from "../accounts/database/database.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openAccounts, type Accounts } from "../accounts/accounts.ts";
import { reasonOfFile } from "../accounts/database/sqlite-fault.ts";
import { IMPORT_LOCK_FILE, ImportLock } from "../importing/import-lock.ts";
import { fail, type Context, type ExitCode } from "./command.ts";
import type { ACCOUNTS } from "../settings/service-settings.ts";
import type { ValuesOf } from "../settings/setting.ts";
import { userInfo } from "node:os";

/** Why a command over existing data cannot work on a folder; null when it can. A mistyped name must not make a new folder. */
export function missingFolder(dataDir: string): string | null {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return null;
  if (found !== undefined)
    return `${dataDir} is a file, not a folder. Set the data folder with --data-dir.`;
  return `There is no data folder ${dataDir}. Set --data-dir, or import a registry file first.`;
}

/** Where accounts are, and the plans that they may have. */
export type AccountsPlace = ValuesOf<typeof ACCOUNTS>;

/** Opens accounts for a command, whose words go into the audit log; a data folder is made when it is not there. */
export function openAccountsFor(
  place: AccountsPlace,
  command: string,
  { now, random }: Context,
): Promise<Accounts> {
  return openAccounts({
    place: databaseOf(place),
    plans: place.plans,
    clock: now,
    random,
    actor: `operator ${operatorName()}: ${command}`,
  });
}

/** Does something with accounts that are there, and ends with its exit code, or with 1 and a sentence where they are not. */
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

/** What to say when the import lock is held by somebody else. */
export const IMPORT_RUNS =
  "Another import or update is running on this data folder. Wait for it to finish, then try again.";

/** Does something that changes the snapshots of a folder, under the import lock; null when another process holds it. */
export async function withImportLock<T>(
  dataDir: string,
  act: () => Promise<T>,
): Promise<T | null> {
  using lock = takeLock(dataDir);
  if (lock === null) return null;
  try {
    return await act();
  } catch (error) {
    throw withPlace(error, dataDir);
  }
}

function takeLock(dataDir: string): ImportLock | null {
  try {
    return ImportLock.take(dataDir);
  } catch (error) {
    const file = join(dataDir, IMPORT_LOCK_FILE);
    throw new DataFolderError(
      `Cannot use the import lock ${file}: ${reasonOfFile(error, file)}`,
      { cause: error },
    );
  }
}

/** The system does not say which file a write was for; then it was one of the data folder. */
function withPlace(error: unknown, dataDir: string): unknown {
  return error instanceof Error && "syscall" in error && !("path" in error)
    ? Object.assign(error, { path: dataDir })
    : error;
}

/** A file of the data folder cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** The system's name of the user who runs the program; a number without a name, as in many containers. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
