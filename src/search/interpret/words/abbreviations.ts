import { commonCodesOf } from "../../aliases/common-specialties.ts";
import { CITY_SHORT_FORMS } from "./city-short-forms.ts";
import { CREDENTIALS } from "./titles.ts";

const COUNTRY: ReadonlySet<string> = new Set(["US", "USA"]);

/** Whether letters, folded, are more likely an abbreviation than initials: MD, US, ENT. */
export function isAbbreviation(letters: string): boolean {
  return (
    CREDENTIALS.has(letters) ||
    COUNTRY.has(letters) ||
    CITY_SHORT_FORMS.has(letters) ||
    commonCodesOf(letters) !== null
  );
}
