import { cityOf, type Place } from "./places.ts";
import { Random } from "./random.ts";
import { lists, rowsOf } from "./choice.ts";

/** Rare features of the real file, each with its share of addresses. */
const LOWER_CASE_SHARE = 0.00015;
const STATE_NAME_SHARE = 0.003;
const FIVE_DIGIT_SHARE = 0.053;
const DASHED_SHARE = 0.001;
const BOX_SHARE = 0.03;

const SAMPLE = 8192;

const { room, street } = lists(
  "room street",
  `
street: {direction}{name}_{kind}
direction: 70 "" 6 N_ W_ E_ S_ 1 SW_ NE_ NW_ SE_
name: 20 MAIN PARK MEDICAL_CENTER WASHINGTON MAPLE OAK CENTER UNIVERSITY HOSPITAL BROADWAY
12 LAKE STATE CENTRAL HIGHLAND JEFFERSON MADISON CEDAR CHURCH FRANKLIN LINCOLN ELM WALNUT PINE HILL RIVER
8 SPRING RIDGE VALLEY CHESTNUT JACKSON UNION MARKET SUNSET COLLEGE LIBERTY PROSPECT WILLOW MILL CORPORATE COMMERCE FOREST
5 PROFESSIONAL MEADOW GROVE CREEKSIDE HARRISON MONROE ADAMS BRIDGE CHERRY SCHOOL RAILROAD GRANT VINE HICKORY LOCUST POPLAR
SYCAMORE MAGNOLIA LAUREL DOGWOOD JUNIPER ASPEN SPRUCE BIRCH SUMMIT PLEASANT FAIRVIEW HILLCREST LAKEVIEW RIVERSIDE WOODLAND
3 NORTHSIDE SOUTHGATE WESTFIELD EAGLE HERITAGE PIONEER INNOVATION TECHNOLOGY EXECUTIVE GATEWAY HARBOR KINGS LEGACY MISSION
ORCHARD PATRIOT RANCH STONE VILLAGE WINDSOR MARTIN_LUTHER_KING_JR OLD_MILL LAKE_SHORE GRAND_OAKS COUNTRY_CLUB STATE_HIGHWAY
1ST 2ND 3RD 4TH 5TH 6TH 7TH 8TH 9TH 10TH 11TH 12TH 14TH 16TH 23RD 42ND 51ST 86TH 103RD
kind: 9 ST AVE RD DR 5 BLVD LN CT WAY 3 PKWY PL CIR HWY 2 TER LOOP TRL STREET AVENUE ROAD DRIVE PIKE SQ
room: 40 STE_ 25 SUITE_ 8 APT_ UNIT_ #_ 3 FL_ BLDG_ RM_ STE._`,
);
/** Drawing from samples is faster than putting each together. */
const STREETS = sample((random) => street.draw(random));
const UNITS = sample((random) => {
  const number = 1 + random.below(random.chance(0.5) ? 40 : 900);
  const letter = random.chance(0.1) ? "ABCDEF"[random.below(6)]! : "";
  return `${room.draw(random)}${number}${letter}`;
});
/** The share of second lines; of them, a few are masked. */
const SECOND_LINE_SHARE = 0.36;
const MASKED_SHARE = 0.0014;
const MASKS = ["<UNAVAIL>", "--"];
/** Some addresses of these states spell out the name. */
const STATE_NAMES = new Map(
  rowsOf(
    "CA CALIFORNIA; FL FLORIDA; IL ILLINOIS; NY New_York; PR PUERTO_RICO; TX TEXAS",
  ).map(([state = "", name = ""]) => [state, name]),
);

/** All pairs of digits. */
const PAIRS = Array.from({ length: 100 }, (_, number) =>
  String(number).padStart(2, "0"),
);

/** The shares of addresses with a telephone number, with a fax number, and in mixed case. */
export interface AddressShares {
  telephone: number;
  fax: number;
  mixedCase?: number;
}

/** Two lines, city, state, postal code, country, telephone and fax number. */
type Address = [string, string, string, string, string, string, string, string];

/** Draws an address in a place. */
export function drawAddress(
  random: Random,
  place: Place,
  { telephone, fax, mixedCase = LOWER_CASE_SHARE }: AddressShares,
): Address {
  const { country, state } = place;
  const isMixedCase = random.chance(mixedCase);
  const line1 = drawStreet(random, state);
  const city = cityOf(random, place);
  const isNamed = random.chance(STATE_NAME_SHARE);
  return [
    isMixedCase ? titleCase(line1) : line1,
    random.chance(SECOND_LINE_SHARE) ? drawSecondLine(random) : "",
    isMixedCase ? titleCase(city) : city,
    (isNamed ? STATE_NAMES.get(state) : undefined) ?? state,
    drawPostalCode(random, place),
    country === "US" ? drawCountry(random) : country,
    random.chance(telephone) ? drawTelephone(random, place) : "",
    random.chance(fax) ? drawTelephone(random, place) : "",
  ];
}

/** Invents a number: 555-0100 to 555-0199 are not assigned in any area. */
export function drawTelephone(random: Random, { areaCode }: Place): string {
  return `${areaCode}55501${digits(random, 1)}`;
}

/** Draws `pairs` times two digits. */
export function digits(random: Random, pairs: number): string {
  let text = "";
  for (let rest = pairs; rest > 0; rest--) text += PAIRS[random.below(100)]!;
  return text;
}

/** Lowercases all but the first letter of each word. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\d])\p{L}/gu, (letter) => letter.toUpperCase());
}

function drawStreet(random: Random, state: string): string {
  if (state === "AA" || state === "AE" || state === "AP")
    return `PSC ${1 + random.below(900)} BOX ${1 + random.below(9999)}`;
  if (random.chance(BOX_SHARE)) return `PO BOX ${1 + random.below(99_999)}`;
  const number = 1 + random.below(random.chance(0.6) ? 2000 : 19_999);
  return `${number}${drawSpace(random)}${STREETS[random.below(SAMPLE)]!}`;
}

/** Draws a space, rarely a tab or a line end: readers must handle these inside a value. */
function drawSpace(random: Random): string {
  const way = random.below(100_000);
  return way > 3 ? " " : way > 1 ? "\t" : "\n";
}

function drawSecondLine(random: Random): string {
  return random.chance(MASKED_SHARE)
    ? MASKS[random.below(2)]!
    : UNITS[random.below(SAMPLE)]!;
}

function drawPostalCode(
  random: Random,
  { country, postalCode }: Place,
): string {
  if (country !== "US")
    return postalCode.replaceAll(/[9A]/g, (sign) =>
      sign === "9" ? String(random.below(10)) : "ABCEGHJK"[random.below(8)]!,
    );
  if (random.chance(FIVE_DIGIT_SHARE)) return postalCode;
  const dash = random.chance(DASHED_SHARE) ? "-" : "";
  return postalCode + dash + digits(random, 2);
}

function drawCountry(random: Random): string {
  const way = random.below(10_000);
  return way > 3 ? "US" : way > 1 ? "" : "UM";
}

function sample(draw: (random: Random) => string): string[] {
  const random = new Random();
  random.restart(0, 0, 0);
  return Array.from({ length: SAMPLE }, () => draw(random));
}
