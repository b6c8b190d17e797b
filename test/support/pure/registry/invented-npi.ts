import { checkDigit } from "../../../../src/registry/npi.ts";

/** The NPI with these nine leading digits (100000000–299999999, as the registry assigns them). */
export function inventedNpi(nineDigits: number): string {
  return `${nineDigits}${checkDigit(nineDigits)}`;
}
