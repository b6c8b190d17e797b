import type { Random } from "../accounts/keys/api-key.ts";
import type { Output } from "./output/output.ts";
import type { SettingReader } from "../settings/setting-reader.ts";
import type { Setting } from "../settings/setting.ts";
import manifest from "../../package.json" with { type: "json" };

/** 0 success, 1 failure, 2 usage error, 3 success, but `check` found a row that isn't of an active provider. */
export type ExitCode = 0 | 1 | 2 | 3;

/** What a command uses of the process. */
export interface Context {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Standard output, for the log of a service. */
  readonly output: Output;
  /** Waits until standard output is written. Null, or why it cannot be. */
  delivered(): Promise<Undelivered | null>;
  readonly terminal: Terminal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  /** Aborts when the program should stop. */
  readonly stop: AbortSignal;
}

/** Why standard output could not be written. */
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
  /** Width in characters. */
  columns(): number;
  write(text: string): void;
}

/** How a command is called, and how to load it. */
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

/** The program's name; messages start with it. */
export const PROGRAM = "provider-directory";

/** Prints why a command failed and returns its exit code. */
export function fail(context: Context, sentence: string): ExitCode {
  context.err(`${PROGRAM}: ${sentence}`);
  return 1;
}

/** Reports an invalid value that is found only while the command runs. */
export function refuseMisuse(context: Context, sentence: string): ExitCode {
  context.err(`${PROGRAM}: ${sentence}`);
  return 2;
}

/** The program's version, as package.json says. */
export function programVersion(): string {
  return manifest.version;
}
