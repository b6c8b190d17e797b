import { parseArgs } from "node:util";
import type { Flags } from "../settings/setting-reader.ts";
import { nearestWord } from "./nearest-word.ts";
import type { Setting } from "../settings/setting.ts";

/** The start of an option, but not of a negative number or of `-`, which is standard output. */
const OPTION = /^-[^0-9]/;

/** A command's parsed arguments. */
export interface Arguments {
  readonly flags: Flags;
  readonly operands: readonly string[];
  readonly wantsHelp: boolean;
  /** One sentence for each problem. */
  readonly problems: readonly string[];
}

/** Parses arguments by a command's settings. If a flag is given twice, the last one counts. */
export function parseArguments(
  args: readonly string[],
  settings: readonly Setting<unknown>[],
): Arguments {
  const byFlag = new Map(settings.map((setting) => [setting.flag, setting]));
  const flags = new Map<string, string>();
  const operands: string[] = [];
  const problems: string[] = [];
  let wantsHelp = false;
  for (const token of tokensOf(args, settings)) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const setting = byFlag.get(name);
    if (name === "help") wantsHelp = true;
    else if (setting === undefined)
      problems.push(noOption(rawName, byFlag.keys()));
    else if (setting.placeholder === null) {
      if (value === undefined) flags.set(name, String(rawName === `--${name}`));
      else problems.push(`--${name} takes no value.`);
    } else if (rawName !== `--${name}`)
      problems.push(noOption(rawName, byFlag.keys()));
    else if (
      value === undefined ||
      value === "" ||
      (!token.inlineValue && OPTION.test(value))
    ) {
      problems.push(
        `--${name} needs a value: --${name} ${setting.placeholder}.`,
      );
    } else flags.set(name, value);
  }
  return { flags, operands, wantsHelp, problems };
}

function noOption(given: string, flags: Iterable<string>): string {
  const meant = given.startsWith("--")
    ? nearestWord(given.slice(2), flags)
    : null;
  return `Unknown option ${given}.${meant === null ? "" : ` Did you mean --${meant}?`}`;
}

/** Not strict: Node's own messages span several lines and don't distinguish the cases. */
function tokensOf(
  args: readonly string[],
  settings: readonly Setting<unknown>[],
) {
  const options: Record<
    string,
    { type: "string" | "boolean"; short?: string }
  > = { help: { type: "boolean", short: "h" } };
  for (const { flag, placeholder } of settings)
    options[flag] = { type: placeholder === null ? "boolean" : "string" };
  return parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  }).tokens;
}
