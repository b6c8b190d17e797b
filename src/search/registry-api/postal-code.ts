import { comparedPostalCode, NO_ZIP4 } from "../../snapshot/extended/areas.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { FieldText } from "./registry-query.ts";

const ZIP_DIGITS = 5;
const ZIP4_DIGITS = 4;

/** The comparison of a search for a postal code. */
export interface PostalCodeRule {
  /** The code as it is compared. */
  readonly code: string;
  /** True if codes that start with it match, too. */
  readonly isPrefix: boolean;
  /** The ZIPs that match; null if none can. */
  readonly zips: NumberRange | null;
  /** The four digits behind the ZIP that match, which can be `NO_ZIP4`; null for any or none. */
  readonly zip4s: NumberRange | null;
}

/** Reads a postal code. Five digits match codes that start with them. */
export function postalCodeRule({ isPrefix, text }: FieldText): PostalCodeRule {
  const code = comparedPostalCode(text);
  const isNumber = /^[0-9]+$/.test(code);
  const startsWith = isPrefix || (isNumber && code.length === ZIP_DIGITS);
  const isWhole = code.length === ZIP_DIGITS + ZIP4_DIGITS;
  const canBeZip =
    isNumber &&
    (startsWith ? code.length <= ZIP_DIGITS + ZIP4_DIGITS : isWhole);
  return {
    code,
    isPrefix: startsWith,
    zips: canBeZip ? padded(code.slice(0, ZIP_DIGITS), ZIP_DIGITS) : null,
    zip4s:
      canBeZip && code.length > ZIP_DIGITS
        ? padded(code.slice(ZIP_DIGITS), ZIP4_DIGITS)
        : null,
  };
}

export function matchesPostalCode(
  { code, isPrefix }: PostalCodeRule,
  text: string | null,
): boolean {
  const compared = comparedPostalCode(text ?? "");
  return isPrefix ? compared.startsWith(code) : compared === code;
}

/** True if the digits behind a ZIP match. */
export function matchesZip4({ zip4s }: PostalCodeRule, zip4: number): boolean {
  return (
    zip4s === null ||
    (zip4 !== NO_ZIP4 && zip4 >= zip4s.from && zip4 < zip4s.to)
  );
}

/** Returns the numbers of `digits` digits that start with some. */
function padded(start: string, digits: number): NumberRange {
  const factor = 10 ** (digits - start.length);
  const from = Number(start) * factor;
  return { from, to: from + factor };
}
