/**
 * The Postal Service's names of states (Publication 28, appendix B), sorted by code: the 50 states, DC, five
 * territories, and the three military "states". A state's number is its index here plus one.
 */
const NAMES: Readonly<Record<string, string>> = {
  AA: "ARMED FORCES AMERICAS",
  AE: "ARMED FORCES EUROPE",
  AK: "ALASKA",
  AL: "ALABAMA",
  AP: "ARMED FORCES PACIFIC",
  AR: "ARKANSAS",
  AS: "AMERICAN SAMOA",
  AZ: "ARIZONA",
  CA: "CALIFORNIA",
  CO: "COLORADO",
  CT: "CONNECTICUT",
  DC: "DISTRICT OF COLUMBIA",
  DE: "DELAWARE",
  FL: "FLORIDA",
  GA: "GEORGIA",
  GU: "GUAM",
  HI: "HAWAII",
  IA: "IOWA",
  ID: "IDAHO",
  IL: "ILLINOIS",
  IN: "INDIANA",
  KS: "KANSAS",
  KY: "KENTUCKY",
  LA: "LOUISIANA",
  MA: "MASSACHUSETTS",
  MD: "MARYLAND",
  ME: "MAINE",
  MI: "MICHIGAN",
  MN: "MINNESOTA",
  MO: "MISSOURI",
  MP: "NORTHERN MARIANA ISLANDS",
  MS: "MISSISSIPPI",
  MT: "MONTANA",
  NC: "NORTH CAROLINA",
  ND: "NORTH DAKOTA",
  NE: "NEBRASKA",
  NH: "NEW HAMPSHIRE",
  NJ: "NEW JERSEY",
  NM: "NEW MEXICO",
  NV: "NEVADA",
  NY: "NEW YORK",
  OH: "OHIO",
  OK: "OKLAHOMA",
  OR: "OREGON",
  PA: "PENNSYLVANIA",
  PR: "PUERTO RICO",
  RI: "RHODE ISLAND",
  SC: "SOUTH CAROLINA",
  SD: "SOUTH DAKOTA",
  TN: "TENNESSEE",
  TX: "TEXAS",
  UT: "UTAH",
  VA: "VIRGINIA",
  VI: "VIRGIN ISLANDS",
  VT: "VERMONT",
  WA: "WASHINGTON",
  WI: "WISCONSIN",
  WV: "WEST VIRGINIA",
  WY: "WYOMING",
};

/** The two-letter codes, sorted; a state's code is `STATE_CODES[number - 1]`. */
export const STATE_CODES: readonly string[] = Object.keys(NAMES);

/** The number for "no known state". */
export const NO_STATE = 0;

const NUMBER_OF_CODE = new Map(
  STATE_CODES.map((code, index) => [code, index + 1]),
);
const NUMBER_OF_NAME = new Map(
  STATE_CODES.map((code, index) => [NAMES[code]!, index + 1]),
);
const MILITARY = new Set(
  ["AA", "AE", "AP"].map((code) => NUMBER_OF_CODE.get(code)!),
);

const TERRITORIES = new Set(
  ["AS", "GU", "MP", "PR", "VI"].map((code) => NUMBER_OF_CODE.get(code)!),
);

/** Finds the number of a two-letter code in any case, or NO_STATE. */
export function stateNumber(code: string): number {
  return NUMBER_OF_CODE.get(code.toUpperCase()) ?? NO_STATE;
}

/** Finds the number of a state from its code or full name, folded (`text/fold`), or NO_STATE. */
export function stateNumberOfName(folded: string): number {
  return NUMBER_OF_CODE.get(folded) ?? NUMBER_OF_NAME.get(folded) ?? NO_STATE;
}

/** Finds the name of a state in capitals, by its two-letter code; null if there is none. */
export function stateName(code: string): string | null {
  return NAMES[code] ?? null;
}

/** Finds the states whose name or code starts with a folded text. */
export function statesStartingWith(
  folded: string,
): { readonly code: string; readonly name: string }[] {
  return Object.entries(NAMES)
    .map(([code, name]) => ({ code, name }))
    .filter(
      ({ code, name }) => code.startsWith(folded) || name.startsWith(folded),
    );
}

/** True if a state is one of the military AA, AE and AP, whose ZIP codes have no location in the U.S. */
export function isMilitary(state: number): boolean {
  return MILITARY.has(state);
}

/** True if a state is one of the 50 states or DC, not a territory or a military one. */
export function isStateOrDc(state: number): boolean {
  return state !== NO_STATE && !MILITARY.has(state) && !TERRITORIES.has(state);
}
