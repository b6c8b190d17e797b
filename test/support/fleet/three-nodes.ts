/** Three nodes over one data folder, at addresses of this machine that only this test uses. */

import { randomInt } from "node:crypto";
import {
  ProgramProcess,
  succeed,
  temporaryFolder,
  until,
} from "../program/program.ts";
import type { Environment } from "../../../src/settings/setting-reader.ts";

const PORT = 8080;
const NUMBERS = [11, 12, 13] as const;
const NO_LIMITS =
  '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';

export interface ThreeNodes extends AsyncDisposable {
  readonly dataDir: string;
  /** All addresses of the test begin with it: `127.A.B.`. */
  readonly network: string;
  readonly nodes: readonly FleetNode[];
}

/** A node that can be stopped and started again at the same address. */
export class FleetNode implements AsyncDisposable {
  /** `HOST:PORT` */
  readonly address: string;
  readonly #environment: Environment;
  #running: ProgramProcess | null = null;

  constructor(host: string, environment: Environment) {
    this.address = `${host}:${PORT}`;
    this.#environment = { ...environment, HOST: host, PORT: String(PORT) };
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const started = new ProgramProcess(["serve"], this.#environment);
    this.#running = started;
    await started.printed(/Listening on/);
    await until(`${this.address} to be ready`, async () => {
      const { ok } = await fetch(`http://${this.address}/readyz`, {
        headers: { connection: "close" },
      });
      return ok;
    });
  }

  /** Sends a signal, and waits for the end of the process. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#running?.kill(signal);
    await this.#running?.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
  }
}

/** Starts them behind one proxy, with 3,000 invented providers and without limits. */
export async function startThreeNodes(
  settings: Environment,
): Promise<ThreeNodes> {
  await using owned = new AsyncDisposableStack();
  const { path: dataDir } = owned.use(temporaryFolder());
  await succeed(["demo", "--providers", "3000", "--data-dir", dataDir]);
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`;
  const nodes = NUMBERS.map((number) =>
    owned.use(
      new FleetNode(`${network}${number}`, {
        DATA_DIR: dataDir,
        PLANS: NO_LIMITS,
        PORTAL: "off",
        TRUST_PROXY: "1",
        WORKERS: "1",
        ...settings,
      }),
    ),
  );
  for (const node of nodes) await node.start();
  const running = owned.move();
  return {
    dataDir,
    network,
    nodes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
