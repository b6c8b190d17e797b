import { readFileSync } from "node:fs";
import { fold } from "../../text/fold.ts";

let table: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/**
 * Returns the nicknames and full forms of a folded first name, folded, without itself: BOB has ROBERT and BOBBY. Names
 * that only share a nickname or a full form are not aliases. None if the table doesn't have the name.
 *
 * The table is `nicknames.csv`, read on first use.
 */
export function aliasesOf(folded: string): readonly string[] {
  table ??= readAliases(
    readFileSync(new URL("nicknames.csv", import.meta.url), "utf8"),
  );
  return [...(table.get(folded) ?? [])];
}

/** Reads lines of a name and its nicknames after a header. A pair counts in both directions. */
function readAliases(csv: string): Map<string, Set<string>> {
  const aliases = new Map<string, Set<string>>();
  const add = (of: string, alias: string): void => {
    const known = aliases.get(of);
    if (known === undefined) aliases.set(of, new Set([alias]));
    else known.add(alias);
  };
  for (const line of csv.trim().split("\n").slice(1)) {
    const [name = "", ...nicknames] = line.split(/[, ]/).map(fold);
    for (const nickname of nicknames)
      if (nickname !== name) {
        add(name, nickname);
        add(nickname, name);
      }
  }
  return aliases;
}
