import type { Random } from "../accounts/keys/api-key.ts";
import type { Output } from "../server/log/output.ts";
import type { SettingReader } from "../settings/setting-reader.ts";
import type { Setting } from "../settings/setting.ts";
import manifest from "../../package.json" with { type: "json" };

/** 0 done, 1 failed, 2 misused. */
export type ExitCode = 0 | 1 | 2;

/** What a command has to do with the world. */
export interface Context {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Standard output as the log of a service writes it. */
  readonly output: Output;
  /** Waits until what was said on standard output is written: null, or what keeps it from being. */
  delivered(): Promise<Undelivered | null>;
  readonly terminal: Terminal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  /** Aborts when the program is asked to stop. */
  readonly stop: AbortSignal;
}

/** Why standard output does not take what is written to it. */
export interface Undelivered {
  /** A sentence that names it, and says what to do. */
  readonly message: string;
  /** Whether somebody read it, who wants no more. */
  readonly isReaderGone: boolean;
}

/** Standard error, as progress is shown there. */
export interface Terminal {
  /** Whether a person is looking: lines can then be overwritten. */
  readonly isInteractive: boolean;
  /** How wide it is, in characters. */
  columns(): number;
  write(text: string): void;
}

/** One command of the program. */
export interface Command {
  /** How it is called: `keys create`. */
  readonly words: readonly string[];
  /** What follows the words, and how many of it: `FILE.zip|FILE.csv...`. */
  readonly operands: {
    readonly text: string;
    readonly least: number;
    readonly most: number;
  };
  readonly settings: readonly Setting<unknown>[];
  /** One sentence. */
  readonly summary: string;
  /** Further paragraphs for the help. */
  readonly details: readonly string[];
  /** Whether lists of commands leave it out. */
  readonly isHidden?: true;
  /** Reads the settings, and returns what is to be done once all of them are found to be in order. */
  prepare(
    reader: SettingReader,
    operands: readonly string[],
  ): (context: Context) => Promise<ExitCode>;
}

export const NO_OPERANDS = { text: "", least: 0, most: 0 } as const;

/** The name of the program, as messages begin. */
export const PROGRAM = "provider-directory";

/** Says why a command failed, and returns the exit code for it. */
export function fail(context: Context, sentence: string): ExitCode {
  context.err(`${PROGRAM}: ${sentence}`);
  return 1;
}

/** Says which value of the command line cannot be used, where that shows only while the command runs. */
export function refuseMisuse(context: Context, sentence: string): ExitCode {
  context.err(`${PROGRAM}: ${sentence}`);
  return 2;
}

/** The program's version, as package.json says. */
export function programVersion(): string {
  return manifest.version;
}
