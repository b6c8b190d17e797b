import { readFileSync } from "node:fs";

/** A text of the table. */
interface CommonText {
  /** As the table has them: separated by spaces, in upper case. */
  readonly codes: string;
  /** Neither a usual misspelling nor the start of a longer word. */
  readonly isWord: boolean;
}

/** By folded text. */
let table: ReadonlyMap<string, CommonText> | undefined;

/**
 * The codes of the taxonomies that a folded text stands for in everyday language, in upper case: CARDIOLOGIST stands
 * for six. If the table doesn't have the text, its last word is read as a plural. Null if the table doesn't have that
 * either.
 *
 * The table is `common-specialties.csv`, read on first use.
 */
export function commonCodesOf(folded: string): ReadonlySet<string> | null {
  for (const form of [folded, ...singularsOf(folded)]) {
    const known = loadTable().get(form);
    if (known !== undefined) return new Set(known.codes.split(" "));
  }
  return null;
}

/** The texts of the table, folded, without usual misspellings and starts of words. */
export function commonTexts(): string[] {
  return [...loadTable()]
    .filter(([, { isWord }]) => isWord)
    .map(([text]) => text);
}

function loadTable(): ReadonlyMap<string, CommonText> {
  return (table ??= readTable(
    readFileSync(new URL("common-specialties.csv", import.meta.url), "utf8"),
  ));
}

/** What a folded text can be the plural of. */
function singularsOf(folded: string): string[] {
  const singulars: string[] = [];
  if (folded.endsWith("S")) singulars.push(folded.slice(0, -1));
  if (folded.endsWith("ES")) singulars.push(folded.slice(0, -2));
  if (folded.endsWith("IES")) singulars.push(`${folded.slice(0, -3)}Y`);
  return singulars;
}

/** Reads lines of `words,codes` after a header; `wrong` follows misspellings, `short` words such as derm. */
function readTable(csv: string): Map<string, CommonText> {
  const lines = csv.trim().split("\n").slice(1);
  return new Map(
    lines.map((line) => {
      const [words = "", codes = "", spelling] = line.split(",");
      return [words.toUpperCase(), { codes, isWord: spelling === undefined }];
    }),
  );
}
