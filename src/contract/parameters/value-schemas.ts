import { Type } from "typebox";
import { MAX_TEXT_CHARACTERS } from "../filters.ts";
import { hasText } from "../../text/fold.ts";

/** Schemas of values that several parameters take. */

const TEXT_RULE = `at most ${MAX_TEXT_CHARACTERS} characters, with at least one letter or digit`;

/** Describes how far filters reach. There is no default, so a query without it keeps its entity tag. */
export function scope(description: string) {
  return Type.Enum(["primary", "any"], {
    type: "string",
    description: `${description} An installation that does not store this data refuses \`any\` with \`details_not_held\`. Case-insensitive.`,
    examples: ["any"],
    "x-rule": "primary or any",
  });
}

/** Describes a text filter. Folding must leave something to compare, so it needs a letter or digit. */
export function text(description: string, example: string) {
  return Type.Refine(
    Type.String({
      maxLength: MAX_TEXT_CHARACTERS,
      description,
      examples: [example],
      "x-rule": TEXT_RULE,
    }),
    hasText,
  );
}

export function taxonomyCode(description: string) {
  return Type.String({
    pattern: "^[A-Za-z0-9]{10}$",
    description: `${description}: 10 letters and digits. Case-insensitive.`,
    examples: ["207Q00000X"],
    "x-rule": "a taxonomy code of 10 letters and digits",
  });
}

export function zipCode(description: string) {
  return Type.String({
    pattern: "^[0-9]{5}$",
    description,
    examples: ["60611"],
    "x-rule": "5 digits",
  });
}

export function degrees(
  limitDegrees: number,
  description: string,
  example: number,
) {
  return Type.Number({
    minimum: -limitDegrees,
    maximum: limitDegrees,
    description,
    examples: [example],
    "x-rule": `a decimal number of degrees from -${limitDegrees} to ${limitDegrees}`,
  });
}
