import { nearestWord, parseArguments } from "./arguments.ts";
import {
  type Command,
  type CommandEntry,
  CommandError,
  type Context,
  type ExitCode,
  type NamedCommand,
  PROGRAM,
  programVersion,
} from "./command.ts";
import { SettingReader, type Environment } from "../settings/setting-reader.ts";
import { loadCommands } from "./commands.ts";
import { firstFault } from "../registry/files/registry-file-error.ts";
import { describeFault } from "./fault.ts";
import { commandHelp, programHelp } from "./help.ts";
import { printableLines } from "./output/format.ts";

/**
 * Finds the command, reads its settings and runs it. Never throws. Failing to write the output is a failure, unless the
 * reader stopped early, such as `head`. Control characters in arguments and data are escaped before they reach a
 * terminal.
 */
export async function run(
  commands: readonly CommandEntry[],
  args: readonly string[],
  environment: Environment,
  outputs: Context,
): Promise<ExitCode> {
  const context: Context = {
    ...outputs,
    out: (line) => outputs.out(printableLines(line)),
    err: (line) => outputs.err(printableLines(line)),
  };
  const code = await runCommand(commands, args, environment, context);
  if (code !== 0 || context.stop.aborted) return code;
  const problem = await context.delivered();
  if (problem === null || problem.isReaderGone) return code;
  context.err(`${PROGRAM}: ${problem.message}`);
  return 1;
}

async function runCommand(
  commands: readonly CommandEntry[],
  args: readonly string[],
  environment: Environment,
  context: Context,
): Promise<ExitCode> {
  const entry = commands.find(({ words }) =>
    words.every((word, index) => args[index] === word),
  );
  if (entry === undefined) return await runProgram(commands, args, context);
  const { words } = entry;
  const command = await entry.load();
  const parsed = parseArguments(args.slice(words.length), command.settings);
  if (parsed.wantsHelp) {
    context.out(commandHelp({ ...command, words }, context.typed));
    return 0;
  }
  const reader = new SettingReader(environment, parsed.flags, command.settings);
  const act = command.prepare(reader, parsed.operands);
  const problem = [
    ...parsed.problems,
    ...operandProblems(command, parsed.operands),
    ...reader.problems,
  ][0];
  if (problem !== undefined) return usageError(context, problem, words);
  try {
    return await act(context);
  } catch (error) {
    context.err(describeFault(error, context.stop));
    const fault = firstFault(error);
    return fault instanceof CommandError ? fault.exitCode : 1;
  }
}

/** Handles arguments that are not a command: help, the version, or an error. */
async function runProgram(
  commands: readonly CommandEntry[],
  args: readonly string[],
  context: Context,
): Promise<ExitCode> {
  const [first, second] = args;
  const isGroup = commands.some(
    ({ words }) => words.length > 1 && words[0] === first,
  );
  const group = isGroup && first !== undefined ? [first] : [];
  const word = isGroup ? second : first;
  const listed = isGroup
    ? commands.filter(({ words }) => words[0] === first)
    : commands;
  const isHelp = word === "--help" || word === "-h";
  if (isHelp || (!isGroup && (word === "help" || word === undefined))) {
    context.out(programHelp(await loadCommands(listed), group, context.typed));
    return 0;
  }
  if (word === "--version" && !isGroup) {
    context.out(`${PROGRAM} ${programVersion()}`);
    return 0;
  }
  if (word === undefined)
    return usageError(context, `${first} needs a subcommand.`, group);
  const meant = meantCommand(await loadCommands(commands), args);
  return usageError(
    context,
    `Unknown command "${[...group, word].join(" ")}".${meant === null ? "" : ` Did you mean "${meant}"?`}`,
    group,
  );
}

/** Suggests a command for mistyped words: "keys list" for `kyes lst`, or only "keys". */
function meantCommand(
  commands: readonly NamedCommand[],
  [first = "", second = ""]: readonly string[],
): string | null {
  const shown = commands
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ words }) => words);
  const group = nearestWord(
    first,
    shown.map(([word = ""]) => word),
  );
  if (group === null) return null;
  const below = shown.flatMap(([word, next]) =>
    word === group && next !== undefined ? next : [],
  );
  const next = nearestWord(second, below);
  if (next !== null) return `${group} ${next}`;
  return group === first ? null : group;
}

function operandProblems(
  { operands: { max, min, text } }: Command,
  operands: readonly string[],
): string[] {
  if (operands.length < min) return [`${text} is required.`];
  const extra = operands[max];
  return extra === undefined ? [] : [`Unexpected argument "${extra}".`];
}

function usageError(
  context: Context,
  problem: string,
  words: readonly string[],
): ExitCode {
  context.err(
    `${PROGRAM}: ${problem} See ${[context.typed, ...words].join(" ")} --help.`,
  );
  return 2;
}
