/** Data folders with demo data: made once per run, as that takes longer than most tests, and copied for each test. */

import { cpSync } from "node:fs";
import { env } from "node:process";
import { succeed } from "./program.ts";
import { temporaryFolder } from "../pure/temporary-folder.ts";

/** The variable with the path of the run's demo folder. */
export const DEMO_FOLDER_OF_RUN = "TEST_DEMO_FOLDER";

/** How many providers its two snapshots have. */
export const DEMO_PROVIDERS = { before: 40, current: 50 } as const;

type Folder = ReturnType<typeof temporaryFolder>;

let own: Promise<Folder> | null = null;

/** Makes the folder that `demoFolder` copies. */
export async function makeDemoFolder(): Promise<Folder> {
  const folder = temporaryFolder();
  for (const providers of [DEMO_PROVIDERS.before, DEMO_PROVIDERS.current])
    await succeed([
      "demo",
      "--providers",
      String(providers),
      "--data-dir",
      folder.path,
    ]);
  return folder;
}

/** A data folder with two demo snapshots and no accounts, which is removed with the test. */
export async function demoFolder(): Promise<Folder> {
  const path = env[DEMO_FOLDER_OF_RUN] ?? (await ownFolder()).path;
  const folder = temporaryFolder();
  cpSync(path, folder.path, { recursive: true });
  return folder;
}

/** For a test file that is run by itself. */
function ownFolder(): Promise<Folder> {
  return (own ??= makeDemoFolder().then((folder) => {
    process.once("exit", () => folder[Symbol.dispose]());
    return folder;
  }));
}
