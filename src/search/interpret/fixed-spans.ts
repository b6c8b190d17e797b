import { MAX_RADIUS_MILES } from "../../contract/filters.ts";
import { isKind, phrasesOf, valueOf } from "./lexicon.ts";
import { REASONS } from "./reasons.ts";
import type { Word } from "./sentence.ts";
import type { Span } from "./span.ts";

/**
 * A phrase of a fixed form, whatever the registry has: distances, NEAR, streets, ZIP codes, codes of taxonomies, and
 * names of fields. The patterns are of folded words, each with a space, a comma, or a hyphen before it.
 */
interface Form {
  readonly pattern: RegExp;
  readonly span: (
    groups: Readonly<Record<string, string | undefined>>,
  ) => Pick<Span, "filters" | "kind" | "reason"> | null;
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
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
};
const NUMBER = `(?<miles>\\d{1,4}(?:\\.\\d{1,2})?|${Object.keys(NUMBER_WORDS).join("|")})`;
const STREET =
  "ST|STREET|AVE?|AVENUE|RD|ROAD|BLVD|BOULEVARD|LN|LANE|WAY|CT|COURT|PL|PLACE|PKWY|PARKWAY|HWY|HIGHWAY|CIR|CIRCLE|" +
  "TER|TERRACE|PIKE|DR|DRIVE|SQ|SQUARE|TRL|TRAIL|PLZ|PLAZA";
const UNIT = "SUITE|STE|APT|APARTMENT|UNIT|FLOOR|ROOM|RM|BLDG";
const LABELS = anyOf(phrasesOf("label", ""));
const LABELS_WITH_SIGN = anyOf([
  ...phrasesOf("label", "sign"),
  ...phrasesOf("label", "place"),
]);
const USER = anyOf(phrasesOf("user", ""));
const PLACE_FOLLOWS = anyOf(phrasesOf("near", "place"));
const NEAR = anyOf(phrasesOf("near", ""));

const FORMS: readonly Form[] = [
  {
    // WITHIN 10 MILES OF.
    pattern: form(
      `(?:(?:WITHIN|IN)(?: A)? )?${NUMBER}[ -](?:MI|MILES?)` +
        `(?: RADIUS(?: OF| AROUND)?| OF| FROM| AROUND| AWAY)?(?: ${USER})?`,
    ),
    span: ({ miles = "" }) => radiusSpan(NUMBER_WORDS[miles] ?? Number(miles)),
  },
  {
    pattern: form(`${PLACE_FOLLOWS}(?: ${USER})?`),
    span: () => ({ kind: "near" }),
  },
  { pattern: form(NEAR), span: () => ({ kind: "near" }) },
  {
    // ST JOHN ST: the first ST is right after the house number. 385 BROADWAY STE 203 has no word for a street.
    pattern: form(
      `(?:\\d{1,6}[A-Z]? (?<first>[^ ,-]+)|ON [^ ,-]+)(?:[ -][^ ,-]+){0,2}?` +
        `(?: (?:${STREET})(?: (?:[NSEW]|[NS][EW]))?(?:[ ,](?:${UNIT}) \\S+)?|[ ,](?:${UNIT}) \\S+)`,
    ),
    span: ({ first = "" }) =>
      isKind(first, "title") ? null : dropped(REASONS.street),
  },
  { pattern: form("PO BOX \\S+"), span: () => dropped(REASONS.street) },
  {
    pattern: form(
      "(?:(?<word>ZIP CODE|POSTAL CODE|ZIPCODE|ZIP)=? )?(?:(?<zip>\\d{5})(?:-\\d{4}|\\d{4})?|(?<short>\\d{3,4}))",
    ),
    span: ({ short = "", word, zip }) =>
      // After the word ZIP, leading zeros may be missing: spreadsheets lose them.
      zip === undefined && word === undefined
        ? null
        : { kind: "zip", filters: { zip: zip ?? short.padStart(5, "0") } },
  },
  {
    // A code of NUCC's table ends in X.
    pattern: form("(?:TAXONOMY )?(?<taxonomy>\\d{3}[A-Z\\d]{6}X)"),
    span: ({ taxonomy = "" }) => ({ kind: "specialty", filters: { taxonomy } }),
  },
  {
    // LAST NAME, or CITY of `city=chicago`; a place follows that.
    pattern: form(`(?:${LABELS}=?|(?<sign>${LABELS_WITH_SIGN})=)`),
    span: ({ sign = "" }) => ({
      kind: valueOf(sign, "label") === "place" ? "join" : "drop",
      reason: REASONS.label,
    }),
  },
];
const DECIMAL = /^\d+\.\d{1,2}$/;

/** Finds the spans of fixed forms. They have no other sense, so their score is 0. */
export function fixedSpans(words: readonly Word[]): Span[] {
  const ends = new Map<number, number>();
  const starts: number[] = [];
  let text = "";
  for (const [
    index,
    { comma, folded, joined, label, text: typed },
  ] of words.entries()) {
    text += comma ? "," : joined ? "-" : " ";
    starts.push(text.length);
    text += DECIMAL.test(typed) ? typed : folded;
    if (label) text += "=";
    ends.set(text.length, index + 1);
  }
  return FORMS.flatMap(({ pattern, span }) =>
    starts.flatMap((start, from) => {
      pattern.lastIndex = start;
      const match = pattern.exec(text);
      const to = match && ends.get(start + match[0].length);
      const sense = to && span(match.groups ?? {});
      return sense ? [{ from, to, score: 0, ...sense }] : [];
    }),
  );
}

/** Makes a pattern of whole words at one place. */
function form(pattern: string): RegExp {
  return new RegExp(`${pattern}(?=[ ,-]|$)`, "y");
}

/** Makes a pattern of one of some phrases, the longest first. */
function anyOf(phrases: readonly string[]): string {
  return `(?:${phrases.toSorted((a, b) => b.length - a.length).join("|")})`;
}

function dropped(reason: string): Pick<Span, "kind" | "reason"> {
  return { kind: "drop", reason };
}

function radiusSpan(miles: number): Pick<Span, "filters" | "kind" | "reason"> {
  return miles > 0
    ? { kind: "radius", filters: { radius: Math.min(miles, MAX_RADIUS_MILES) } }
    : dropped(REASONS.radius);
}
