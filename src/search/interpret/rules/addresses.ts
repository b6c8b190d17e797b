import type { Draft } from "../draft.ts";
import { TITLES } from "../words/titles.ts";
import { REASONS } from "../words/reasons.ts";

const HOUSE_NUMBER = /^\d{1,6}[A-Z]?$/;
const STREETS = new Set(
  (
    "ST STREET AVE AV AVENUE RD ROAD BLVD BOULEVARD LN LANE WAY CT COURT PL PLACE PKWY PARKWAY HWY HIGHWAY CIR CIRCLE " +
    "TER TERRACE PIKE DR DRIVE SQ SQUARE TRL TRAIL PLZ PLAZA"
  ).split(" "),
);
const DIRECTIONS = new Set("N S E W NE NW SE SW".split(" "));
const UNITS = new Set(
  "SUITE STE APT APARTMENT UNIT FLOOR ROOM RM BLDG".split(" "),
);
const MAX_STREET_WORDS = 3;

/** Drops house numbers with their streets, streets after ON, and post office boxes. */
export function dropAddresses(draft: Draft): void {
  for (let from = 0; from < draft.words.length; from++) {
    const to =
      endOfStreet(draft, from) ?? endOfBox(draft, from) ?? endOfOn(draft, from);
    if (to === null) continue;
    draft.drop(from, to, REASONS.street);
    from = to - 1;
  }
}

function endOfStreet(draft: Draft, from: number): number | null {
  if (!HOUSE_NUMBER.test(draft.at(from)) || TITLES.has(draft.at(from + 1)))
    return null;
  for (let at = from + 2; at <= from + 1 + MAX_STREET_WORDS; at++) {
    if (!draft.areFree(from, at + 1) || draft.words[at]?.comma === true)
      return null;
    // ST JOHN ST: the first ST is right after the house number.
    if (STREETS.has(draft.at(at))) return endOfUnit(draft, at + 1);
  }
  return null;
}

function endOfUnit(draft: Draft, afterStreet: number): number {
  let to = afterStreet;
  if (draft.isFree(to) && DIRECTIONS.has(draft.at(to))) to++;
  if (UNITS.has(draft.at(to)) && draft.areFree(to, to + 2)) to += 2;
  return to;
}

/** The end of ON MAIN ST; null if it isn't that. */
function endOfOn(draft: Draft, from: number): number | null {
  if (draft.at(from) !== "ON") return null;
  for (let at = from + 2; at <= from + 1 + MAX_STREET_WORDS; at++) {
    if (!draft.areFree(from, at + 1)) return null;
    if (STREETS.has(draft.at(at))) return endOfUnit(draft, at + 1);
  }
  return null;
}

function endOfBox(draft: Draft, from: number): number | null {
  return draft.phrase(from, from + 2) === "PO BOX" &&
    draft.areFree(from, from + 3)
    ? from + 3
    : null;
}
