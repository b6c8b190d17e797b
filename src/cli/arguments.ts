import { parseArgs } from "node:util";
import type { Flags } from "../settings/setting-reader.ts";
import type { Setting } from "../settings/setting.ts";

/** The start of an option, but not of a negative number or of `-`, which is standard output. */
const OPTION = /^-[^0-9]/;

/** The length of the longest word that is compared: more than any of the program. */
const LONGEST = 40;

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

/** Parses without `strict`: Node's own messages span several lines and don't distinguish the cases. */
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

/** Finds the closest word by edits; null if none is close. */
export function nearestWord(
  typed: string,
  words: Iterable<string>,
): string | null {
  if (typed.length > LONGEST) return null;
  let best: { word: string; edits: number } | null = null;
  for (const word of words) {
    const edits = editsBetween(typed, word);
    if (edits <= maxEdits(typed, word) && edits < (best?.edits ?? Infinity))
      best = { word, edits };
  }
  return best?.word ?? null;
}

/** Allows a third of the shorter word, at least one letter. */
function maxEdits(typed: string, word: string): number {
  return Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3));
}

/** Counts insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap =
        i > 1 &&
        j > 1 &&
        from[i - 1] === to[j - 2] &&
        from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
