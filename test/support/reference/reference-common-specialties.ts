/** The oracle for everyday words of specialties: the table, line by line. */

import { readFileSync } from "node:fs";

/** Words in upper case, and their codes. */
const ROWS = readFileSync(
  new URL(
    "../../../src/search/aliases/common-specialties.csv",
    import.meta.url,
  ),
  "utf8",
)
  .split("\n")
  .slice(1, -1)
  .map((line) => {
    const [words = "", codes = ""] = line.split(",");
    return { words: words.toUpperCase(), codes: codes.split(" ") };
  });

/** The codes that a folded text stands for, as it is or without the ending of a plural; null if there are none. */
export function codesInCommon(asked: string): readonly string[] | null {
  const forms = [/$/, /S$/, /ES$/].map((ending) => asked.replace(ending, ""));
  forms.push(asked.replace(/IES$/, "Y"));
  const form = forms.find((each) => ROWS.some(({ words }) => words === each));
  return ROWS.find(({ words }) => words === form)?.codes ?? null;
}

/** Some words that stand for a code, a few of them as a plural; undefined if there are none. */
export function someCommonWords(
  code: string,
  anyValue: number,
): string | undefined {
  const rows = ROWS.filter(({ codes }) => codes.includes(code.toUpperCase()));
  const words = rows[anyValue % rows.length]?.words;
  return words !== undefined && anyValue % 3 === 0 ? `${words}S` : words;
}
