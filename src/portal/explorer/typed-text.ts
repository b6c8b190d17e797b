import { checkNpi, npiAsTyped } from "../../registry/npi.ts";

/** The text in the search box. */
export type TypedText =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "npi"; readonly npi: string }
  /** Only digits: meant as an NPI, but not a valid one. */
  | { readonly kind: "no-npi"; readonly problem: string };

const NPI_DIGITS = 10;
/** Fewer digits may be a name, such as a clinic called 911. */
const MIN_NPI_DIGITS = 7;

/** Distinguishes an NPI, also one in groups of digits, from a name. */
export function readTypedText(text: string): TypedText {
  const digits = npiAsTyped(text).replaceAll(/[\s.-]/g, "");
  if (!/^[0-9]+$/.test(digits) || digits.length < MIN_NPI_DIGITS)
    return { kind: "name", name: text.trim() };
  if (digits.length !== NPI_DIGITS)
    return {
      kind: "no-npi",
      problem: `An NPI has ${NPI_DIGITS} digits; this has ${digits.length}.`,
    };
  return checkNpi(digits) === "ok"
    ? { kind: "npi", npi: digits }
    : {
        kind: "no-npi",
        problem: `${digits} isn’t a valid NPI; check for a typo.`,
      };
}
