/** Three nodes over PostgreSQL, each with its own data folder, and an importer that publishes for them. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import type { Environment } from "../../../src/settings/setting-reader.ts";
import { SnapshotStore } from "../../../src/store/store.ts";
import { createKey } from "../program/create-key.ts";
import { ProgramProcess, succeeded } from "../program/program.ts";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import type { TestPlace } from "../postgresql/test-databases.ts";
import { NO_LIMITS, startNodes, type ThreeNodes } from "./three-nodes.ts";

const PROVIDERS = 3_000;

export interface PostgresqlFleetOptions {
  /** Where the importer, commands, and the test find the database. */
  readonly place: TestPlace;
  /** Where a node, 0 to 2, finds it if not at `place`. */
  readonly placeOf?: (index: number) => TestPlace;
  /** Settings of all nodes. */
  readonly settings?: Environment;
}

/** What the database has of all accounts. */
export interface RecordedUsage {
  /** Of months: answers, what is prepaid, and what was lost with a response of the database. */
  readonly used: number;
  /** By hour: answers. */
  readonly answered: number;
}

export interface PostgresqlFleet extends ThreeNodes {
  /** Makes a key of a new account. */
  createKey(plan?: string): Promise<string>;
  /** Imports a number of invented providers in place of those before, publishes them, and returns the snapshot's ID. */
  publish(providers: number): Promise<string>;
  /** Reads it from the database, or from the same database at another place. */
  usage(place?: TestPlace): Promise<RecordedUsage>;
}

/** Starts them, without limits unless the settings have plans. */
export async function startPostgresqlFleet({
  place,
  placeOf = () => place,
  settings = {},
}: PostgresqlFleetOptions): Promise<PostgresqlFleet> {
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(temporaryFolder());
  const storeFolder = join(folder, "store");
  mkdirSync(storeFolder);
  const common = {
    PLANS: NO_LIMITS,
    SNAPSHOT_STORE: pathToFileURL(storeFolder).href,
    ...settings,
  };
  const importer = join(folder, "importer");
  const atImporter = {
    ...common,
    DATA_DIR: importer,
    DATABASE_URL: place.url,
    NODE_NAME: "importer",
  };
  // Not in this process, where it would hold up the requests of the test.
  const run = async (...args: string[]) => {
    await using command = new ProgramProcess(args, {
      DATA_DIR: importer,
      ...(args[0] === "publish" ? atImporter : {}),
    });
    await succeeded(command.ended());
  };
  const publish = async (providers: number) => {
    await run("demo", "--providers", String(providers));
    await run("publish");
    return new SnapshotStore(importer).currentId() ?? "none";
  };
  await publish(PROVIDERS);
  const { network, nodes } = owned.use(
    await startNodes((index) => ({
      ...common,
      DATA_DIR: join(folder, `node${index + 1}`),
      DATABASE_URL: placeOf(index).url,
      NODE_NAME: `node${index + 1}`,
    })),
  );
  let accounts = 0;
  const running = owned.move();
  return {
    network,
    nodes,
    publish,
    createKey: (plan = "paid") =>
      createKey(importer, {
        email: `c${accounts++}@clinic.example`,
        environment: { DATABASE_URL: place.url, PLANS: common.PLANS },
        plan,
      }),
    usage: (at = place) => usageAt(at),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function usageAt({ url }: TestPlace): Promise<RecordedUsage> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT
        (SELECT coalesce(sum(used), 0) FROM api_usage) AS used,
        (SELECT coalesce(sum(used), 0) FROM api_usage_hour) AS answered`,
    );
    const { answered, used } = rows[0] ?? {};
    return { used: Number(used), answered: Number(answered) };
  } finally {
    await client.end();
  }
}
