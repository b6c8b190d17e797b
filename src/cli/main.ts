/** The program `provider-directory`: the one place that knows the process, its clock and its randomness. */
import { randomBytes } from "node:crypto";
import process from "node:process";
import type { Context } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { processEnvironment } from "./config.ts";
import { run } from "./run.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_COLUMNS = 80;

const context: Context = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  terminal: {
    isInteractive: process.stderr.isTTY,
    columns: () => process.stderr.columns || DEFAULT_COLUMNS,
    write: (text) => void process.stderr.write(text),
  },
  now: Date.now,
  random: randomBytes,
  stop: stopSignal(process, Date.now, () => process.exit(1)),
};

// A reader that has seen enough, such as `head`, is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

process.exitCode = await run(
  COMMANDS,
  process.argv.slice(2),
  processEnvironment(),
  context,
);
