import { MAX_TEXT_CHARACTERS } from "../../contract/filters.ts";
import type { InterpretedFilters } from "../../contract/interpret.ts";

const TEXTS = [
  "name",
  "first_name",
  "last_name",
  "organization",
  "city",
] as const satisfies readonly (keyof InterpretedFilters)[];

/** The filters whose text is longer than a parameter may be, in UTF-16 units: never fewer than its characters. */
export function longTexts(
  filters: InterpretedFilters,
): (typeof TEXTS)[number][] {
  return TEXTS.filter(
    (name) => (filters[name] ?? "").length > MAX_TEXT_CHARACTERS,
  );
}
