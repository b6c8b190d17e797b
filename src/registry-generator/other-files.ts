import { drawAddress } from "./addresses.ts";
import type { CsvRow } from "./csv-row.ts";
import { type Provider, type Providers, Stream } from "./providers.ts";
import type { Random } from "./random.ts";
import { SkewedChoice } from "./skewed-choice.ts";
import type { WeekChange } from "./week-changes.ts";
import { Words } from "./words.ts";

/** Shares of organizations with another name in their own row that have more: about 7 % of all. */
const MORE_NAMES_SHARE = 0.26;
const ONE_MORE_SHARE = 0.2;
const MAX_NAMES = 4;
const WITH_LOCATIONS_SHARE = 0.093;
/** The weights of one location, two, and so on: 1.6 on average. */
const LOCATIONS = new SkewedChoice([66, 18, 8, 5, 3]);
const SAME_STATE_SHARE = 0.88;
/** These addresses are as users typed them, while those of the main file are in capitals. */
const LOCATION_SHARES = { telephone: 0.96, fax: 0.34, mixedCase: 0.35 };
const EXTENSION_SHARE = 0.05;
const WITH_ENDPOINTS_SHARE = 0.045;
/** The weights of one endpoint, two, and so on: 1.4 on average. */
const ENDPOINTS = new SkewedChoice([72, 19, 6, 3]);
const AFFILIATED_SHARE = 0.35;
const USE_SHARE = 0.7;
const CONTENT_SHARE = 0.3;
const ENDPOINT_SHARES = { telephone: 0, fax: 0, mixedCase: 0.35 };

/** Code|description|what is before|and after the NPI in the endpoint. */
const TYPES = new Words(
  [
    "DIRECT|Direct Messaging Address||@direct.example.com",
    "FHIR|FHIR URL|https://fhir.example.com/|/r4",
    "WEBSITE|Website URL|https://www.example.com/|",
    "CONNECT|CONNECT URL|https://connect.example.com/|",
    "RESTFUL|RESTful URL|https://api.example.com/|",
    "REGULAR|Regular Email||@example.com",
    "SOAP|SOAP URL|https://soap.example.com/|?wsdl",
    "OTHERS|Other URL|https://example.com/|",
  ],
  [62, 12, 9, 6, 4, 4, 2, 1],
);
/** Code|description|other description. */
const USES = new Words(
  [
    "DIRECT|Direct|",
    "HIE|Health Information Exchange (HIE)|",
    "OTHER|Other|Referrals",
    'OTHER|Other|So-called ""all""',
  ],
  [60, 30, 8, 2],
);
const CONTENTS = new Words(["CSV|CSV|", "OTHER|Other|"], [40, 60]);
const NONE = "||";

/** A file next to the main one, in the registry's zip: which providers have rows in it, and their cells after the NPI. */
interface OtherFile {
  /** The start of its name. */
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rowsOf: "otherNames" | "locations" | "endpoints";
  readonly share: number;
  readonly draw: (
    random: Random,
    provider: Provider,
    providers: Providers,
  ) => string[][];
}

/** Columns are spaced and named as the registry does (NPPES Data Dissemination, Readme). */
export const OTHER_FILES: readonly OtherFile[] = [
  {
    kind: "othername",
    columns: columnsOf(
      "NPI|Provider Other Organization Name|Provider Other Organization Name Type Code",
    ),
    rowsOf: "otherNames",
    share: MORE_NAMES_SHARE,
    draw: drawOtherNames,
  },
  {
    kind: "pl",
    columns:
      columnsOf(`NPI|Provider Secondary Practice Location Address- Address Line 1
      |Provider Secondary Practice Location Address-  Address Line 2
      |Provider Secondary Practice Location Address - City Name
      |Provider Secondary Practice Location Address - State Name
      |Provider Secondary Practice Location Address - Postal Code
      |Provider Secondary Practice Location Address - Country Code (If outside U.S.)
      |Provider Secondary Practice Location Address - Telephone Number
      |Provider Secondary Practice Location Address - Telephone Extension
      |Provider Practice Location Address - Fax Number`),
    rowsOf: "locations",
    share: WITH_LOCATIONS_SHARE,
    draw: drawLocations,
  },
  {
    kind: "endpoint",
    columns:
      columnsOf(`NPI|Endpoint Type|Endpoint Type Description|Endpoint|Affiliation|Endpoint Description
      |Affiliation Legal Business Name|Use Code|Use Description|Other Use Description|Content Type|Content Description
      |Other Content Description|Affiliation Address Line One|Affiliation Address Line Two|Affiliation Address City
      |Affiliation Address State|Affiliation Address Country|Affiliation Address Postal Code`),
    rowsOf: "endpoints",
    share: WITH_ENDPOINTS_SHARE,
    draw: drawEndpoints,
  },
];

