/**
 * A few values that resemble each other in every way that matching distinguishes: substrings, prefixes and words of one
 * another, the same after folding, equal but for a mark or a space. All invented.
 */

import type { Point } from "../../../../src/search/query.ts";

/** Blank and masked: null in a record. */
export const SILENT = [
  "",
  "",
  "",
  "   ",
  "<UNAVAIL>",
  " <UNAVAIL> ",
  "--",
  "======",
  "$$$",
  "*",
  "#",
  ".",
  "- - -",
  "_",
];

/** Values that look like masks. */
export const TALKING = ["NONE", "N/A", "XXX", "<UNAVAILABLE>", "-1-", "0"];

/** Names that many share, so a whole name finds several, and longer names that contain them. */
export const COMMON_FIRST_NAMES = ["JOHN", "JOHNSON"];
export const COMMON_LAST_NAMES = ["SMITH", "SMITHSON"];

export const FIRST_NAMES = [
  "AN",
  "ANN",
  "ANNA",
  "ANNA MARIA",
  "JO",
  "JOANN",
  "JO ANN",
  "JO-ANN",
  "JoAnn",
  "HANNA",
  "MARY ANN",
  "D'ANN",
  "JOSE",
  "JOSÉ",
  "Jos\u{65}\u{301}",
  "RENÉE",
  "ØYVIND",
  "OYVIND",
  "AN & ANN",
  "ÆSA",
  "ﬁona",
  "FIONA",
  "J.",
  "J",
  "X2",
  "2",
  "½",
  "Ĳsbrand",
  "  ANN",
  "ANN  ",
  "AN  NA",
  "ST. JOHN",
  "JOHN",
  "JOHNSON",
  "/",
];

export const LAST_NAMES = [
  "SMITH",
  "SMITH-JONES",
  "SMITH JONES",
  "JONES",
  "JONES SMITH",
  "SMITHSON",
  "BLACKSMITH",
  "smith",
  "SMI TH",
  "O'BRIEN",
  "O’Brien",
  "OBRIEN",
  "O BRIEN",
  "BRIEN",
  "DE LA CRUZ",
  "DELACRUZ",
  "DE LA",
  "LA CRUZ",
  "CRUZ",
  "DELA CRUZ",
  "AN",
  "ANN",
  "ANNA",
  "JOHN",
  "JOHNSON",
  "SMITH, JR.",
  "MÜLLER",
  "MULLER",
  "STRAẞE",
  "STRASSE",
  "ŁUCZAK",
  "LUCZAK",
  "Þorn",
  "THORN",
  "SMITH & JONES",
  "SMITH AND JONES",
  "2",
  "3RD",
  "SMITH  ",
  "\tCRUZ",
  "DE  LA  CRUZ",
  "//",
];

export const ORGANIZATIONS = [
  "SMITH CLINIC",
  "SMITH CLINICS",
  "THE SMITH CLINIC",
  "SMITH & JONES CLINIC, LLC",
  "SMITH AND JONES CLINIC LLC",
  "SMITH JONES CLINIC LLC",
  "A&B CARE",
  "A AND B CARE",
  "&",
  "ANN SMITH",
  "SMITH",
  "JOHN SMITH",
  "ST. ANN'S HOSPITAL",
  "SAINT ANN HOSPITAL",
  "ST ANNS HOSPITAL",
  "HOSPITAL",
  "HOSPITALITY HOUSE",
  "ANN",
  "DE LA CRUZ MD PA",
  "24-7 CARE",
  "24 7 CARE",
  "247 CARE",
  "CARE 24",
  "A.B.C. CARE",
  "ABC CARE",
  "CLÍNICA SMITH",
  "CLINICA SMITH",
  "O'BRIEN CARE",
  'THE "SMITH" CLINIC',
  "CARE,\nSECOND LINE",
  "CARE\tTAB",
  "A",
  "B",
  "A B",
  "株式会社 CARE",
  "𝒮mith Clinic",
  "***CARE***",
];

export const CITIES = [
  "SAINT LOUIS",
  "ST. LOUIS",
  "ST LOUIS",
  "St. Louis",
  "SAINT-LOUIS",
  "LOUIS",
  "SAINTLOUIS",
  "LOUIS ST",
  "SAINT LOUISE",
  "FT. WAYNE",
  "FORT WAYNE",
  "FT WAYNE",
  "WAYNE",
  "MT VERNON",
  "MOUNT VERNON",
  "MT. ST. MARY",
  "MOUNT SAINT MARY",
  "MTVERNON",
  "CAÑON CITY",
  "CANON CITY",
  "COEUR D'ALENE",
  "COEUR D ALENE",
  "COEUR DALENE",
  "SAULT STE. MARIE",
  "SAULT SAINTE MARIE",
  "ST. E",
  "STE",
  "//",
  "ŁÓDŹ",
  "ÅRHUS",
  "Z",
  "A",
];

