import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Environment } from "../../src/settings/setting-reader.ts";
import { checkAnswer, type Answer } from "../support/app/check-answer.ts";
import {
  GOLDEN_GROUPS,
  sendGroup,
  type GoldenRequest,
} from "../support/app/golden-requests.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import { createKey } from "../support/program/create-key.ts";
import { ProgramProcess, succeeded } from "../support/program/program.ts";
import { writeSample } from "../support/pure/engine/sample-directory.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const PLANS = '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';
/** The pattern of a random UUID. */
const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;

const PLAIN = { PORTAL: "off" };
const WITHOUT_DATA = { PORTAL: "off" };
const PORTAL = { EXPLORER: "open", EXPLORER_BURST: "10000" };
const OTHERS = {
  GUIDE: "developers",
  NPI_REGISTRY_API: "open",
  NPI_REGISTRY_BURST: "10000",
  PUBLIC_URL: "https://directory.example/api",
};
/** The settings of the services that groups name. Those with the same ones are one service. */
const SETTINGS: Readonly<Record<string, Environment>> = {
  plain: PLAIN,
  "without-data": WITHOUT_DATA,
  portal: PORTAL,
  developers: OTHERS,
  "open-registry-api": OTHERS,
  "public-url": OTHERS,
};

suite("the requests of the table, to the program over SQLite", () => {
  sendTable(async (folder, write) => {
    write(folder);
    const environment = { DATA_DIR: folder };
    return { key: await keyIn(environment), programs: [environment] };
  });
});

suite(
  "the requests of the table, to the program over PostgreSQL",
  { skip: NO_POSTGRESQL },
  () => {
    sendTable(async (folder, write) => {
      write(folder);
      const environment = { DATA_DIR: folder, ...(await database()) };
      return { key: await keyIn(environment), programs: [environment] };
    });
  },
);

suite(
  "the requests of the table, to three nodes in turn",
  { skip: NO_POSTGRESQL },
  () => {
    sendTable(async (folder, write) => {
      const store = join(folder, "store");
      mkdirSync(store);
      const SNAPSHOT_STORE = pathToFileURL(store).href;
      const common = { SNAPSHOT_STORE, ...(await database()) };
      const node = (name: string) => {
        const DATA_DIR = join(folder, name);
        return { ...common, DATA_DIR, NODE_NAME: name };
      };
      const importer = node("importer");
      if (write(importer.DATA_DIR)) {
        await using publish = new ProgramProcess(["publish"], importer);
        await succeeded(publish.ended());
      }
      const programs = ["node1", "node2", "node3"].map(node);
      return { key: await keyIn(importer), programs };
    });
  },
);

async function database(): Promise<{ readonly DATABASE_URL: string }> {
  const { url } = await (await postgresqlOfRun()).makeDatabase();
  return { DATABASE_URL: url };
}

function keyIn(environment: Environment & { DATA_DIR: string }) {
  return createKey(environment.DATA_DIR, {
    environment: { PLANS, ...environment },
  });
}

/**
 * Tests that send all groups of the table to programs, each request to the next one. `make` makes a key, and the
 * settings of the programs of a service; `write` writes the sample to a data folder, unless the service has no data.
 */
function sendTable(
  make: (
    folder: string,
    write: (dataDir: string) => boolean,
  ) => Promise<{ key: string; programs: readonly Environment[] }>,
): void {
  const services = Map.groupBy(
    GOLDEN_GROUPS,
    ({ service }) => SETTINGS[service] ?? assert.fail(service),
  );
  for (const [settings, groups] of services)
    suite(`with ${JSON.stringify(settings)}`, () => {
      const owned = new AsyncDisposableStack();
      const hasData = settings !== WITHOUT_DATA;
      const common = { ...settings, PLANS, PORT: "0", WORKERS: "1" };
      const urls: string[] = [];
      let key = "";
      let turn = 0;

      before(async () => {
        const made = await make(
          owned.use(temporaryFolder()).path,
          (dataDir) => {
            if (hasData) writeSample(dataDir);
            return hasData;
          },
        );
        ({ key } = made);
        for (const own of made.programs) {
          const environment = { ...common, ...own };
          const program = owned.use(new ProgramProcess(["serve"], environment));
          const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
          const isReady = async () => (await fetch(`${url}/readyz`)).ok;
          if (hasData) await until("the data to be served", isReady);
          urls.push(url);
        }
      });
      after(() => owned.disposeAsync());

      for (const group of groups)
        test(group.title, () =>
          sendGroup(group, {
            key,
            madeId: UUID,
            async ask(golden) {
              const url = urls[turn++ % urls.length] ?? "";
              const answer = await send(url, golden);
              return { answer: checkAnswer(golden, answer), localUrl: url };
            },
          }),
        );
    });
}

/** Sends a request exactly as the table has it, to the host that `light-my-request` names. */
async function send(
  at: string,
  { headers, method, url }: GoldenRequest,
): Promise<Answer> {
  const { hostname, port } = new URL(at);
  const sent = request({
    hostname,
    port,
    method,
    path: url,
    headers: { host: "localhost:80", ...headers },
  }).end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) throw new Error("There is no response.");
  return {
    statusCode: answer.statusCode ?? 0,
    headers: answer.headers,
    body: await text(answer),
  };
}
