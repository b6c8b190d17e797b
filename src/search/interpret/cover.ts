import { REASONS } from "./reasons.ts";
import { COST, GAIN, START_OF } from "./scores.ts";
import type { Word } from "./sentence.ts";
import type { Span } from "./span.ts";

/** Covers that are followed at each word. */
const BEAM = 48;
/** Of these, with the same state. */
const MOST_OF_STATE = 3;

/** Bits for what a cover has so far. */
const Has = {
  specialty: 1,
  city: 1 << 1,
  state: 1 << 2,
  zip: 1 << 3,
  radius: 1 << 4,
  organization: 1 << 5,
  first: 1 << 6,
  last: 1 << 7,
  middle: 1 << 8,
  /** The last name is before a comma and the first name after it. */
  lastFirst: 1 << 9,
  /** The last span is a title. */
  title: 1 << 10,
  /** The last span is a word such as IN. */
  before: 1 << 11,
  /** The last span is a credential or a suffix after a name. */
  tail: 1 << 12,
  /** The last span is a part of a name. */
  inName: 1 << 13,
  /** The last span is a place. */
  place: 1 << 14,
  /** The last span joins words or ends nothing. */
  dangling: 1 << 15,
  /** A word is left out that no person has as a name, and one that no organization has either. */
  leftOut: 1 << 16,
  unknownLeftOut: 1 << 17,
} as const;
const NAME = Has.first | Has.last;
/** The bits that only the last span sets. */
const LAST_SPAN =
  Has.title | Has.before | Has.tail | Has.inName | Has.place | Has.dangling;
/** Words after which a place may follow. */
const BEFORE_PLACE = new Set("IN NEAR AROUND TO OF AT FROM EN".split(" "));

/** Some spans of a text that do not overlap, one after the other. */
export interface Cover {
  readonly score: number;
  readonly has: number;
  /** The last span; null at the start. */
  readonly span: Span | null;
  /** True if the last span is in no filter although it could be: there is one already. */
  readonly isSecond: boolean;
  readonly before: Cover | null;
}

interface Step {
  readonly gain: number;
  readonly has: number;
  readonly isSecond?: boolean;
}

const START: Cover = {
  score: 0,
  has: 0,
  span: null,
  isSecond: false,
  before: null,
};

/** True if the cover reads "last, first". */
export function isLastFirst({ has }: Cover): boolean {
  return (has & Has.lastFirst) !== 0;
}

/** True if the cover names a person. */
export function hasPersonName({ has }: Cover): boolean {
  return (has & NAME) !== 0;
}

