import { cityOf, type Place } from "./places.ts";
import type { Random } from "./random.ts";
import { Words, words } from "./words.ts";

/** Rare features of the real file, each with its share of addresses. */
const LOWER_CASE_SHARE = 0.00015;
const MASKED_LINE_SHARE = 0.0005;
const STATE_NAME_SHARE = 0.003;
const FIVE_DIGIT_SHARE = 0.053;
const DASHED_SHARE = 0.001;
const SECOND_LINE_SHARE = 0.36;

const STREETS = words(`
20 MAIN PARK MEDICAL_CENTER WASHINGTON MAPLE OAK CENTER UNIVERSITY HOSPITAL BROADWAY
12 LAKE STATE CENTRAL HIGHLAND JEFFERSON MADISON CEDAR CHURCH FRANKLIN LINCOLN ELM WALNUT PINE HILL RIVER
8 SPRING RIDGE VALLEY CHESTNUT JACKSON UNION MARKET SUNSET COLLEGE LIBERTY PROSPECT WILLOW MILL CORPORATE COMMERCE FOREST
5 PROFESSIONAL MEADOW GROVE CREEKSIDE HARRISON MONROE ADAMS BRIDGE CHERRY SCHOOL RAILROAD GRANT VINE HICKORY LOCUST POPLAR
SYCAMORE MAGNOLIA LAUREL DOGWOOD JUNIPER ASPEN SPRUCE BIRCH SUMMIT PLEASANT FAIRVIEW HILLCREST LAKEVIEW RIVERSIDE WOODLAND
3 NORTHSIDE SOUTHGATE WESTFIELD EASTWOOD EAGLE FALCON HERITAGE PIONEER FOUNDERS INNOVATION TECHNOLOGY EXECUTIVE GATEWAY
HARBOR HAVEN KINGS LEGACY MISSION ORCHARD PATRIOT QUAIL RANCH SAGE STONE TIMBER VICTORY VILLAGE WINDSOR WOLF YORK COPPER
MARTIN_LUTHER_KING_JR OLD_MILL LAKE_SHORE GRAND_OAKS SAND_HILL COUNTRY_CLUB STATE_HIGHWAY BEAVER_CREEK TWIN_LAKES
1ST 2ND 3RD 4TH 5TH 6TH 7TH 8TH 9TH 10TH 11TH 12TH 14TH 16TH 23RD 42ND 51ST 86TH 103RD`);
const KINDS = words(
  "9 ST AVE RD DR 5 BLVD LN CT WAY 3 PKWY PL CIR HWY 2 TER LOOP TRL STREET AVENUE ROAD DRIVE PIKE SQ",
);
const DIRECTIONS = words('70 "" 6 N_ W_ E_ S_ 1 SW_ NE_ NW_ SE_');
const UNITS = words("40 STE_ 25 SUITE_ 8 APT_ UNIT_ #_ 3 FL_ BLDG_ RM_ STE._");
/** A tab or a line end inside a value is rare, but readers must handle it. */
const SPACES = new Words([" ", "\t", "\n"], [99_996, 2, 2]);
const MASKS = ["<UNAVAIL>", "--"];
/** Some addresses of these states spell out the name. */
const STATE_NAMES: ReadonlyMap<string, string> = new Map([
  ["CA", "CALIFORNIA"],
  ["FL", "FLORIDA"],
  ["IL", "ILLINOIS"],
  ["NY", "New York"],
  ["PR", "PUERTO RICO"],
  ["TX", "TEXAS"],
]);

/** All numbers with one digit, two, and four: looking one up is faster than writing it. */
const DIGITS = { 1: numbers(1), 2: numbers(2), 4: numbers(4) };

/** The shares of addresses with a telephone number, with a fax number, and in mixed case. */
export interface AddressShares {
  telephone: number;
  fax: number;
  mixedCase?: number;
}

/** The eight columns of an address: two lines, city, state, postal code, country, telephone and fax number. */
export type Address = [
  line1: string,
  line2: string,
  city: string,
  state: string,
  postalCode: string,
  country: string,
  telephone: string,
  fax: string,
];

/** Draws an address in a place. */
export function drawAddress(
  random: Random,
  place: Place,
  { telephone, fax, mixedCase = LOWER_CASE_SHARE }: AddressShares,
): Address {
  const isMixedCase = random.chance(mixedCase);
  const line1 = drawStreet(random, place);
  const city = cityOf(random, place);
  return [
    isMixedCase ? titleCase(line1) : line1,
    drawSecondLine(random),
    isMixedCase ? titleCase(city) : city,
    (random.chance(STATE_NAME_SHARE)
      ? STATE_NAMES.get(place.state)
      : undefined) ?? place.state,
    drawPostalCode(random, place),
    drawCountry(random, place),
    random.chance(telephone) ? drawTelephone(random, place) : "",
    random.chance(fax) ? drawTelephone(random, place) : "",
  ];
}

/** An invented number: 555-0100 to 555-0199 are not assigned in any area. */
export function drawTelephone(random: Random, { areaCode }: Place): string {
  return `${areaCode}55501${digits(random, 2)}`;
}

/** A random number with all its digits. */
export function digits(random: Random, count: 1 | 2 | 4): string {
  const all = DIGITS[count];
  return all[random.below(all.length)]!;
}

/** Lower-cases all but the first letter of each word. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\d])\p{L}/gu, (letter) => letter.toUpperCase());
}

function drawStreet(random: Random, { state }: Place): string {
  if (state === "AA" || state === "AE" || state === "AP")
    return `PSC ${1 + random.below(900)} BOX ${1 + random.below(9999)}`;
  if (random.chance(0.03)) return `PO BOX ${1 + random.below(99_999)}`;
  const number = 1 + random.below(random.chance(0.6) ? 2000 : 19_999);
  const street = `${DIRECTIONS.draw(random)}${STREETS.draw(random)} ${KINDS.draw(random)}`;
  return `${number}${SPACES.draw(random)}${street}`;
}

function drawSecondLine(random: Random): string {
  if (random.chance(SECOND_LINE_SHARE)) {
    const letter = random.chance(0.1) ? "ABCDEF"[random.below(6)]! : "";
    return `${UNITS.draw(random)}${1 + random.below(random.chance(0.5) ? 40 : 900)}${letter}`;
  }
  return random.chance(MASKED_LINE_SHARE) ? MASKS[random.below(2)]! : "";
}

function drawPostalCode(
  random: Random,
  { country, postalCode }: Place,
): string {
  if (country !== "US")
    return postalCode.replaceAll(/[9A]/g, (sign) =>
      sign === "9" ? digits(random, 1) : "ABCEGHJK"[random.below(8)]!,
    );
  if (random.chance(FIVE_DIGIT_SHARE)) return postalCode;
  const dash = random.chance(DASHED_SHARE) ? "-" : "";
  return postalCode + dash + digits(random, 4);
}

function drawCountry(random: Random, { country }: Place): string {
  const way = random.fraction();
  if (country !== "US" || way >= 0.0004) return country;
  return way < 0.0002 ? "" : "UM";
}

function numbers(width: number): string[] {
  return Array.from({ length: 10 ** width }, (_, number) =>
    String(number).padStart(width, "0"),
  );
}
