import type { InterpretedFilters } from "../../contract/interpret.ts";
import { interpret, type Reading } from "./interpret.ts";
import type { MiddleSense } from "./rules/middle-names.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * How a text is read, and how else if that finds no one: without its middle initial, or with a word of the name as the
 * middle name.
 */
export function* readings(
  typed: string,
  vocabulary: Vocabulary,
): Generator<Reading, void> {
  const reading = interpret(typed, vocabulary);
  yield reading;
  const middle = otherMiddle(reading.filters, vocabulary);
  if (middle === null) return;
  const other = interpret(typed, vocabulary, middle);
  if (other.filters.middle_initial !== reading.filters.middle_initial)
    yield other;
}

function otherMiddle(
  { first_name: first, middle_initial: middle, name }: InterpretedFilters,
  { hasMiddleInitials }: Vocabulary,
): MiddleSense | null {
  if (middle !== undefined) return "none";
  const canHaveMiddle = wordsIn(name) > 2 || wordsIn(first) > 1;
  return hasMiddleInitials && canHaveMiddle ? "word" : null;
}

function wordsIn(name = ""): number {
  return name.split(" ").length;
}