/** Writes a provider's rows of another file, if any, as in the full file or after a week's change. */
export function writeOtherRows(
  row: CsvRow,
  { draw, rowsOf, share }: OtherFile,
  providers: Providers,
  index: number,
  change?: WeekChange,
): void {
  const known = providers.wellKnown(index);
  const stream = Stream[rowsOf];
  if (
    known === undefined &&
    (!providers.random(stream, index).chance(share) ||
      providers.history(index, change).isWithheld)
  )
    return;
  const provider = providers.draw(index, change);
  if (
    rowsOf === "otherNames" &&
    known === undefined &&
    !providers.hasOtherName(provider)
  )
    return;
  const version =
    rowsOf === "otherNames" ? provider.nameVersion : provider.placeVersion;
  const random = providers.random(stream + version, index);
  // The first number decided whether there is a row at all.
  random.next();
  for (const cells of known === undefined
    ? draw(random, provider, providers)
    : (known[rowsOf] ?? [])) {
    row.put(0, provider.npi, ...cells);
    row.end();
  }
}

function drawOtherNames(
  random: Random,
  provider: Provider,
  providers: Providers,
): string[][] {
  const rows: string[][] = [];
  do rows.push(providers.drawOtherName(random, provider));
  while (rows.length < MAX_NAMES && random.chance(ONE_MORE_SHARE));
  return rows;
}

function drawLocations(
  random: Random,
  { place: practice }: Provider,
  { places }: Providers,
): string[][] {
  return times(LOCATIONS.draw(random) + 1, () => {
    const place = random.chance(SAME_STATE_SHARE)
      ? places.drawNear(random, practice)
      : places.draw(random);
    const cells = drawAddress(random, place, LOCATION_SHARES);
    const extension = random.chance(EXTENSION_SHARE)
      ? String(1 + random.below(9999))
      : "";
    cells.splice(7, 0, extension);
    return cells;
  });
}

function drawEndpoints(
  random: Random,
  { npi, place, trade }: Provider,
  { organizations }: Providers,
): string[][] {
  return times(ENDPOINTS.draw(random) + 1, () => {
    const [code = "", description = "", before = "", after = ""] =
      TYPES.draw(random).split("|");
    const isAffiliated = random.chance(AFFILIATED_SHARE);
    const [line1, line2, city, state, postalCode, country] = drawAddress(
      random,
      place,
      ENDPOINT_SHARES,
    );
    return [
      code,
      description,
      `${before}${npi}${after}`,
      isAffiliated ? "Y" : "N",
      "",
      isAffiliated ? organizations.draw(random, trade, place) : "",
      ...(random.chance(USE_SHARE) ? USES.draw(random) : NONE).split("|"),
      ...(random.chance(CONTENT_SHARE) ? CONTENTS.draw(random) : NONE).split(
        "|",
      ),
      line1,
      line2,
      city,
      state,
      country,
      postalCode,
    ];
  });
}

function times(count: number, draw: () => string[]): string[][] {
  return Array.from({ length: count }, draw);
}

function columnsOf(list: string): string[] {
  return list.split(/\s*\|/);
}
