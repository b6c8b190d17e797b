import { readFileSync } from "node:fs";

/** A text of the table. */
interface CommonText {
  /** As the table has them: separated by spaces, in upper case. */
  readonly codes: string;
  /** Empty, or what is unusual about it: a misspelling, the start of a longer word, Spanish, or a topic. */
  readonly kind: string;
}

/** Words after a topic such as KNEE: only with one of these it is a specialty. */
const OF_TOPIC =
  / (?:DOCTOR|DR|SPECIALIST|SURGEON|EXPERT|CLINIC|CENTER|TREATMENT)S?$/;

const TOPIC = "topic";

/** By folded text. */
let loaded: ReadonlyMap<string, CommonText> | undefined;

/**
 * Finds the codes of the taxonomies that a folded text stands for in everyday language, in upper case: CARDIOLOGIST
 * stands for six. If the table doesn't have the text, its last word is read as a plural, and then what is before
 * DOCTOR, SPECIALIST, and the like as a topic. Null if the table has none of that.
 *
 * The table is `common-specialties.csv`, read on first use.
 */
export function commonCodesOf(folded: string): ReadonlySet<string> | null {
  const table = loadTable();
  const text = [folded, ...singularsOf(folded)]
    .map((form) => table.get(form))
    .find((each) => each !== undefined && each.kind !== TOPIC);
  const topic = OF_TOPIC.test(folded)
    ? topicOf(table, folded.replace(OF_TOPIC, ""))
    : undefined;
  const known = text ?? topic;
  return known === undefined ? null : new Set(known.codes.split(" "));
}

/** True if a folded text is a topic, such as MIGRAINES. */
export function isTopic(folded: string): boolean {
  return topicOf(loadTable(), folded) !== undefined;
}

function topicOf(
  table: ReadonlyMap<string, CommonText>,
  folded: string,
): CommonText | undefined {
  return [folded, ...singularsOf(folded)]
    .map((form) => table.get(form))
    .find((each) => each?.kind === TOPIC);
}

/** Lists the texts of the table, folded, in order, without usual misspellings, starts of words, Spanish, and topics. */
export function commonTexts(): string[] {
  return [...loadTable()]
    .filter(([, { kind }]) => kind === "")
    .map(([text]) => text)
    .sort();
}

function loadTable(): ReadonlyMap<string, CommonText> {
  return (loaded ??= readTable(
    readFileSync(new URL("common-specialties.csv", import.meta.url), "utf8"),
  ));
}

/** Returns what a folded text can be the plural of. */
export function singularsOf(folded: string): string[] {
  const singulars: string[] = [];
  if (folded.endsWith("S")) singulars.push(folded.slice(0, -1));
  if (folded.endsWith("ES")) singulars.push(folded.slice(0, -2));
  if (folded.endsWith("IES")) singulars.push(`${folded.slice(0, -3)}Y`);
  return singulars;
}

/**
 * Reads lines of texts with the same meaning, and its codes, after a header; `wrong` follows misspellings, `short`
 * words such as derm, `spanish` Spanish ones, and `topic` what is a specialty only before DOCTOR and the like.
 */
function readTable(csv: string): Map<string, CommonText> {
  const lines = csv.trim().split("\n").slice(1);
  return new Map(
    lines.flatMap((line) => {
      const [words = "", codes = "", kind = ""] = line.split(",");
      const texts = words.toUpperCase().split("; ");
      return texts.map((text) => [text, { codes, kind }] as const);
    }),
  );
}
