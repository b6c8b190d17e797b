/** A checkout of the program, run on its own copy of the data folder. */
import {
  execFileSync,
  spawn,
  spawnSync,
  type ChildProcess,
} from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const FIXED_ENVIRONMENT = join(import.meta.dirname, "fixed-environment.ts");
/** Every limit that a comparison would reach by its number of requests is out of the way, but those of two plans. */
const PLANS = JSON.stringify({
  bulk: { monthlyQuota: 100_000_000, burstPerSecond: 100_000 },
  spent: { monthlyQuota: 7, burstPerSecond: 100_000 },
  burst: { monthlyQuota: 1_000_000, burstPerSecond: 12 },
});

export interface Output {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Of longer outputs, such as an export of the whole registry, the start is compared. */
const MOST_BYTES = 2 ** 25;

/** One of two programs, with the folder in which its data folder `data` is. */
export class Checkout {
  readonly root: string;
  readonly #folder: string;
  readonly #fixedTime: number;
  readonly #env: NodeJS.ProcessEnv;

  constructor(root: string, folder: string, fixedTime: number) {
    this.root = root;
    this.#folder = folder;
    this.#fixedTime = fixedTime;
    // The pages are those of its sources, also if these have changed since npm ci.
    execFileSync("npm", ["run", "build"], { cwd: root, stdio: "ignore" });
    this.#env = {
      PATH: process.env["PATH"],
      NODE_OPTIONS: `--import=${FIXED_ENVIRONMENT}`,
      FIXED_TIME: String(fixedTime),
      DATA_DIR: "data",
      PLANS,
    };
  }

  /**
   * Runs a command to its end, with the clock `earlierMs` before its fixed time. Its working folder is the one that the
   * data folder is in. It is killed once it has printed `MOST_BYTES`.
   */
  run(args: readonly string[], earlierMs = 0): Output {
    const { status, stderr, stdout } = spawnSync(this.#program, [...args], {
      cwd: this.#folder,
      env: { ...this.#env, FIXED_TIME: String(this.#fixedTime - earlierMs) },
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** Runs a command and returns what it printed. Throws if it fails. */
  succeed(args: readonly string[], earlierMs = 0): string {
    const { code, err, out } = this.run(args, earlierMs);
    if (code !== 0) throw new Error(`${args.join(" ")} failed: ${err}`);
    return out;
  }

  /** Starts the service with everything on that needs no other server. */
  async serve(): Promise<Service> {
    const child = spawn(this.#program, ["serve"], {
      cwd: this.#folder,
      env: {
        ...this.#env,
        PORT: "0",
        WORKERS: "1",
        FIXED_RANDOM: "1",
        TRUST_PROXY: "1",
        PUBLIC_URL: "http://directory.example",
        EXPLORER: "open",
        EXPLORER_BURST: "10000",
        NPI_REGISTRY_API: "key",
        SMTP_URL: "smtp://127.0.0.1:9",
        MAIL_FROM: "directory@clinic.example",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const service = new Service(child);
    await service.listening();
    return service;
  }

  get #program(): string {
    return join(this.root, "bin/provider-directory");
  }
}

export class Service implements AsyncDisposable {
  port = 0;
  #printed = "";
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Waits until it listens. Throws with what it printed if it ends instead. */
  listening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const read = (chunk: Buffer) => {
        this.#printed += chunk.toString();
        const found = /Listening on http:\S+:(\d+)/.exec(this.#printed);
        if (found === null || this.port !== 0) return;
        this.port = Number(found[1]);
        this.#printed = "";
        resolve();
      };
      this.#child.stdout?.on("data", read);
      this.#child.stderr?.on("data", read);
      this.#child.once("exit", () =>
        reject(new Error(`The service ended: ${this.#printed}`)),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
