import { cityKey, fold, words } from "../../../src/text/fold.ts";
import type { Matching } from "./page-sql.ts";
import type { Filtered } from "./question.ts";
import type { Value } from "../rows.ts";

/** How a peer finds words in names. */
export interface WordSearch {
  /** What it looks in: the table `name`, maybe joined with an index. */
  table: string;
  /** SQL for: each word is in the name, and each starts a word of the name. `values` are for both, from `$2` on. */
  inside: string;
  starts: string;
  values: readonly Value[];
  isCostly: boolean;
}

/** The providers that a question asks for, in SQL that all peers know but for the words in names. */
export function matchingOf(
  question: Filtered,
  findWords: (parts: readonly string[]) => WordSearch,
): Matching {
  switch (question.kind) {
    case "zip":
      return placed("zip = $1", [Number(question.zip)]);
    case "city":
      return placed("us_state = $1 AND city_key = $2", [
        question.state,
        cityKey(question.city),
      ]);
    case "taxonomy":
      return placed("taxonomy = $1", [question.taxonomy]);
    case "specialty":
      return ofSpecialty(question.state, question.specialty);
    case "lastName":
      return ofPrefix(fold(question.last_name));
    case "name":
      return ofWords(
        question.name,
        "name.last_key = $1 OR name.first_key = $1 OR name.name_key = ' ' || $1 OR name.last_key || ' ' || name.first_key = $1",
        "",
        findWords,
      );
    default:
      return ofWords(
        question.organization,
        "name.name_key = ' ' || $1",
        " AND name.entity = 2",
        findWords,
      );
  }
}

function placed(where: string, values: Value[]): Matching {
  return { table: "provider", where, tier: null, values, isCostly: false };
}

/** Each word is in the display name of the taxonomy. */
function ofSpecialty(state: string, specialty: string): Matching {
  const parts = words(fold(specialty));
  const names = parts.map((_, at) => `name_key LIKE $${at + 2}`).join(" AND ");
  return {
    table: "provider",
    where: `us_state = $1 AND taxonomy IN (SELECT code FROM specialty WHERE ${names})`,
    tier: null,
    values: [state, ...parts.map((part) => `%${part}%`)],
    isCostly: true,
  };
}

/** The last names that begin with the value, those that are the value first. No character sorts after U+10FFFF. */
function ofPrefix(asked: string): Matching {
  return {
    table: "name",
    where: "last_key >= $1 AND last_key < $2",
    tier: "CASE WHEN last_key = $1 THEN 0 ELSE 1 END",
    values: [asked, `${asked}\u{10ffff}`],
    isCostly: false,
  };
}

/** Names that contain each word: first those equal to the value, then those where each word starts one. */
function ofWords(
  value: string,
  isValue: string,
  also: string,
  findWords: (parts: readonly string[]) => WordSearch,
): Matching {
  const asked = fold(value);
  const parts = [...new Set(words(asked))];
  const { table, inside, starts, values, isCostly } = findWords(parts);
  return {
    table,
    where: inside + also,
    tier: `CASE WHEN ${starts} THEN CASE WHEN ${isValue} THEN 0 ELSE 1 END ELSE 2 END`,
    values: [asked, ...values],
    isCostly,
  };
}
