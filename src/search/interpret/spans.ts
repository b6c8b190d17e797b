import { initialOf } from "../../snapshot/names/middle-initials.ts";
import { isTopic } from "../aliases/common-specialties.ts";
import { fixedSpans } from "./fixed-spans.ts";
import {
  entriesOf,
  isKind,
  longForm,
  MAX_LEXICON_WORDS,
  MAX_STATE_WORDS,
  reasonOf,
  stateCodeOf,
  valueOf,
  type Entry,
} from "./lexicon.ts";
import { REASONS } from "./reasons.ts";
import { isSign, phraseOf, typedText, type Word } from "./sentence.ts";
import { INITIAL, LEAST, MORE, OWN, RAREST, UNKNOWN } from "./scores.ts";
import type { Span, SpanKind } from "./span.ts";
import { MAX_SPECIALTY_WORDS } from "./specialty-texts.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The most words of a city's name. */
export const MAX_CITY_WORDS = 5;
const MAX_NAME_WORDS = 4;
const MAX_ORGANIZATION_WORDS = 24;
/** Letters that a credential is joined to: PA-C, OTR/L, LCSW-R, LPC-S. */
const CREDENTIAL_PART = /^[ACFLPRS]$/;
const MAX_CREDENTIAL_LETTERS = 4;
const DIGITS = /^\d+$/;
const LETTERS = /^\p{L}+$/u;
/** The registry has only Latin letters. */
const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/u;

const REASON_OF = {
  join: REASONS.joining,
  suffix: REASONS.suffix,
  title: REASONS.title,
} as const;
/** Words of credentials that fewer providers have are rather typing errors: names in the wrong field. */
const MIN_CREDENTIALS = 3;

/** Finds everything that words of a text can stand for, by their first word. */
export function spansOf(
  words: readonly Word[],
  vocabulary: Vocabulary,
): Span[][] {
  return new SpanFinder(words, vocabulary).find();
}

class SpanFinder {
  readonly #words: readonly Word[];
  readonly #vocabulary: Vocabulary;
  readonly #spans: Span[][];
  /** True if capitals say something: the text has small letters, too. */
  readonly #hasSmall: boolean;

  constructor(words: readonly Word[], vocabulary: Vocabulary) {
    this.#words = words;
    this.#vocabulary = vocabulary;
    this.#spans = words.map(() => []);
    this.#hasSmall =
      words.length === 1 || words.some(({ capitals }) => !capitals);
  }

  find(): Span[][] {
    for (const span of fixedSpans(this.#words))
      this.#spans[span.from]!.push(span);
    for (let from = 0; from < this.#words.length; from++) {
      this.#addOwn(from);
      this.#addSpecialties(from);
      this.#addStates(from);
      this.#addCities(from);
      this.#addOrganizations(from);
      this.#addNames(from);
      this.#addCredentials(from);
    }
    return this.#spans;
  }

  #add(
    from: number,
    to: number,
    kind: SpanKind,
    score: number,
    more: Pick<Span, "filters" | "isUnknown" | "reason" | "stateAt"> = {},
  ): void {
    this.#spans[from]!.push({ from, to, kind, score, ...more });
  }

  #drop(from: number, to: number, score: number, reason: string): void {
    this.#add(from, to, "drop", score, { reason });
  }

