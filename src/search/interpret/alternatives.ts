import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold } from "../../text/fold.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import type { Reading } from "./interpret.ts";
import type { AskedOperation } from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { stateCodeOf } from "./words/states.ts";

/** With fewer words, a name without one of them is another name. */
const MIN_WORDS = 3;

/** The other senses of an ambiguous reading, the likeliest first: a name for a city, a city for a state, and so on. */
export function otherSenses(reading: Reading): AskedOperation[] {
  const { filters, operation } = reading;
  if (operation === "nearby") return [withoutDistance(reading)];
  if (operation !== "search") return [];
  const found: AskedOperation[] = [];
  const add = (other: InterpretedFilters): void => {
    found.push({ operation: "search", filters: other });
  };
  const { city, first_name: first, last_name: last, name, state } = filters;
  const typedState = typedAs(reading, "state");
  const typedCity = typedAs(reading, "city");

  if (city !== undefined && typedState === null) {
    const { city: _, state: __, ...rest } = filters;
    const asName = typedCity ?? city;
    const code = stateCodeOf(fold(asName));
    if (code !== null) add({ ...rest, state: code });
    if (rest.organization === undefined)
      add({ ...rest, name: name === undefined ? asName : `${name} ${asName}` });
  }
  if (state !== undefined && city === undefined && typedState !== null) {
    const { state: _, ...rest } = filters;
    add({ ...rest, city: typedState });
    if (name === undefined && rest.organization === undefined)
      add({ ...rest, name: typedState });
  }
  if (name !== undefined && city === undefined && state === undefined) {
    const { name: _, ...rest } = filters;
    add({ ...rest, city: name });
  }
  if (last !== undefined) {
    const {
      first_name: _,
      last_name: __,
      name_aliases: ___,
      ...rest
    } = filters;
    add({ ...rest, name: `${first ?? ""} ${last}`.trim() });
  }
  const typedSpecialty = typedAs(reading, "specialty");
  if (typedSpecialty !== null) {
    const { specialty: _, specialty_scope: __, ...rest } = filters;
    const code = stateCodeOf(fold(typedSpecialty));
    if (code !== null && state === undefined) add({ ...rest, state: code });
    if (name === undefined) add({ ...rest, name: typedSpecialty });
  }
  return found;
}

/** The same without its middle initial, for those who are registered without a middle name. */
export function withoutInitial({
  filters,
  operation,
}: Reading): AskedOperation[] {
  const { middle_initial: initial, ...rest } = filters;
  return initial === undefined || operation === null
    ? []
    : [{ operation, filters: rest }];
}

/**
 * The same with nicknames and full forms of the first name, which is the first or the last word of a name. Only with a
 * last name that someone has.
 */
export function withNicknames(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  if (operation === null || filters.name_aliases !== undefined) return [];
  const { first_name: given, last_name: family, name, ...rest } = filters;
  const parts = name?.split(" ") ?? [];
  const orders =
    name === undefined
      ? [{ first: given, last: family }]
      : [
          { first: parts[0], last: parts.slice(1).join(" ") },
          { first: parts.at(-1), last: parts.slice(0, -1).join(" ") },
        ];
  return orders.flatMap(({ first = "", last = "" }) =>
    aliasesOf(fold(first)).length > 0 && vocabulary.withLastName(fold(last)) > 0
      ? [
          {
            operation,
            filters: {
              ...rest,
              first_name: first,
              last_name: last,
              name_aliases: "true",
            },
          },
        ]
      : [],
  );
}

/** A name of three words or more without one of them: a middle one first, and the last one last. */
export function withFewerWords({
  filters,
  operation,
}: Reading): AskedOperation[] {
  const parts = filters.name?.split(" ") ?? [];
  if (operation === null || parts.length < MIN_WORDS) return [];
  const last = parts.length - 1;
  const middle = [...parts.keys()].slice(1, last);
  return [...middle, 0, last].map((left) => ({
    operation,
    filters: {
      ...filters,
      name: parts.filter((_, index) => index !== left).join(" "),
    },
  }));
}

/** A search in the place instead of around it. */
function withoutDistance({ filters, place }: Reading): AskedOperation {
  const { radius: _, zip: __, ...rest } = filters;
  return { operation: "search", filters: { ...rest, ...place } };
}

/** What was typed of a filter, if that is one part of the text; else null. */
function typedAs(
  { understood }: Reading,
  filter: keyof InterpretedFilters,
): string | null {
  const parts = understood.filter((part) => part.filter === filter);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only.text : null;
}
