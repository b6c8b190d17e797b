import { checkNpi, npiAsTyped } from "../../../registry/npi.ts";

/** The NPI if that is all that was typed, also in groups of digits; else null. */
export function typedNpi(text: string): string | null {
  const digits = npiAsTyped(text).replaceAll(/[\s.-]/g, "");
  return checkNpi(digits) === "ok" ? digits : null;
}
