import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Installation } from "./installation.ts";

const PROGRAM = fileURLToPath(
  new URL("../../bin/provider-directory", import.meta.url),
);
/** What Linux counts the time of processes in, on every machine that Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

export interface ServeOptions {
  readonly workers: number;
  readonly logLevel: string;
  /** Where accounts are, if not in the data folder. */
  readonly databaseUrl?: string;
  /** A free one if omitted. */
  readonly port?: number;
}

/** A server in a separate process. Its standard output is written, and discarded. */
export class ServerProcess implements AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts `provider-directory serve`. */
  static serve(
    { dataDir, plans }: Installation,
    { databaseUrl, logLevel, port = 0, workers }: ServeOptions,
  ): Promise<ServerProcess> {
    const options = {
      "--data-dir": dataDir,
      "--port": String(port),
      "--workers": String(workers),
      "--log-level": logLevel,
    };
    return ServerProcess.program(["serve", ...Object.entries(options).flat()], {
      PLANS: plans,
      // The memory of a replaced snapshot is to be given back at once.
      PREVIOUS_SNAPSHOT: "0",
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
  }

  /** Starts `provider-directory` as a user does. */
  static program(
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<ServerProcess> {
    return ServerProcess.#start(PROGRAM, args, environment);
  }

  /** Starts a file of JavaScript or TypeScript that says on standard error where it listens. */
  static script(
    file: string,
    ...args: readonly string[]
  ): Promise<ServerProcess> {
    return ServerProcess.#start(process.execPath, [file, ...args], {});
  }

  static async #start(
    command: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<ServerProcess> {
    const child = spawn(command, args, {
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    // Also if a signal ends this process.
    const end = () => void child.kill();
    process.once("exit", end);
    child.once("exit", () => void process.off("exit", end));
    return new ServerProcess(child, await addressOf(child));
  }

  /** The processor time that it took so far, in seconds. */
  get processorSeconds(): number {
    const [, fields = ""] = this.#read("stat").split(") ");
    const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
    return (user + system) / TICKS_PER_SECOND;
  }

  /** The memory that it holds, in bytes. */
  get residentBytes(): number {
    return this.#memory("VmRSS");
  }

  /** The most memory that it ever held, in bytes. */
  get peakBytes(): number {
    return this.#memory("VmHWM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await closed;
  }

  #memory(name: string): number {
    const line = this.#read("status")
      .split("\n")
      .find((each) => each.startsWith(`${name}:`));
    return Number.parseInt(line?.split(":")[1] ?? "") * 1024;
  }

  #read(file: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${file}`, "utf8");
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, url] = /Listening on (http:\S+:\d+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", () => reject(new Error(`The server ended: ${said}`)));
  });
}
