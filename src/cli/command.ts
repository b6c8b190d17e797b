import type { Random } from "../accounts/keys/api-key.ts";
import type { Output } from "./output/output.ts";
import type { SettingReader } from "../settings/setting-reader.ts";
import type { Setting, SettingTable } from "../settings/setting.ts";
import manifest from "../../package.json" with { type: "json" };

/** 0 success, 1 failure, 2 usage error, 3 success, but `check` found a row that isn't of an active provider. */
export type ExitCode = 0 | 1 | 2 | 3;

/** The parts of the process that a command uses. */
export interface Context {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Standard output, for the log of a service. */
  readonly output: Output;
  /** Waits until standard output is written. Returns why it cannot be, or null. */
  delivered(): Promise<Undelivered | null>;
  readonly terminal: Terminal;
  /** True if standard output is a terminal. */
  readonly isOutputTerminal: boolean;
  /** The program's name as the user typed it. */
  readonly typed: string;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  /** Aborts when the program should stop. */
  readonly stop: AbortSignal;
}

/** A failure to write standard output. */
export interface Undelivered {
  /** A sentence that names the output and says what to do. */
  readonly message: string;
  /** True if a reader stopped early. */
  readonly isReaderGone: boolean;
}

/** Standard error, where progress is shown. */
export interface Terminal {
  /** True if it is a terminal, where lines can be overwritten. */
  readonly isInteractive: boolean;
  /** Returns the width in characters. */
  columns(): number;
  write(text: string): void;
}

/** The words that call a command, and its loader. */
export interface CommandEntry {
  /** The words that call it: `keys create`. */
  readonly words: readonly string[];
  readonly load: () => Promise<Command>;
}

/** A command with the words that call it. */
export interface NamedCommand extends Command {
  readonly words: readonly string[];
}

/** One command of the program. */
export interface Command {
  /** Arguments after the words, such as `FILE.zip|FILE.csv...`, and how many. */
  readonly operands: {
    readonly text: string;
    readonly min: number;
    readonly max: number;
  };
  readonly settings: readonly Setting<unknown>[];
  /** One sentence. */
  readonly summary: string;
  /** Further paragraphs for the help. */
  readonly details: readonly string[];
  /** Hidden from lists of commands. */
  readonly isHidden?: true;
  /** Reads the settings and returns the action, which runs if none of them is invalid. */
  prepare(
    reader: SettingReader,
    operands: readonly string[],
  ): (context: Context) => Promise<ExitCode>;
}

export const NO_OPERANDS = { text: "", min: 0, max: 0 } as const;

/** Operands of which there must be one each: `EMAIL PLAN`. */
export function operandsOf(text: string): Command["operands"] {
  const count = text.split(" ").length;
  return { text, min: count, max: count };
}

/** The program's name; messages start with it. */
export const PROGRAM = "provider-directory";

/** Ends a command with an exit code and a sentence for the operator, printed after the program's name. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(sentence: string, exitCode: ExitCode = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** Makes the error for an invalid value that is found only while the command runs. */
export function misuse(sentence: string): CommandError {
  return new CommandError(sentence, 2);
}

/** A command without its frame. */
export interface Described<Values extends object> extends Partial<
  Pick<Command, "operands" | "details">
> {
  readonly summary: string;
  /** The settings, in the order of the help. */
  readonly options: SettingTable<Values>;
}

/** Makes a command of an action, which gets the values of its settings. The exit code is 0 unless it returns one. */
export function command<Values extends object>({
  details = [],
  operands = NO_OPERANDS,
  options,
  run,
  summary,
}: Described<Values> & {
  readonly run: (
    values: Values,
    context: Context,
    operands: readonly string[],
  ) => Promise<ExitCode | void> | ExitCode | void;
}): Command {
  return {
    operands,
    settings: Object.values<Setting<unknown>>(options),
    summary,
    details,
    prepare(reader, given) {
      const values = reader.readAll(options);
      return async (context) => (await run(values, context, given)) ?? 0;
    },
  };
}

/** Returns the program's version, as package.json says. */
export function programVersion(): string {
  return manifest.version;
}
