/** The program `provider-directory`, which `main.ts` runs from its build or from the sources. */
import { COMMANDS } from "./commands.ts";
import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import process from "node:process";
import { Output } from "./output/output.ts";
import { PROGRAM, type Context } from "./command.ts";
import { processEnvironment } from "../settings/setting-reader.ts";
import { outputDelivered } from "./output/output-delivered.ts";
import { run } from "./run.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_COLUMNS = 80;
/** Time limit for the last output after a request to stop. */
const LAST_WORDS_MS = 1_000;

await runProcess();

/** Runs the command that the process was called with. Only this file uses the process, its clock and its randomness. */
async function runProcess(): Promise<void> {
  // Only Node writes to these streams, and a failure must not end the program.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => undefined);

  const output = new Output(1);
  const errors = new Output(2);
  const stop = stopSignal(
    process,
    Date.now,
    () => process.exit(1),
    process.stderr.isTTY,
  );

  const context: Context = {
    out: (line) => output.write(`${line}\n`),
    err: (line) => errors.write(`${line}\n`),
    output,
    delivered: () => outputDelivered(output, stop),
    terminal: {
      isInteractive: process.stderr.isTTY,
      columns: () => process.stderr.columns || DEFAULT_COLUMNS,
      write: (text) => errors.write(text),
    },
    isOutputTerminal: process.stdout.isTTY,
    typed: typedAs(processEnvironment()["PROVIDER_DIRECTORY_TYPED"]),
    now: Date.now,
    random: randomBytes,
    stop,
  };

  process.exitCode = await run(
    COMMANDS,
    process.argv.slice(2),
    processEnvironment(),
    context,
  );
  const withinMs = stop.aborted ? LAST_WORDS_MS : undefined;
  await Promise.all([output.flush(withinMs), errors.flush(withinMs)]);
  output[Symbol.dispose]();
  errors[Symbol.dispose]();
  // A write, or a request to a collector that does not answer, would keep the process alive.
  process.exit();
}

/** Returns what a user types here to call the program: its path as `bin/provider-directory` found it, if below this folder. */
function typedAs(path = PROGRAM): string {
  const here = path.startsWith("/") ? relative(process.cwd(), path) : path;
  return here.startsWith("../") ? path : here;
}
