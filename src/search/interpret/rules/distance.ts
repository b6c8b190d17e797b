import { MAX_RADIUS_MILES } from "../../../contract/filters.ts";
import type { Draft } from "../draft.ts";
import { REASONS } from "../words/reasons.ts";

const MILES = new Set(["MI", "MILE", "MILES"]);
const NUMBER_WORDS = new Map(
  Object.entries({
    ONE: 1,
    TWO: 2,
    THREE: 3,
    FIVE: 5,
    TEN: 10,
    FIFTEEN: 15,
    TWENTY: 20,
    THIRTY: 30,
    FORTY: 40,
    FIFTY: 50,
    HUNDRED: 100,
  }),
);
const DECIMAL = /^\d{1,4}(?:\.\d{1,2})?$/;
/** Phrases before a place around which something is wanted, the longest first. */
const NEAR_PLACE = [
  "IN OR NEAR",
  "CLOSE TO",
  "NEAREST TO",
  "CLOSEST TO",
  "NEAR TO",
  "NEAR",
  "AROUND",
];
/** Phrases that say the same without a place after them. */
const NEAR = [
  "CLOSE BY",
  "NEAR BY",
  "NEARBY",
  "NEAREST",
  "CLOSEST",
  "BY ME",
  "CERCA DE MI",
  "IN MY AREA",
  "IN MY NEIGHBORHOOD",
  "IN MY CITY",
  "IN MY TOWN",
  "IN MY ZIP CODE",
  "IN MY ZIP",
  "IN THE AREA",
  "IN THIS AREA",
];
/** Where the user is, after NEAR and the like. */
const USER_PLACES = [
  "ME",
  "HERE",
  "US",
  "MY CURRENT LOCATION",
  "MY LOCATION",
  "MY AREA",
  "MY NEIGHBORHOOD",
  "MY CITY",
  "MY TOWN",
  "MY HOME",
  "MY HOUSE",
  "MY PLACE",
  "MY ZIP CODE",
  "MY ZIP",
];
const BEFORE_MILES = ["IN A", "WITHIN A", "WITHIN", "IN"];
const AFTER_MILES = [
  "RADIUS OF",
  "RADIUS AROUND",
  "RADIUS",
  "OF",
  "FROM",
  "AROUND",
  "AWAY",
];
/** Of these, those before a place. */
const BEFORE_PLACE = new Set(["OF", "FROM", "AROUND"]);

/** Understands distances (`within 10 miles of`), and that something near is wanted. */
export function readDistance(draft: Draft): void {
  for (let at = 0; at < draft.words.length; at++) readMiles(draft, at);
  for (let at = 0; at < draft.words.length; at++) {
    if (draft.isProtected(at)) continue;
    const near = endOfOne(draft, at, NEAR);
    const place = near ?? endOfOne(draft, at, NEAR_PLACE);
    if (place === null) continue;
    const user = near ?? endOfOne(draft, place, USER_PLACES);
    if (user === null) draft.placeAt = place;
    draft.isNear = true;
    draft.take(at, user ?? place, "operation");
  }
}

function readMiles(draft: Draft, at: number): void {
  if (!MILES.has(draft.at(at + 1)) || !draft.areFree(at, at + 2)) return;
  const miles = milesOf(draft.words[at]!.text, draft.at(at));
  if (miles === null) return;
  let from = at;
  for (const phrase of BEFORE_MILES) {
    const length = phrase.split(" ").length;
    const start = at - length;
    if (!draft.areFree(start, at) || draft.phrase(start, at) !== phrase)
      continue;
    from = start;
    break;
  }
  const place = endOfOne(draft, at + 2, AFTER_MILES) ?? at + 2;
  const to = endOfOne(draft, place, USER_PLACES) ?? place;
  if (miles <= 0) draft.drop(from, to, REASONS.radius);
  else if (draft.filters.radius !== undefined)
    draft.drop(from, to, REASONS.oneDistance);
  else {
    if (to === place && BEFORE_PLACE.has(draft.at(to - 1))) draft.placeAt = to;
    draft.take(from, to, "radius");
    draft.filters.radius = Math.min(miles, MAX_RADIUS_MILES);
  }
}

function milesOf(text: string, folded: string): number | null {
  const known = NUMBER_WORDS.get(folded);
  if (known !== undefined) return known;
  return DECIMAL.test(text) ? Number(text) : null;
}

/** The end of one of some phrases that starts at an index; null if none does. */
function endOfOne(
  draft: Draft,
  at: number,
  phrases: readonly string[],
): number | null {
  for (const phrase of phrases) {
    const to = at + phrase.split(" ").length;
    if (draft.areFree(at, to) && draft.phrase(at, to) === phrase) return to;
  }
  return null;
}
