/** The oracle for everyday words of specialties: the table, line by line. */

import { readFileSync } from "node:fs";

/** Words in upper case, and their codes. */
const ROWS = readFileSync(
  new URL(
    "../../../../src/search/aliases/common-specialties.csv",
    import.meta.url,
  ),
  "utf8",
)
  .split("\n")
  .slice(1, -1)
  .flatMap((line) => {
    const [texts = "", codes = "", kind = ""] = line.split(",");
    return texts.split("; ").map((text) => ({
      words: text.toUpperCase(),
      codes: codes.split(" "),
      kind,
    }));
  });
const TOPICS = ROWS.filter(({ kind }) => kind === "topic");
const TEXTS = ROWS.filter(({ kind }) => kind !== "topic");
const KINDS =
  "DOCTOR DR SPECIALIST SURGEON EXPERT CLINIC CENTER TREATMENT".split(" ");

/**
 * The codes that a folded text stands for, as it is, without the ending of a plural, or as a topic with a kind of
 * doctor or place after it; null if there are none.
 */
export function codesInCommon(asked: string): readonly string[] | null {
  const text = rowOf(TEXTS, asked);
  const kind = KINDS.flatMap((each) => [` ${each}`, ` ${each}S`]).find((each) =>
    asked.endsWith(each),
  );
  const topic =
    kind === undefined
      ? undefined
      : rowOf(TOPICS, asked.slice(0, -kind.length));
  return (text ?? topic)?.codes ?? null;
}

/** The first row with a text, as it is or without the ending of a plural. */
function rowOf(rows: typeof ROWS, asked: string) {
  const forms = [/$/, /S$/, /ES$/].map((ending) => asked.replace(ending, ""));
  forms.push(asked.replace(/IES$/, "Y"));
  const form = forms.find((each) => rows.some(({ words }) => words === each));
  return rows.find(({ words }) => words === form);
}

/** Some words that stand for a code, a few of them as a plural; undefined if there are none. */
export function someCommonWords(
  code: string,
  anyValue: number,
): string | undefined {
  const rows = ROWS.filter(({ codes }) => codes.includes(code.toUpperCase()));
  const row = rows[anyValue % rows.length];
  if (row === undefined) return undefined;
  const words =
    row.kind === "topic"
      ? `${row.words} ${KINDS[anyValue % KINDS.length]}`
      : row.words;
  return anyValue % 3 === 0 ? `${words}S` : words;
}
