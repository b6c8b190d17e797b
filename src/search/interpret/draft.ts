import type { InterpretedFilters } from "../../contract/interpret.ts";
import { initialOf } from "../../snapshot/names/middle-initials.ts";
import { fold } from "../../text/fold.ts";
import { hasPersonName, isLastFirst, spansIn, type Cover } from "./cover.ts";
import { isKind } from "./lexicon.ts";
import { REASONS } from "./reasons.ts";
import { isSign, phraseOf, typedText, type Word } from "./sentence.ts";
import type { Note, Span } from "./span.ts";
import type { Vocabulary } from "./vocabulary.ts";

const ZIP_DIGITS = 5;
const SHORT_NPI = /^[12]\d{8}$/;
/** Starts of last names that are written with and without a space: only `name` finds both. */
const NAME_STARTS = new Set(["O", "D", "MC", "MAC"]);

/** Names as they are typed, by what they are. */
interface TypedNames {
  readonly isLastFirst: boolean;
  /** True if the text names a person. */
  readonly hasPerson: boolean;
  readonly first: Span[];
  readonly last: Span[];
}

/** Turns a cover into filters, with a note for each part of the text. */
export class Draft {
  readonly words: readonly Word[];
  readonly vocabulary: Vocabulary;
  filters: InterpretedFilters = {};
  /** The place of a nearby search as filters of a search, as typed. */
  place: InterpretedFilters = {};
  notes: Note[] = [];
  /** True if the text asks for providers near a place. */
  isNear = false;

  constructor(words: readonly Word[], vocabulary: Vocabulary, cover: Cover) {
    this.words = words;
    this.vocabulary = vocabulary;
    const names: TypedNames = {
      first: [],
      last: [],
      isLastFirst: isLastFirst(cover),
      hasPerson: hasPersonName(cover),
    };
    for (const { isSecond, span } of spansIn(cover))
      if (isSecond) this.#note(span, { reason: this.#reasonOfSecond(span) });
      else this.#take(span, names);
    if (names.first.length + names.last.length > 0) this.#takeNames(names);
  }

  /** Marks the words of a filter as dropped, with a reason. */
  dropUnderstood(filter: string, reason: string): void {
    this.notes = this.notes.map((note) =>
      note.filter === filter
        ? { start: note.start, end: note.end, reason }
        : note,
    );
  }

  /** Assigns the words of one filter to another. */
  renameUnderstood(from: string, to: string): void {
    this.notes = this.notes.map((note) =>
      note.filter === from ? { ...note, filter: to } : note,
    );
  }