/** Finds the likeliest covers of all words, at most `most`, with the spans of each word. */
export function bestCovers(
  words: readonly Word[],
  spans: readonly (readonly Span[])[],
  most: number,
): Cover[] {
  const covers: Cover[][] = words.map(() => []);
  covers[0] = [START];
  covers.push([]);
  if (words.length === 0) return [START];
  for (let at = 0; at < words.length; at++)
    for (const cover of pruned(covers[at]!))
      for (const span of spans[at]!) {
        const step = stepTo(cover, span, words);
        if (step === null) continue;
        covers[span.to]!.push({
          score: cover.score + span.score + step.gain,
          has: step.has,
          span,
          isSecond: step.isSecond ?? false,
          before: cover,
        });
      }
  const whole = covers[words.length]!;
  const likely = whole.filter(mayEnd);
  // Of many words, those that are followed may all leave out one.
  return (likely.length > 0 ? likely : whole)
    .map(ended)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

function pruned(covers: Cover[]): Cover[] {
  covers.sort((a, b) => b.score - a.score);
  const ofState = new Map<number, number>();
  const kept: Cover[] = [];
  for (const cover of covers) {
    const count = ofState.get(cover.has) ?? 0;
    if (count === MOST_OF_STATE) continue;
    ofState.set(cover.has, count + 1);
    if (kept.push(cover) === BEAM) break;
  }
  return kept;
}

/**
 * True if a cover of all words may leave out those that it does: only with a specialty and without a name, of which
 * they could be a part. Without a place, one that no one has can be a misspelled place.
 */
function mayEnd({ has }: Cover): boolean {
  if ((has & (Has.leftOut | Has.unknownLeftOut)) === 0) return true;
  const isKind =
    (has & Has.specialty) !== 0 && (has & (NAME | Has.organization)) === 0;
  const hasPlace = (has & (Has.city | Has.zip)) !== 0;
  return isKind && (hasPlace || (has & Has.unknownLeftOut) === 0);
}

/** Ends a cover of all words: takes what its end costs from its score. */
function ended(cover: Cover): Cover {
  const { has } = cover;
  let { score } = cover;
  if ((has & NAME) === Has.first) score -= COST.firstOnly;
  if (has & (Has.dangling | Has.title)) score -= COST.dangling;
  return { ...cover, score };
}

/** Adds a span to a cover; null if it can't be there. */
function stepTo(cover: Cover, span: Span, words: readonly Word[]): Step | null {
  const { has } = cover;
  const kept = has & ~LAST_SPAN;
  const afterTitle = has & Has.title ? -COST.afterTitle : 0;
  switch (span.kind) {
    case "first":
    case "last":
    case "middle":
    case "word":
      return nameStep(cover, span, words);
    case "organization":
      if (has & Has.organization) return null;
      return {
        gain:
          START_OF.organization +
          afterTitle -
          (has & Has.place ? COST.organizationAfterPlace : 0) -
          (has & NAME ? COST.nameAndOrganization : 0) -
          (has & Has.specialty ? COST.organizationAndSpecialty : 0),
        has: kept | Has.organization,
      };
    case "specialty":
      return filterStep(cover, Has.specialty, {
        gain:
          START_OF.specialty +
          afterTitle -
          (has & Has.organization ? COST.organizationAndSpecialty : 0),
        has: kept | Has.specialty,
      });
    case "city":
    case "state":
    case "place":
    case "zip":
      return placeStep(cover, span);
    case "radius":
      return filterStep(cover, Has.radius, {
        gain: 0,
        has: kept | Has.radius | Has.before,
      });
    case "near":
      return { gain: afterTitle, has: kept | Has.before };
    case "entity":
      return has === 0 || cover.span?.kind === "drop"
        ? { gain: 0, has: kept }
        : null;
    case "title":
      return {
        gain: has & Has.inName ? -COST.titleInName : 0,
        has: kept | Has.title,
      };
    case "suffix":
      return has & (Has.inName | Has.tail)
        ? { gain: 0, has: kept | Has.tail }
        : null;
    case "credential":
      return credentialStep(cover, words[span.from]!);
    case "join": {
      const isBefore =
        span.reason === REASONS.label ||
        BEFORE_PLACE.has(words[span.from]!.folded);
      const inName = has & Has.inName && !isBefore ? -COST.joinInName : 0;
      return {
        gain: afterTitle + inName,
        has: kept | Has.dangling | (isBefore ? Has.before : 0),
      };
    }
    default:
      // CENTER of URGENT CARE CENTER.
      if (
        span.reason === REASONS.placeOfSpecialty &&
        cover.span?.kind !== "specialty"
      )
        return null;
      return {
        gain: afterTitle,
        has: kept | (has & Has.before) | leftOutBy(span),
      };
  }
}

function leftOutBy({ isUnknown, reason }: Span): number {
  if (reason !== REASONS.leftOut) return 0;
  return isUnknown === true ? Has.unknownLeftOut : Has.leftOut;
}

/** Makes a step to a filter that can be there once. */
function filterStep({ has }: Cover, filter: number, step: Step): Step {
  return (has & filter) === 0
    ? step
    : { ...step, gain: -COST.second, isSecond: true };
}

function placeStep(
  cover: Cover,
  { filters, isUnknown = false, kind }: Span,
): Step | null {
  const { has } = cover;
  const isBefore = (has & Has.before) !== 0;
  if (isUnknown && !isBefore) return null;
  let filter: number = Has.zip;
  if (kind !== "zip") {
    filter = 0;
    if (filters?.city !== undefined) filter |= Has.city;
    if (filters?.state !== undefined) filter |= Has.state;
  }
  const isApart = kind === "state" && (has & Has.city) !== 0;
  return filterStep(cover, filter, {
    gain:
      (has & Has.place ? 0 : START_OF.place) +
      (isBefore ? GAIN.placeAfterIn : 0) -
      (has & Has.title ? COST.afterTitle : 0) -
      (isApart ? COST.stateAfterCity : 0),
    has: (has & ~LAST_SPAN) | filter | Has.place,
  });
}

function credentialStep({ has, span }: Cover, { comma }: Word): Step {
  const kept = has & ~LAST_SPAN;
  if (comma && span?.kind === "specialty")
    return { gain: -COST.credentialAfterSpecialty, has: kept };
  const isAfterName = (has & (Has.inName | Has.tail)) !== 0;
  if (!isAfterName) return { gain: -COST.credentialWithoutName, has: kept };
  const isOneName = (has & NAME) !== NAME;
  return {
    gain:
      (comma ? GAIN.credentialAfterComma : 0) +
      (has & Has.tail ? GAIN.credentialAfterCredential : 0) -
      (isOneName ? COST.credentialAfterOneName : 0),
    has: kept | Has.tail,
  };
}

function nameStep(
  cover: Cover,
  { from, kind, reason }: Span,
  words: readonly Word[],
): Step | null {
  const { has } = cover;
  const { comma, joined } = words[from]!;
  let cost = has & Has.organization ? COST.nameAndOrganization : 0;
  let next = (has & ~LAST_SPAN) | Has.inName;
  const known = has & NAME;
  if (known === 0) {
    if (kind === "middle") return null;
    cost -= has & Has.title ? GAIN.nameAfterTitle : 0;
    cost -= START_OF.name;
    if (has & Has.before) cost += COST.nameAfterIn;
    else if (has & Has.place && !comma) cost += COST.nameAfterPlace;
    if (has & Has.specialty && !(has & Has.title))
      cost += COST.nameAfterSpecialty;
  } else if ((has & (Has.inName | Has.title)) === 0) {
    cost += COST.interrupted;
  }
  switch (kind) {
    case "first":
      if (known & Has.first) cost += COST.twoFirst + (comma ? COST.comma : 0);
      else if (known & Has.last) {
        if (comma) next |= Has.lastFirst;
        else cost += COST.lastThenFirst;
      }
      next |= Has.first;
      break;
    case "last":
      if (known & Has.last)
        cost +=
          (joined ? COST.twoLastJoined : COST.twoLast) +
          (comma ? COST.comma : 0) +
          (has & Has.lastFirst ? COST.afterLastFirst : 0);
      else if (known & Has.first && comma) cost += COST.comma;
      next |= Has.last;
      break;
    case "middle":
      if ((known & Has.first) === 0) return null;
      if (has & Has.middle && reason === undefined) return null;
      if (comma) cost += COST.comma;
      if (known & Has.last && !(has & Has.lastFirst))
        cost +=
          words[from]!.folded.length === 1
            ? COST.initialAtEnd
            : COST.middleAtEnd;
      next |= Has.middle;
      break;
    default:
      if (known === Has.last && comma) {
        // "Smith, Jhon": a first name that no one has.
        next |= Has.first | Has.lastFirst;
        break;
      }
      if (known !== 0) cost += COST.wordInName + (comma ? COST.comma : 0);
      next |= has & Has.lastFirst ? Has.middle : Has.last;
  }
  return { gain: -cost, has: next };
}

/** Lists the spans of a cover in order, and whether each is a second one. */
export function spansIn(cover: Cover): { span: Span; isSecond: boolean }[] {
  const found: { span: Span; isSecond: boolean }[] = [];
  for (
    let at: Cover | null = cover;
    at !== null && at.span !== null;
    at = at.before
  )
    found.push({ span: at.span, isSecond: at.isSecond });
  return found.reverse();
}