/** Known two-letter states in any case and with periods, spelled out in any case, military, and invalid states. */
export const STATES = [
  "MO",
  "MO",
  "IL",
  "IL",
  "il",
  "iL",
  " IL ",
  "I.L.",
  "ILLINOIS",
  "Illinois",
  "MISSOURI",
  "WY",
  "AK",
  "PR",
  "GU",
  "PUERTO RICO",
  "Virgin Islands",
  "NORTHERN MARIANA ISLANDS",
  "AE",
  "ae",
  "AP",
  "AA",
  "ARMED FORCES EUROPE",
  "ONTARIO",
  "ON",
  "ZZ",
  "ILL",
  "FORT BEND",
  "NEW YORK",
  "NEW  YORK",
  "W VIRGINIA",
  "WEST VIRGINIA",
  "12",
];

export const COUNTRIES = [
  "US",
  "US",
  "US",
  "US",
  "UM",
  "PR",
  "GU",
  "VI",
  "AS",
  "MP",
  "CA",
  "DE",
  "JP",
  "us",
  "ZZ",
];

/**
 * Two ZIPs at one point, a third a few feet off, neighbours, the antimeridian from both sides, both poles, an opposite
 * point.
 */
export const CENTROIDS: readonly (readonly [zip: string, at: Point])[] = [
  ["60601", { lat: 41.885, lng: -87.622 }],
  ["60602", { lat: 41.885, lng: -87.622 }],
  ["60603", { lat: 41.880188, lng: -87.625509 }],
  ["60604", { lat: 41.88501, lng: -87.62201 }],
  ["60699", { lat: 42, lng: -88 }],
  ["63101", { lat: 38.63175, lng: -90.19252 }],
  ["00601", { lat: 18.180555, lng: -66.749961 }],
  ["09009", { lat: 41.9, lng: -87.6 }],
  ["96901", { lat: 51.9, lng: 179.99 }],
  ["99501", { lat: 51.91, lng: -179.98 }],
  ["99502", { lat: 52, lng: 180 }],
  ["99503", { lat: 89.95, lng: 10 }],
  ["99504", { lat: 89.9, lng: -170 }],
  ["99505", { lat: -89.999999, lng: 0 }],
];

/** Well-formed ZIPs without a known centroid. */
export const LOST_ZIPS = ["60600", "00000", "99999"];

export const POSTAL_CODES = [
  ...CENTROIDS.map(([zip]) => zip),
  ...LOST_ZIPS,
  "606013456",
  "60601-3456",
  "606020000",
  "60601 3456",
  "60602ABC",
  " 60603 ",
  "6060",
  "606",
  "60 601",
  "K1A 0B1",
  "6060A",
  "O6060",
  "09009-1234",
  "０６０６０1",
];

/**
 * Invented display names: words and substrings of one another, upper and mixed case, an accent, a slash. Only the last
 * code is a real one, to which everyday words lead.
 */
export const TAXONOMY: readonly (readonly [
  code: string,
  displayName: string,
])[] = [
  ["101Y00000X", "Family Medicine Physician"],
  ["102Y00000X", "Medicine"],
  ["103Y00000X", "Sports Medicine (Family Medicine) Physician"],
  ["104Y00000X", "Physician Assistant"],
  ["105Y00000X", "Pediatric/Adolescent Ménière’s Specialist"],
  ["106Y00000X", "Technician, Other"],
  ["207Q00000X", "Family Medicine Physician"],
];

/** Codes in the table, some of them in lower case, and other codes of all kinds. */
export const TAXONOMY_CODES = [
  ...TAXONOMY.map(([code]) => code),
  ...TAXONOMY.map(([code]) => code),
  "101y00000x",
  "106Y00000x",
  "207q00000x",
  "199Y00000X",
  "198Y00000X",
  " 102Y00000X ",
  "101Y",
  "101Y00000XX",
  "UNKNOWN",
  "101Y-0000X",
];

export const DATES = [
  "01/02/2020",
  "12/31/2019",
  "02/29/2024",
  "06/15/2021",
  "06/16/2021",
  "05/23/2005",
];

/** Invalid values of date columns. */
export const NO_DATES = [
  "",
  "",
  "--",
  "<UNAVAIL>",
  "02/30/2021",
  "13/01/2021",
  "2021-06-15",
  "0",
];

/** Query words that no provider has. */
export const MISSES = ["ZEBRA", "Q", "QUUX 9", "ANNAA", "SMITHSONIAN", "鶴"];
