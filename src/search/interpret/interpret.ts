import type {
  InterpretedFilters,
  InterpretedOperation,
  Interpretation,
} from "../../contract/interpret.ts";
import { Draft, type Note } from "./draft.ts";
import { longTexts } from "./long-texts.ts";
import { dropAddresses } from "./rules/addresses.ts";
import { readDistance } from "./rules/distance.ts";
import { splitInitials } from "./rules/initials.ts";
import {
  protectInitials,
  readMiddle,
  type MiddleSense,
} from "./rules/middle-names.ts";
import {
  dropOtherLetters,
  dropRepeated,
  readCredentials,
  readName,
} from "./rules/names.ts";
import { readNumbers, type TypedNpi } from "./rules/numbers.ts";
import { decideOperation } from "./rules/operation.ts";
import { readOrganization } from "./rules/organizations.ts";
import {
  dropFillers,
  dropJoining,
  dropLabels,
  dropTitles,
  readKind,
} from "./rules/phrases.ts";
import { readPlaces } from "./rules/places.ts";
import {
  findSpecialties,
  readAnyPhysician,
  readSpecialties,
  readTaxonomy,
} from "./rules/specialties.ts";
import { dropNumbers, readZips } from "./rules/zips.ts";
import { MAX_WORDS, readWords } from "./sentence.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { REASONS } from "./words/reasons.ts";

/** What a text was understood as, without totals. */
export interface Reading {
  readonly operation: InterpretedOperation | null;
  readonly filters: InterpretedFilters;
  readonly understood: Interpretation["understood"];
  readonly dropped: Interpretation["dropped"];
  /** The place of a nearby search as filters of a search, as typed. */
  readonly place: InterpretedFilters;
  /** An NPI with a wrong check digit; null if none was typed. */
  readonly wrongNpi: string | null;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Reads what a user typed, by rules in a fixed order. Each rule takes words from those that are free; what is free at
 * the end is a name, in which `middle` says what is the middle name.
 */
export function interpret(
  typed: string,
  vocabulary: Vocabulary,
  middle: MiddleSense = "initial",
): Reading {
  const { notes, npi, rest } = readNumbers(typed);
  const words = splitInitials(readWords(rest), vocabulary);
  const draft = new Draft(words.slice(0, MAX_WORDS));
  draft.notes.push(...notes);
  if (words.length > MAX_WORDS)
    draft.notes.push({
      start: words[MAX_WORDS]!.start,
      end: words.at(-1)!.end,
      reason: REASONS.tooMany,
    });
  const operation =
    npi === null ? readDraft(draft, vocabulary, middle) : readNpi(draft, npi);
  return {
    operation,
    filters: draft.filters,
    place: draft.place,
    ...partsOf(typed, draft.notes),
    wrongNpi: npi === null || npi.isValid ? null : npi.npi,
  };
}

/** An NPI decides; nothing else counts. */
function readNpi(draft: Draft, { isValid, npi }: TypedNpi): "lookup" | null {
  draft.dropFree(REASONS.npiDecides);
  if (!isValid) return null;
  draft.filters.npi = npi;
  return "lookup";
}

function readDraft(
  draft: Draft,
  vocabulary: Vocabulary,
  middle: MiddleSense,
): InterpretedOperation | null {
  dropOtherLetters(draft);
  protectInitials(draft, vocabulary);
  dropLabels(draft);
  dropFillers(draft);
  dropTitles(draft);
  readDistance(draft);
  dropAddresses(draft);
  readKind(draft);
  readTaxonomy(draft);
  readZips(draft);
  const specialties = findSpecialties(draft, vocabulary);
  readOrganization(draft, vocabulary, specialties);
  readSpecialties(draft, specialties);
  readPlaces(draft, vocabulary);
  readCredentials(draft, vocabulary);
  readAnyPhysician(draft);
  dropJoining(draft);
  dropNumbers(draft);
  dropRepeated(draft);
  readMiddle(draft, vocabulary, middle);
  readName(draft, vocabulary);
  const operation = decideOperation(draft, vocabulary);
  for (const filter of longTexts(draft.filters)) {
    delete draft.filters[filter];
    draft.dropUnderstood(filter, REASONS.tooLong);
  }
  // Around a place that is missing, there may be no filters.
  const isEmpty = Object.keys(draft.filters).length === 0;
  return isEmpty && operation === "search" ? null : operation;
}

/** The parts of a text, in its order. Neighbors that became the same are one. */
function partsOf(
  typed: string,
  notes: readonly Note[],
): Pick<Reading, "dropped" | "understood"> {
  const parts: Note[] = [];
  for (const note of notes.toSorted((a, b) => a.start - b.start)) {
    const last = parts.at(-1);
    // A symbol such as ℀ is two words.
    if (last !== undefined && note.start < last.end) continue;
    const isSame =
      last?.filter === note.filter &&
      last?.reason === note.reason &&
      !LETTER_OR_DIGIT.test(typed.slice(last?.end, note.start));
    if (last !== undefined && isSame)
      parts[parts.length - 1] = { ...last, end: Math.max(last.end, note.end) };
    else parts.push(note);
  }
  const understood: Interpretation["understood"] = [];
  const dropped: Interpretation["dropped"] = [];
  for (const { end, filter, reason = "", start } of parts) {
    const text = typed.slice(start, end);
    if (filter === undefined) dropped.push({ text, reason });
    else understood.push({ text, filter });
  }
  return { dropped, understood };
}
