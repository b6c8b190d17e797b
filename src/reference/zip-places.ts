import { readZipcodes } from "./zip-packages.ts";

/** A ZIP with its city and state. */
export interface ZipPlace {
  /** Five digits. */
  zip: string;
  /** In upper case, as the registry writes cities: `SAINT LOUIS`. */
  city: string;
  /** Two letters; AA, AE and AP for the armed forces. */
  state: string;
}

/** Some entries are a company or a box that once had its own ZIP: `AT&T`, `SHELL OIL BOX 150`, `BENDIX CORP`. */
const CITY_NAME = /^[A-Z][A-Z .'-]*$/;
const COMPANY_WORD =
  /\b(ASSOC|ASSC|BKCARD|BRM|CARD|CO|COMP|CORP|CTR|DEPT|EXPRESS|FINANCE|INC|INS|INSURANCE|LIFE|LOTTERY|MAIL|MUTUAL|RETURN|ROEBUCK|SVC|TEL|TELEPHONE)\b/;
const COMPANY =
  /\b(NATIONAL|NATL|US|FARGO|ONE|UNION|AMSOUTH) BANK\b|\bBANK OF\b|^(GEN ELECTRIC|US WEST|CENSUS BUREAU)$/;

/** The places of five-digit ZIPs (GeoNames, CC BY 4.0), in order of ZIP. Skips entries that are not a city. */
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

/** One-word names are always towns: Telephone, Texas, and Mutual, Oklahoma. */
function isCompany(name: string): boolean {
  return name.includes(" ") && (COMPANY_WORD.test(name) || COMPANY.test(name));
}