  /** Yields the folded words from `from` on, longer and longer, at most `most`, up to a comma. */
  *#phrases(
    from: number,
    most: number,
  ): Generator<{ to: number; phrase: string }, void> {
    let phrase = "";
    for (let to = from + 1; to <= from + most; to++) {
      const word = this.#words[to - 1];
      if (word === undefined || (word.comma && to > from + 1)) return;
      phrase += (to > from + 1 ? " " : "") + word.folded;
      yield { to, phrase };
    }
  }

  /** Returns how likely what `count` providers have is, as a logarithm to base 2. */
  #share(count: number): number {
    return Math.log2(
      Math.max(count, UNKNOWN) / Math.max(1, this.#vocabulary.count),
    );
  }

  /** Returns how likely that is of what users type even if few providers have it: the mean of two likelihoods. */
  #likely(count: number, kind: keyof typeof RAREST): number {
    const share = count / Math.max(1, this.#vocabulary.count);
    return Math.log2((share + 2 ** RAREST[kind]) / 2);
  }

  /** Returns the words `[from, to)` as typed. */
  #typed(from: number, to: number): string {
    return typedText(this.#words.slice(from, to));
  }

  #addOwn(from: number): void {
    for (const { phrase, to } of this.#phrases(from, MAX_LEXICON_WORDS))
      for (const entry of entriesOf(phrase)) this.#addEntry(from, to, entry);
  }

  #addEntry(from: number, to: number, { kind, value }: Entry): void {
    switch (kind) {
      case "join":
      case "suffix":
      case "title":
        return this.#add(from, to, kind, OWN[kind], {
          reason: REASON_OF[kind],
        });
      case "entity":
        return this.#add(from, to, kind, OWN.entity, {
          filters: {
            entity_type:
              value === "organization" ? "organization" : "individual",
          },
        });
      case "stop": {
        const score = OWN.stop * Math.sqrt(to - from);
        return this.#drop(from, to, score, reasonOf(value));
      }
      case "center":
        return this.#drop(from, to, OWN.center, REASONS.placeOfSpecialty);
      case "any": {
        const isNever = value === "drop";
        const score = isNever ? OWN.noSpecialist : OWN.noDoctor;
        this.#drop(from, to, score, REASONS.anyDoctor);
        if (isNever) return;
        return this.#add(from, to, "specialty", OWN.anyDoctor, {
          filters: { specialty: this.#typed(from, to) },
        });
      }
      default:
    }
  }

  /** Adds the specialties that start at a word. Their names have commas. */
  #addSpecialties(from: number): void {
    const most = Math.min(from + MAX_SPECIALTY_WORDS, this.#words.length);
    for (let to = from + 1; to <= most; to++) {
      const words = this.#words.slice(from, to);
      const phrase = phraseOf(words);
      const text = phrase.replace(/ (?:DR|DOC)$/, " DOCTOR");
      const specialty = this.#vocabulary.specialties.find(text);
      if (specialty === null && isTopic(phrase))
        this.#add(from, to, "specialty", OWN.topic, {
          filters: { specialty: `${typedText(words)} doctor` },
        });
      if (specialty === null) continue;
      const { isEveryday, providers } = specialty;
      const size = to - from;
      const hasComma = words.slice(1).some(({ comma }) => comma);
      // Of everyday words, only a list has commas: "ear, nose and throat".
      if (isEveryday && hasComma && size < 3) continue;
      if (isEveryday && size === 1 && isKind(phrase, "any")) continue;
      const isTyped = specialty.folded === phrase && !hasComma;
      const kind = isEveryday || size > 1 ? "phrase" : "specialty";
      this.#add(from, to, "specialty", this.#likely(providers, kind), {
        filters: {
          specialty: isTyped
            ? typedText(words)
            : specialty.folded.toLowerCase(),
        },
      });
    }
  }

  #addStates(from: number): void {
    const { capitals, folded } = this.#words[from]!;
    for (const { code, end, isCode } of this.#statesAt(from)) {
      const isTyped = isCode && capitals && this.#hasSmall;
      const isWord = isCode && isKind(folded, "join") && !capitals;
      const more = isWord ? MORE.stateWord : MORE.stateCode;
      const share = this.#share(this.#vocabulary.inState(code));
      const score = Math.max(share, LEAST.state);
      this.#add(from, end, "state", score + (isCode && !isTyped ? more : 0), {
        filters: { state: code },
      });
    }
  }

  /** Finds the states whose name or code starts at a word. */
  #statesAt(from: number): { code: string; end: number; isCode: boolean }[] {
    return [...this.#phrases(from, MAX_STATE_WORDS)].flatMap(
      ({ phrase, to }) => {
        const code = stateCodeOf(phrase);
        return code === null
          ? []
          : [{ code, end: to, isCode: phrase.length === 2 }];
      },
    );
  }

  /** Adds cities, by themselves and with their states. */
  #addCities(from: number): void {
    for (const { phrase, to } of this.#phrases(from, MAX_CITY_WORDS)) {
      const short = longForm(phrase);
      const typed = this.#typed(from, to);
      const known = this.#vocabulary.city(typed);
      /** True if it may be a city that no one is in. */
      const isWord =
        to === from + 1 &&
        LETTERS.test(phrase) &&
        entriesOf(phrase).length === 0 &&
        this.#vocabulary.specialties.find(phrase) === null;
      if (short !== null) {
        const count = this.#inCity(short.city, short.state);
        const score = this.#likely(count, "place") + MORE.shortForm;
        this.#add(from, to, "city", score, { filters: short });
      } else if (known !== null)
        this.#add(from, to, "city", this.#likely(known.total, "place"), {
          filters: { city: typed },
        });
      else if (isWord)
        this.#add(from, to, "city", this.#share(0) + MORE.cityUnknown, {
          filters: { city: typed },
          isUnknown: true,
        });
      for (const { code, end } of this.#statesAt(to)) {
        const filters = { city: typed, state: code };
        const pair = valueOf(phrase, "pair");
        if (pair !== null) filters.city = pair;
        else if (short !== null && this.#inCity(typed, code) === 0)
          filters.city = short.city;
        const count = this.#inCity(filters.city, code);
        if (count === 0 && !isWord) continue;
        const score =
          count > 0
            ? this.#likely(count, "place") + MORE.pair
            : this.#share(0) + this.#moreOfUnknownPair(known !== null, to, end);
        this.#add(from, end, "place", score, { filters, stateAt: to });
      }
    }
  }

  /** Returns what is added for a word that is no city of the state `[from, to)`. */
  #moreOfUnknownPair(isElsewhere: boolean, from: number, to: number): number {
    if (isElsewhere) return MORE.pairElsewhere;
    const state = phraseOf(this.#words.slice(from, to));
    return isKind(state, "credential") ? MORE.pairDegree : MORE.pairUnknown;
  }

  /** Counts the providers in a city, of a state or of any. */
  #inCity(city: string, state?: string): number {
    const known = this.#vocabulary.city(city);
    const count = state === undefined ? known?.total : known?.states.get(state);
    return count ?? 0;
  }

  /** Adds organizations that are called like the words, or so at the start; or whose words say that they are one. */
  #addOrganizations(from: number): void {
    const vocabulary = this.#vocabulary;
    const most = Math.min(from + MAX_ORGANIZATION_WORDS, this.#words.length);
    let phrase = "";
    let wordByWord = 0;
    let more: number = Number.NEGATIVE_INFINITY;
    let isStart = true;
    for (let to = from + 1; to <= most; to++) {
      const { comma, folded } = this.#words[to - 1]!;
      const isFirst = to === from + 1;
      phrase += (isFirst ? "" : " ") + folded;
      if (isKind(folded, "legal") && !isFirst) more = MORE.legalForm;
      else {
        const share = this.#share(vocabulary.withOrganizationWord(folded));
        wordByWord += Math.max(share, LEAST.organizationWord);
        if (comma && !isFirst) wordByWord += MORE.comma;
        if (isKind(folded, "organization"))
          more = Math.max(more, MORE.organizationWord);
      }
      if (isStart) {
        const end = this.#endOfLegalForms(to);
        const equal = vocabulary.withOrganization(phrase);
        const longer = vocabulary.startingOrganization(phrase);
        const whole = this.#share(equal) + MORE.wholeWord * (to - from);
        const start = this.#share(longer) + MORE.startOfName;
        // An ampersand by itself can't be searched.
        const isName = !isFirst || !isSign(this.#words[from]!);
        if (isName && equal > 0) this.#add(from, end, "organization", whole);
        if (isName && longer > 0) this.#add(from, end, "organization", start);
        isStart = longer > 0;
      }
      if (!isFirst && more > 0)
        this.#add(from, to, "organization", wordByWord + more);
    }
  }

  #endOfLegalForms(from: number): number {
    let end = from;
    while (isKind(this.#words[end]?.folded ?? "", "legal")) end++;
    return end;
  }

  #addNames(from: number): void {
    const { capitals, folded } = this.#words[from]!;
    if (isSign(this.#words[from]!)) return;
    if (DIGITS.test(folded))
      return this.#drop(from, from + 1, OWN.number, REASONS.number);
    if (OTHER_LETTERS.test(folded))
      return this.#drop(from, from + 1, 0, REASONS.letters);
    const vocabulary = this.#vocabulary;
    const isLetter = folded.length === 1;
    if (isLetter) {
      const isWord = isKind(folded, "join") || isKind(folded, "stop");
      const isSmallWord = isWord && !capitals;
      this.#add(
        from,
        from + 1,
        "first",
        isSmallWord ? INITIAL.word : INITIAL.first,
      );
      this.#addMiddle(from, isSmallWord ? INITIAL.word : INITIAL.middle);
    }
    for (const { phrase, to } of this.#phrases(from, MAX_NAME_WORDS)) {
      const isOne = to === from + 1;
      // Names such as MC DONALD are written without the space, too.
      const joined = isOne ? "" : phrase.replaceAll(" ", "");
      const last =
        vocabulary.withLastName(phrase) + vocabulary.withLastName(joined);
      const first = vocabulary.withFirstName(phrase);
      if (last > 0) this.#add(from, to, "last", this.#share(last));
      if (first > 0 && !isLetter)
        this.#add(from, to, "first", this.#share(first));
      if (!isOne || isLetter) continue;
      if (first + last > 0) this.#addMiddle(from, this.#share(first + last));
      const asWord = vocabulary.withOrganizationWord(phrase);
      const share = this.#share(asWord);
      this.#add(from, to, "word", share + MORE.notOfPeople);
      const isFree = first + last === 0 && entriesOf(phrase).length === 0;
      if (isFree)
        this.#add(from, to, "drop", share + MORE.leftOut, {
          reason: REASONS.leftOut,
          isUnknown: asWord === 0,
        });
    }
  }

  /** Adds a middle name, of which only the initial can be searched. A letter can be left out. */
  #addMiddle(at: number, score: number): void {
    const { folded } = this.#words[at]!;
    const isHeld = this.#vocabulary.hasMiddleInitials;
    if (isHeld && initialOf(folded) > 0)
      this.#add(at, at + 1, "middle", score, {
        filters: { middle_initial: folded.charAt(0) },
      });
    if (folded.length === 1)
      this.#add(
        at,
        at + 1,
        "middle",
        score + (isHeld ? MORE.initialDropped : 0),
        {
          reason: isHeld ? REASONS.initial : REASONS.initialUnknown,
        },
      );
  }

  /** Adds credentials, also joined or split: PA-C, OTR/L, M. D. */
  #addCredentials(from: number): void {
    for (let to = from + 1; to <= from + MAX_CREDENTIAL_LETTERS; to++) {
      const letters = this.#words.slice(from, to).map(({ folded }) => folded);
      const isSplit = to > from + 1;
      if (isSplit && letters.some((each) => each.length > 1)) return;
      if (letters.length === to - from)
        this.#addCredential(from, to, letters.join(""));
    }
  }

  #addCredential(from: number, to: number, folded: string): void {
    const { comma } = this.#words[from]!;
    const profession = valueOf(folded, "credential");
    const count = this.#vocabulary.withCredential(folded);
    const reason = REASONS.credential;
    // The second word can rather be a name: RITE AID.
    if (profession === null && from < 2) return;
    if (profession === null && count < MIN_CREDENTIALS) {
      // After a comma, it can be one that no one else has, unless it is a city: JOHN SMITH, DALLAS.
      const isCity = this.#vocabulary.city(folded) !== null;
      if (comma && LETTERS.test(folded) && !isCity)
        this.#add(from, to, "credential", OWN.unknownCredential, { reason });
      return;
    }
    const likely = this.#likely(count, "credential");
    const score =
      profession === null
        ? likely + MORE.credentialNotOwn
        : Math.max(likely, OWN.credential);
    const next = this.#words[to];
    const hasPart = next?.joined === true && CREDENTIAL_PART.test(next.folded);
    for (const end of hasPart ? [to + 1, to] : [to]) {
      this.#add(from, end, "credential", score, { reason });
      if (profession)
        this.#add(from, end, "specialty", OWN.credential, {
          filters: { specialty: profession },
        });
    }
  }
}
