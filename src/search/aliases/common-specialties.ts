import { readFileSync } from "node:fs";

/** The codes of folded words, as the table has them: separated by spaces, in upper case. */
let table: ReadonlyMap<string, string> | undefined;

/**
 * The codes of the taxonomies that a folded text stands for in everyday language, in upper case: CARDIOLOGIST stands
 * for six. If the table doesn't have the text, its last word is read as a plural. Null if the table doesn't have that
 * either.
 *
 * The table is `common-specialties.csv`, read on first use.
 */
export function commonCodesOf(folded: string): ReadonlySet<string> | null {
  for (const form of [folded, ...singularsOf(folded)]) {
    const codes = loadTable().get(form);
    if (codes !== undefined) return new Set(codes.split(" "));
  }
  return null;
}

/** All texts of the table, folded. */
export function commonTexts(): Iterable<string> {
  return loadTable().keys();
}

function loadTable(): ReadonlyMap<string, string> {
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

/** Reads lines of `words,codes` after a header. */
function readTable(csv: string): Map<string, string> {
  const lines = csv.trim().split("\n").slice(1);
  return new Map(
    lines.map((line) => {
      const [words = "", codes = ""] = line.split(",");
      return [words.toUpperCase(), codes];
    }),
  );
}
