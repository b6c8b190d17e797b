import { readZipcodes } from "./zip-packages.ts";

/** A ZIP and the city and state that the Postal Service delivers it to. */
export interface ZipPlace {
  /** Five digits. */
  zip: string;
  /** In upper case, as the registry writes cities: `SAINT LOUIS`. */
  city: string;
  /** Two letters; AA, AE and AP for the armed forces. */
  state: string;
}

/** Some entries name a company or a box that once had a ZIP of its own: `AT&T`, `SHELL OIL BOX 150`, `BENDIX CORP`. */
const CITY_NAME = /^[A-Z][A-Z .'-]*$/;
const COMPANY_WORD =
  /\b(ASSOC|ASSC|BKCARD|BRM|CARD|CO|COMP|CORP|CTR|DEPT|EXPRESS|FINANCE|INC|INS|INSURANCE|LIFE|LOTTERY|MAIL|MUTUAL|RETURN|ROEBUCK|SVC|TEL|TELEPHONE)\b/;
const COMPANY =
  /\b(NATIONAL|NATL|US|FARGO|ONE|UNION|AMSOUTH) BANK\b|\bBANK OF\b|^(GEN ELECTRIC|US WEST|CENSUS BUREAU)$/;

/** The places of the five-digit ZIPs (GeoNames, CC BY 4.0), ordered by ZIP; entries that name no city are left out. */
export function loadZipPlaces(): ZipPlace[] {
  return readZipcodes()
    .map(({ zip, city, state }) => ({
      zip,
      city: city.trim().toUpperCase(),
      state,
    }))
    .filter(({ city }) => CITY_NAME.test(city) && !isCompany(city))
    .sort((a, b) => Number(a.zip) - Number(b.zip));
}

/** Towns of one word keep their names: Telephone, Texas, and Mutual, Oklahoma, are towns. */
function isCompany(name: string): boolean {
  return name.includes(" ") && (COMPANY_WORD.test(name) || COMPANY.test(name));
}
