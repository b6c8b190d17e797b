import { PROGRAM, type NamedCommand } from "./command.ts";
import type { Setting } from "../settings/setting.ts";

const WIDTH = 100;

/** Writes the help of the whole program, called `program`, or of a group of commands (`keys`). */
export function programHelp(
  commands: readonly NamedCommand[],
  group: readonly string[],
  program = PROGRAM,
): string {
  const shown = commands.filter(({ isHidden }) => isHidden !== true);
  const rows = shown.map(
    ({ operands, summary, words }) =>
      [`  ${[...words, operands.text].join(" ").trimEnd()}`, summary] as const,
  );
  const usage = [
    program,
    ...group,
    group.length === 0 ? "COMMAND" : "SUBCOMMAND",
    "[OPTIONS]",
  ].join(" ");
  return lines([
    `Usage: ${usage}`,
    "",
    group.length === 0
      ? "A REST API for the U.S. national provider registry (NPPES)."
      : "",
    group.length === 0 ? "" : null,
    "Commands:",
    ...table(rows),
    "",
    `Run ${program} COMMAND --help for the options of a command.`,
    group.length === 0 ? `Run ${program} --version for the version.` : null,
    `Exit codes: 0 success, 1 failure, 2 usage error${group.length === 0 ? ", 3 check: a row lacks the NPI of an active provider" : ""}.`,
  ]);
}

/** Writes the help of one command. */
export function commandHelp(
  { details, operands, settings, summary, words }: NamedCommand,
  program = PROGRAM,
): string {
  const rows = [
    ...settings.map(optionRow),
    ["  -h, --help", "Show this help."] as const,
  ];
  return lines([
    `Usage: ${[program, ...words, operands.text].join(" ").trimEnd()} [OPTIONS]`,
    "",
    ...wrap(summary, WIDTH),
    ...details.flatMap((paragraph) => ["", ...wrap(paragraph, WIDTH)]),
    "",
    "Options, each with its environment variable (an option overrides its variable):",
    ...table(rows),
  ]);
}

function optionRow({
  defaultText,
  flag,
  help,
  placeholder,
  variable,
}: Setting<unknown>): readonly [string, string] {
  const defaultValue = defaultText === "" ? "" : ` Default: ${defaultText}.`;
  return [
    `  --${flag}${placeholder === null ? "" : ` ${placeholder}`}`,
    `${help}${defaultValue} [${variable}]`,
  ];
}

/** Lays out two columns; the second wraps. */
function table(
  rows: readonly (readonly [left: string, right: string])[],
): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - width).map(
      (line, index) => (index === 0 ? left : "").padEnd(width) + line,
    ),
  );
}

function wrap(text: string, width: number): string[] {
  const wrapped: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      wrapped.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...wrapped, line];
}

/** Joins lines. Drops nulls and repeated blank lines. */
function lines(all: readonly (string | null)[]): string {
  const kept = all.filter((line) => line !== null);
  return kept
    .filter((line, index) => line !== "" || kept[index - 1] !== "")
    .join("\n");
}
