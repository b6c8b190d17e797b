/** The oracle for nicknames: the table, line by line. */

import { readFileSync } from "node:fs";

const PAIRS = readFileSync(
  new URL("../../../../src/search/aliases/nicknames.csv", import.meta.url),
  "utf8",
)
  .toUpperCase()
  .split("\n")
  .flatMap((line) => {
    const [name = "", nicknames = ""] = line.split(",");
    return nicknames.split(" ").map((nickname) => [name, nickname]);
  });
const LINES = new Set(PAIRS.map((pair) => pair.join()));

/** True if two folded names are the same, or one is a nickname of the other. */
export function areAliases(one: string, other: string): boolean {
  return (
    one === other ||
    LINES.has(`${one},${other}`) ||
    LINES.has(`${other},${one}`)
  );
}

/** Some nickname or full form of a name in upper case; the name itself if there is none. */
export function someAlias(name: string): string {
  const pair = PAIRS.find((names) => names.includes(name));
  return pair?.find((each) => each !== name) ?? name;
}