  #take(span: Span, names: TypedNames): void {
    const { filters = {}, from, kind, reason, stateAt, to } = span;
    const isAfterComma =
      kind === "word" && names.isLastFirst && names.last.length > 0;
    if (kind === "first" || (isAfterComma && names.first.length === 0))
      names.first.push(span);
    else if (isAfterComma) this.#takeMiddle(span);
    else if (kind === "last" || kind === "word") names.last.push(span);
    else if (kind === "organization")
      this.#takeOrganization(span, names.hasPerson);
    else if (kind === "near") {
      this.isNear = true;
      this.#note(span, { filter: "operation" });
    } else if (reason !== undefined) {
      const isSecondInitial =
        kind === "middle" && this.filters.middle_initial !== undefined;
      const why = isSecondInitial ? REASONS.oneInitial : reason;
      this.#note(span, { reason: why });
    } else {
      Object.assign(this.filters, filters);
      const [filter = ""] = Object.keys(filters);
      this.#note({ from, to: stateAt ?? to }, { filter });
      if (stateAt !== undefined)
        this.#note({ from: stateAt, to }, { filter: "state" });
      if (kind === "zip") this.#noteShortNpi();
    }
  }

  /** Says of the only word, a ZIP code with four more digits, that it may be an NPI that lacks a digit. */
  #noteShortNpi(): void {
    const [only, ...others] = this.words;
    const [note] = this.notes;
    if (others.length > 0 || note === undefined) return;
    if (!SHORT_NPI.test(only?.folded ?? "")) return;
    const end = note.start + ZIP_DIGITS;
    this.notes = [
      { ...note, end },
      { start: end, end: note.end, reason: REASONS.npiOrZip },
    ];
  }

  /** Returns why a second specialty, place, or distance is in no filter. */
  #reasonOfSecond({ filters = {}, kind }: Span): string {
    const known: Readonly<Record<string, number | string>> = this.filters;
    const isSaid = Object.entries(filters).every(
      ([name, value]) =>
        fold(String(value)) === fold(String(known[name] ?? "")),
    );
    if (isSaid) return REASONS.said;
    if (kind === "specialty") return REASONS.oneSpecialty;
    if (kind === "zip") return REASONS.oneZip;
    return kind === "radius" ? REASONS.oneDistance : REASONS.onePlace;
  }

  /**
   * Takes an organization's name; one that people can have, too, if the text has no person or word of organizations.
   */
  #takeOrganization({ from, to }: Span, hasPerson: boolean): void {
    const words = this.words.slice(from, to);
    const hasLegal = words.some(isLegal);
    const isLeftOut = (word: Word, index: number): boolean =>
      hasLegal &&
      (isLegal(word) || (index > 0 && isKind(word.folded, "credential")));
    // LLC INC by itself is all that there is of the name.
    const hasOthers = words.some(
      (word, index) => !isSign(word) && !isLeftOut(word, index),
    );
    const isNamed =
      hasPerson ||
      hasLegal ||
      words.some(({ folded }) => isKind(folded, "organization"));
    const filter = isNamed ? "organization" : "name";
    const named = words.filter((word, index) => {
      const isKept = !hasOthers || !isLeftOut(word, index);
      const reason = isLegal(word) ? REASONS.legalForm : REASONS.credential;
      this.#note(
        { from: from + index, to: from + index + 1 },
        isKept ? { filter } : { reason },
      );
      return isKept;
    });
    this.filters[filter] = typedText(named);
  }

  /** Understands a word after "last, first" as the middle name, of which only the initial can be searched. */
  #takeMiddle(span: Span): void {
    const { folded } = this.words[span.from]!;
    const isHeld = this.vocabulary.hasMiddleInitials && initialOf(folded) > 0;
    if (isHeld && this.filters.middle_initial === undefined) {
      this.filters.middle_initial = folded.charAt(0);
      this.#note(span, { filter: "middle_initial" });
    } else {
      const reason = isHeld ? REASONS.oneInitial : REASONS.initialUnknown;
      this.#note(span, { reason });
    }
  }

  #takeNames({ first, isLastFirst: isTurned, last }: TypedNames): void {
    const firstName = this.#joined(first);
    const lastName = this.#joined(last);
    const start = this.words[last[0]?.from ?? 0]!.folded;
    const isInitial =
      firstName.length === 1 &&
      lastName !== "" &&
      this.filters.middle_initial !== undefined;
    if ((isTurned && !NAME_STARTS.has(start)) || isInitial) {
      for (const span of first) this.#note(span, { filter: "first_name" });
      for (const span of last) this.#note(span, { filter: "last_name" });
      this.filters.first_name = firstName;
      this.filters.last_name = lastName;
      if (!isInitial) this.filters.name_aliases = "true";
      return;
    }
    const all = [...first, ...last].sort((a, b) => a.from - b.from);
    const seen = new Set<string>();
    const named = all.filter((span) => {
      const phrase = phraseOf(this.words.slice(span.from, span.to));
      const isRepeated = phrase.length > 1 && seen.has(phrase);
      seen.add(phrase);
      this.#note(
        span,
        isRepeated ? { reason: REASONS.said } : { filter: "name" },
      );
      return !isRepeated;
    });
    this.filters.name = this.#joined(named);
  }

  #joined(spans: readonly Span[]): string {
    return typedText(
      spans.flatMap(({ from, to }) => this.words.slice(from, to)),
    );
  }

  #note(
    { from, to }: Pick<Span, "from" | "to">,
    use: Pick<Note, "filter" | "reason">,
  ): void {
    const { start } = this.words[from]!;
    const { end } = this.words[to - 1]!;
    this.notes.push({ start, end, ...use });
  }
}

function isLegal({ folded }: Word): boolean {
  return isKind(folded, "legal");
}
