/** Three nodes, at addresses of this machine that only this test uses. */

import { randomInt } from "node:crypto";
import { ProgramProcess, succeed } from "../program/program.ts";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import { until } from "../pure/until.ts";
import type { Environment } from "../../../src/settings/setting-reader.ts";

const PORT = 8080;
const NUMBERS = [11, 12, 13] as const;
const PROVIDERS = 3_000;

/** Plans without limits. */
export const NO_LIMITS =
  '{"paid":{"monthlyQuota":1000000000,"burstPerSecond":100000}}';

export interface ThreeNodes extends AsyncDisposable {
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

  /** What it logged since its last start. */
  get log(): string {
    return this.#running?.out ?? "";
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const started = new ProgramProcess(["serve"], this.#environment);
    this.#running = started;
    await started.printed(/Listening on/);
    await until(
      `${this.address} to be ready`,
      async () => (await this.unreadyReason()) === null,
    );
  }

  /** The code in the body of `/readyz`; null if it is ready. */
  async unreadyReason(): Promise<string | null> {
    const answer = await fetch(`http://${this.address}/readyz`, {
      headers: { connection: "close" },
    });
    const body = await answer.text();
    if (answer.ok) return null;
    return /"code":"([a-z_]+)"/.exec(body)?.[1] ?? body;
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

/** Starts them behind one proxy, over one data folder with 3,000 invented providers, and without limits. */
export async function startThreeNodes(
  settings: Environment,
): Promise<ThreeNodes & { readonly dataDir: string }> {
  await using owned = new AsyncDisposableStack();
  const { path: dataDir } = owned.use(temporaryFolder());
  const providers = String(PROVIDERS);
  await succeed(["demo", "--providers", providers, "--data-dir", dataDir]);
  const { network, nodes } = owned.use(
    await startNodes(() => ({
      DATA_DIR: dataDir,
      PLANS: NO_LIMITS,
      ...settings,
    })),
  );
  const running = owned.move();
  return {
    dataDir,
    network,
    nodes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts three nodes behind one proxy; `environmentOf` is asked with 0 to 2. */
export async function startNodes(
  environmentOf: (index: number) => Environment,
): Promise<ThreeNodes> {
  await using owned = new AsyncDisposableStack();
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`;
  const nodes = NUMBERS.map((number, index) =>
    owned.use(
      new FleetNode(`${network}${number}`, {
        PORTAL: "off",
        TRUST_PROXY: "1",
        WORKERS: "1",
        ...environmentOf(index),
      }),
    ),
  );
  for (const node of nodes) await node.start();
  const running = owned.move();
  return {
    network,
    nodes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
