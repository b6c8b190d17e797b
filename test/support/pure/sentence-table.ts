/** Reads the table of sentences (`sentences.txt`), and compares interpretations with what it expects. */

import { readFileSync } from "node:fs";
import type { Interpretation } from "../../../src/contract/interpret.ts";
import { commonCodesOf } from "../../../src/search/aliases/common-specialties.ts";
import { cityKey, fold, words } from "../../../src/text/fold.ts";

/** A sentence, and what it must become: keys and values of the table. */
export interface Sentence {
  readonly typed: string;
  readonly expected: ReadonlyMap<string, string>;
}

/** What the table calls these; the table of everyday words has them under their longer names. */
const MEANT: Readonly<Record<string, string>> = {
  PA: "PHYSICIAN ASSISTANT",
  OD: "OPTOMETRIST",
  DC: "CHIROPRACTOR",
  "ID DOCTOR": "INFECTIOUS DISEASE DOCTOR",
};
const OPTIONAL_WORDS = new Set("INC LLC PC PLLC OF AND THE".split(" "));
const PAIR = /(\w+)=(?:"([^"]*)"|(\S+))/g;

export function readSentences(): Sentence[] {
  const text = readFileSync(
    new URL("../../search/interpret/sentences.txt", import.meta.url),
    "utf8",
  );
  return text
    .split("\n")
    .filter((line) => line.includes("\t") && !line.startsWith("#"))
    .map((line) => {
      const [typed = "", expected = ""] = line.split("\t");
      const pairs = [...expected.matchAll(PAIR)].map(
        ([, key = "", quoted, bare = ""]) => [key, quoted ?? bare] as const,
      );
      return { typed, expected: new Map(pairs) };
    });
}

/**
 * What is wrong with an interpretation; null if it is as expected. `centers` has the ZIPs of a city, in a state or in
 * any. Of a name, single letters between others and the order of words don't count; the filters first_name and
 * last_name have the same words as name. A wrong check digit must be dropped with that reason.
 */
export function problemOf(
  { expected }: Sentence,
  answer: Interpretation,
  centers: (city: string, state: string | undefined) => readonly string[],
): string | null {
  const want = (key: string) => expected.get(key);
  const { filters, operation } = answer;
  if (want("none") !== undefined)
    return operation === null ? null : `is ${operation}, not null`;
  const npi = want("npi");
  if (npi !== undefined && operation === null)
    return answer.dropped.some(
      ({ reason, text }) =>
        reason.includes("check digit") && text.replaceAll(/\D/g, "") === npi,
    )
      ? null
      : "the check digit is not named";
  if (operation !== want("op")) return `is ${operation}, not ${want("op")}`;
  const suggested = want("suggest");
  return (
    (filters.npi === npi ? null : `npi is ${filters.npi}`) ??
    placeProblem(expected, filters, centers, suggested !== undefined) ??
    nameProblem(expected, filters, suggested !== undefined) ??
    (filters.middle_initial === want("middle")
      ? null
      : `middle_initial is ${filters.middle_initial}`) ??
    specialtyProblem(want("specialty"), filters.specialty, suggested) ??
    (String(filters.radius ?? "none") === (want("radius") ?? "none")
      ? null
      : `radius is ${filters.radius}`) ??
    (filters.taxonomy === want("taxonomy")
      ? null
      : `taxonomy is ${filters.taxonomy}`) ??
    (filters.entity_type === want("entity_type")
      ? null
      : `entity_type is ${filters.entity_type}`) ??
    (suggested === undefined || suggests(answer, suggested)
      ? null
      : `does not suggest ${suggested}`) ??
    nicknamesProblem(want("nicknames"), answer)
  );
}

type Filters = Interpretation["filters"];

function placeProblem(
  expected: Sentence["expected"],
  filters: Filters,
  centers: (city: string, state: string | undefined) => readonly string[],
  mayBeMisspelled: boolean,
): string | null {
  const city = expected.get("city");
  const state = expected.get("state");
  if (expected.has("near"))
    return filters.zip !== undefined &&
      centers(city ?? "", state).includes(filters.zip)
      ? null
      : `zip is ${filters.zip}, not one of ${city}`;
  if (filters.zip !== expected.get("zip")) return `zip is ${filters.zip}`;
  if (filters.state !== state) return `state is ${filters.state}`;
  if (city === undefined && mayBeMisspelled) return null;
  return cityKey(filters.city ?? "") === cityKey(city ?? "")
    ? null
    : `city is ${filters.city}`;
}

function nameProblem(
  expected: Sentence["expected"],
  filters: Filters,
  mayBeMisspelled: boolean,
): string | null {
  const name = expected.get("name");
  const organization = expected.get("organization");
  const own = [filters.name, filters.first_name, filters.last_name]
    .filter((each) => each !== undefined)
    .join(" ");
  if (name === undefined && organization === undefined)
    return mayBeMisspelled || (own === "" && !filters.organization)
      ? null
      : `name is ${own}, organization is ${filters.organization}`;
  if (filters.organization !== undefined && organization === undefined)
    return `organization is ${filters.organization}`;
  const found =
    organization === undefined ? own : (filters.organization ?? own);
  return isSameName(nameWords(found), nameWords(organization ?? name ?? ""))
    ? null
    : `name is ${found}`;
}

/** True if the words are the same, in any order. Of two or more other words, single letters may be missing. */
function isSameName(found: readonly string[], expected: readonly string[]) {
  const missing = expected.filter((word) => !found.includes(word));
  return (
    found.every((word) => expected.includes(word)) &&
    missing.every((word) => word.length === 1) &&
    (missing.length === 0 || found.length > 1)
  );
}

function nameWords(name: string): string[] {
  return words(fold(name)).filter((word) => !OPTIONAL_WORDS.has(word));
}

function specialtyProblem(
  expected: string | undefined,
  actual: string | undefined,
  suggested: string | undefined,
): string | null {
  if (expected === undefined && suggested !== undefined) return null;
  const codes = codesOf(actual);
  return codes === codesOf(expected) &&
    (codes === "") === (expected === undefined)
    ? null
    : `specialty is ${actual}`;
}

function codesOf(specialty: string | undefined): string {
  const folded = fold(specialty ?? "");
  return [...(commonCodesOf(MEANT[folded] ?? folded) ?? [])].sort().join(" ");
}

function nicknamesProblem(
  expected: string | undefined,
  { alternatives }: Interpretation,
): string | null {
  if (expected === undefined) return null;
  const [first] = alternatives;
  return first?.filters.name_aliases === "true" &&
    first.total === Number(expected)
    ? null
    : `with nicknames ${first?.total} are found first`;
}

/** True if a word is in a filter or an alternative, or a specialty stands for the same taxonomies. */
function suggests(
  { alternatives, filters }: Interpretation,
  word: string,
): boolean {
  const isShown = (each: Filters): boolean =>
    Object.values(each).some((value) =>
      words(fold(String(value))).includes(fold(word)),
    ) ||
    (each.specialty !== undefined && codesOf(each.specialty) === codesOf(word));
  return isShown(filters) || alternatives.some((each) => isShown(each.filters));
}
