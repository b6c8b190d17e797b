import { randomBytes } from "node:crypto";
import { symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import {
  ACCOUNTS_FILE,
  type DatabasePlace,
} from "../../src/accounts/database/database.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A plan that never refuses: more requests than a benchmark can send in a month, and in a second. */
export const PLANS = {
  bench: {
    monthlyQuota: 10_000_000_000,
    burstPerSecond: 100_000,
    files: true,
  },
};

/** A separate data folder over the current snapshot of another one, which isn't written to. */
export interface Installation extends Disposable {
  readonly dataDir: string;
  /** Where its accounts are. */
  readonly place: DatabasePlace;
  /** The path of the snapshot. */
  readonly snapshotFile: string;
  /** What `serve` is to be given as `PLANS`. */
  readonly plans: string;
  /** A key of an account whose plan never refuses. */
  readonly key: string;
  /** Makes a snapshot current that has the same content and another id, as an import would. */
  replaceSnapshot(): void;
}

/** Makes the folder, with links to the snapshot; it goes with the disposal. */
export async function installOver(dataDir: string): Promise<Installation> {
  const source = new SnapshotStore(dataDir);
  const id = source.currentId();
  if (id === null)
    throw new Error(`There is no current snapshot in ${dataDir}.`);
  const snapshotFile = resolve(source.pathOf(id));
  const temporary = temporaryFolder("load-bench-");
  const { path: folder } = temporary;
  const store = new SnapshotStore(folder);
  makeCurrent(id);
  const place: DatabasePlace = {
    kind: "sqlite",
    file: join(folder, ACCOUNTS_FILE),
  };
  return {
    dataDir: folder,
    place,
    snapshotFile,
    plans: JSON.stringify(PLANS),
    key: await makeKey(place),
    replaceSnapshot: () => makeCurrent(store.newId(Date.now())),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };

  function makeCurrent(linkId: string): void {
    symlinkSync(dirname(snapshotFile), dirname(store.pathOf(linkId)));
    store.makeCurrent(linkId, Date.now());
  }
}

/** A key of an account whose plan never refuses, in another database. */
export async function makeKey(place: DatabasePlace): Promise<string> {
  const [key] = await makeKeys(place, 1, "load");
  if (key === undefined) throw new Error("No key was made.");
  return key;
}

/** Keys of different accounts whose plan never refuses. */
export async function makeKeys(
  place: DatabasePlace,
  count: number,
  name = "account",
): Promise<string[]> {
  const configured = configurePlans(PLANS);
  if (configured.outcome !== "plans")
    throw new Error(configured.problems.join(" "));
  await using accounts = await openAccounts({
    place,
    plans: configured.plans,
    clock: Date.now,
    random: randomBytes,
    actor: "bench",
  });
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    const email = `${name}${number}@bench.example`;
    await accounts.users.create(email, "bench");
    const made = await accounts.keys.create(email);
    if (made.outcome !== "created") throw new Error("No key could be made.");
    keys.push(made.key);
  }
  return keys;
}
