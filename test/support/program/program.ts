/** The program as operators call it: inside the test's process, or as a separate process. */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Context, ExitCode } from "../../../src/cli/command.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";
import type { Environment } from "../../../src/settings/setting-reader.ts";
import { run } from "../../../src/cli/run.ts";
import { Output } from "../../../src/cli/output/output.ts";
import { until } from "../pure/until.ts";

export const PROGRAM_FILE = fileURLToPath(
  new URL("../../../bin/provider-directory", import.meta.url),
);

/** Splits a command line at its spaces. Each value between spaces stays whole: an argument, or several. */
export function argv(
  { raw }: TemplateStringsArray,
  ...values: (string | readonly string[])[]
): string[] {
  return raw.flatMap((text, index) => [
    ...text.split(" ").filter((word) => word !== ""),
    ...[values[index] ?? []].flat(),
  ]);
}

/** What runs a command without root's rights: its user may do nothing special. */
export const WITHOUT_RIGHTS = [
  "setpriv",
  "--no-new-privs",
  ...(process.getuid?.() === 0
    ? ["--bounding-set=-all", "--inh-caps=-all"]
    : []),
] as const;

/** The result of a run of the program. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs the program in this process, with only the given environment. Progress, which only slow runs show, isn't part of
 * what it printed.
 */
export async function runProgram(
  args: readonly string[],
  {
    environment = {},
    context = {},
  }: { environment?: Environment; context?: Partial<Context> } = {},
): Promise<{ code: ExitCode; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await run(COMMANDS, args, environment, {
    out: (line) => void (out += `${line}\n`),
    err: (line) => void (err += `${line}\n`),
    output: new Output(1),
    delivered: () => Promise.resolve(null),
    terminal: {
      isInteractive: false,
      columns: () => 80,
      write() {},
    },
    isOutputTerminal: false,
    typed: "provider-directory",
    now: Date.now,
    random: randomBytes,
    stop: new AbortController().signal,
    ...context,
  });
  return { code, out, err };
}

/**
 * Waits for a run of the program, fails with its standard error unless it succeeded, and returns its standard output.
 */
export async function succeeded(ended: Promise<Ended>): Promise<string> {
  const { code, err, out } = await ended;
  assert.equal(code, 0, err);
  return out;
}

/** Waits for a run of the program that must fail with an exit code and a message, without standard output. */
export async function fails(
  ended: Promise<Ended>,
  code: number,
  message: RegExp | string,
): Promise<void> {
  const { err, ...others } = await ended;
  assert.deepEqual(others, { code, out: "" }, err);
  if (typeof message === "string") assert.equal(err, message);
  else assert.match(err, message);
}

/** Runs the program in this process like `runProgram`, and fails with its standard error unless it succeeds. */
export function succeed(
  args: readonly string[],
  options?: Parameters<typeof runProgram>[1],
): Promise<string> {
  return succeeded(runProgram(args, options));
}

/** Files for a process's outputs, instead of pipes to the test. */
export interface Outputs {
  readonly out?: number | "pipe";
  readonly err?: number | "pipe";
}

/** The program as a process, which ends with the test at the latest. */
export class ProgramProcess implements AsyncDisposable {
  out = "";
  err = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(
    args: readonly string[],
    environment: Environment = {},
    file = PROGRAM_FILE,
    { out = "pipe", err = "pipe" }: Outputs = {},
  ) {
    const { PATH } = process.env;
    this.#child = spawn(file, [...args], {
      env: { PATH, ...environment },
      stdio: ["ignore", out, err],
    });
    this.#child.stdout
      ?.setEncoding("utf8")
      .on("data", (text: string) => void (this.out += text));
    this.#child.stderr
      ?.setEncoding("utf8")
      .on("data", (text: string) => void (this.err += text));
    this.#ended = once(this.#child, "close").then(() => undefined);
  }

  /** The id of the process. */
  get pid(): number {
    if (this.#child.pid === undefined)
      throw new Error("The program did not start.");
    return this.#child.pid;
  }

  kill(signal: "SIGHUP" | "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGUSR1"): void {
    this.#child.kill(signal);
  }

  /** Waits until the process has ended. */
  async ended(): Promise<Ended> {
    await this.#ended;
    return { code: this.#child.exitCode, out: this.out, err: this.err };
  }

  /** Waits until what was printed matches, and returns the match. */
  async printed(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray> {
    let match: RegExpExecArray | null = null;
    const what = `the program to print ${pattern}`;
    const holds = () => {
      match = pattern.exec(this.err) ?? pattern.exec(this.out);
      if (match === null && this.#child.exitCode !== null) {
        throw new Error(
          `The program ended with ${this.#child.exitCode}: ${this.err}${this.out}`,
        );
      }
      return match !== null;
    };
    await until(what, holds, withinMs).catch((fault: unknown) => {
      throw new Error(`It printed:\n${this.err}${this.out}`, { cause: fault });
    });
    if (match === null) throw new Error("unreachable");
    return match;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
