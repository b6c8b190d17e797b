/** Words of street addresses, most common first. */

function list(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}

export const STREET_NAMES: readonly string[] = [
  ...list(`
  MAIN PARK MEDICAL WASHINGTON MAPLE OAK CENTER UNIVERSITY HOSPITAL BROADWAY LAKE STATE CENTRAL HIGHLAND JEFFERSON MADISON
  CEDAR CHURCH FRANKLIN LINCOLN ELM WALNUT PINE HILL RIVER SPRING RIDGE VALLEY CHESTNUT JACKSON UNION MARKET SUNSET
  COLLEGE LIBERTY PROSPECT WILLOW MILL CORPORATE COMMERCE PROFESSIONAL FOREST MEADOW GROVE CREEKSIDE HARRISON MONROE
  ADAMS BRIDGE CHERRY SCHOOL RAILROAD GRANT VINE HICKORY LOCUST SYCAMORE POPLAR MAGNOLIA LAUREL DOGWOOD JUNIPER ASPEN
  SPRUCE BIRCH SUMMIT PLEASANT FAIRVIEW HILLCREST LAKEVIEW RIVERSIDE WOODLAND NORTHSIDE SOUTHGATE WESTFIELD EASTWOOD
  EAGLE FALCON HERITAGE PIONEER FOUNDERS INNOVATION TECHNOLOGY EXECUTIVE GATEWAY HARBOR HAVEN KINGS LEGACY MISSION
  ORCHARD PATRIOT QUAIL RANCH SAGE STONE TIMBER TRADE VICTORY VILLAGE WINDSOR WOLF YORK COPPER GOLDEN SILVER INDIAN
  `),
  "MARTIN LUTHER KING JR",
  "OLD MILL",
  "LAKE SHORE",
  "PARK CENTER",
  "GRAND OAKS",
  "SAND HILL",
  "COUNTRY CLUB",
  "MEDICAL CENTER",
  "STATE HIGHWAY",
  "BEAVER CREEK",
  "TWIN LAKES",
  "GLEN EAGLES",
];

export const STREET_KINDS = list(
  "ST AVE RD DR BLVD LN CT WAY PKWY PL CIR HWY TER LOOP TRL STREET AVENUE ROAD DRIVE PIKE SQ",
);
export const DIRECTIONS = list("N W E S SW NE NW SE");
export const ORDINALS = list(
  "1ST 2ND 3RD 4TH 5TH 6TH 7TH 8TH 9TH 10TH 11TH 12TH 14TH 16TH 23RD 42ND 51ST 86TH 103RD",
);
export const UNITS = [
  "STE ",
  "SUITE ",
  "APT ",
  "UNIT ",
  "# ",
  "FL ",
  "BLDG ",
  "RM ",
  "STE. ",
];

/** A place abroad, for providers outside the U.S. */
interface ForeignPlace {
  city: string;
  state: string;
  /** 9 is replaced by any digit, A by any letter. */
  postalCode: string;
  country: string;
}

export const FOREIGN_PLACES: readonly ForeignPlace[] = [
  { city: "TORONTO", state: "ONTARIO", postalCode: "A9A 9A9", country: "CA" },
  { city: "VANCOUVER", state: "BC", postalCode: "A9A9A9", country: "CA" },
  { city: "MONTRÉAL", state: "QUEBEC", postalCode: "A9A 9A9", country: "CA" },
  {
    city: "TIJUANA",
    state: "BAJA CALIFORNIA",
    postalCode: "99999",
    country: "MX",
  },
  { city: "LONDON", state: "", postalCode: "AA9 9AA", country: "GB" },
  {
    city: "KAISERSLAUTERN",
    state: "RHEINLAND-PFALZ",
    postalCode: "99999",
    country: "DE",
  },
  { city: "OKINAWA", state: "JAPAN", postalCode: "9999999", country: "JP" },
  { city: "SEOUL", state: "--", postalCode: "99999", country: "KR" },
  { city: "TEL AVIV", state: "ISRAEL", postalCode: "9999999", country: "IL" },
  { city: "MUMBAI", state: "MAHARASHTRA", postalCode: "999999", country: "IN" },
];
