import { statSync } from "node:fs";
import { join } from "node:path";
import { openAccounts, type Accounts } from "../accounts/accounts.ts";
import { ACCOUNTS_FILE } from "../accounts/database.ts";
import type { Plans } from "../accounts/plans.ts";
import { ImportLock } from "../snapshot/import-lock.ts";
import type { Context } from "./command.ts";

/** Why a command over existing data cannot work on a folder; null when it can. A mistyped name must not make a new folder. */
export function missingFolder(dataDir: string): string | null {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true)
    return null;
  return `There is no data folder ${dataDir}: name the right one with --data-dir, or import a registry file first.`;
}

/** Opens the accounts of a data folder; both are made when they are not there. */
export function openFolderAccounts(
  dataDir: string,
  plans: Plans,
  { now, random }: Context,
): Promise<Accounts> {
  return openAccounts({
    file: join(dataDir, ACCOUNTS_FILE),
    plans,
    clock: now,
    random,
  });
}

/** What to say when the import lock is held by somebody else. */
export const IMPORT_RUNS =
  "Another import or update works on this data folder: wait until it is done.";

/** Does something that changes the snapshots of a folder, alone; null when somebody else is changing them. */
export async function withImportLock<T>(
  dataDir: string,
  act: () => Promise<T>,
): Promise<T | null> {
  using lock = ImportLock.take(dataDir);
  return lock === null ? null : await act();
}
