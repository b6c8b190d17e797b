import { drawAddress } from "./addresses.ts";
import { type Choice, numbersBy, lists } from "./choice.ts";
import { drawOrganization, drawOtherName } from "./organization-names.ts";
import { placeMap } from "./places.ts";
import type { Provider } from "./history.ts";
import type { Random } from "./random.ts";

const SAME_STATE_SHARE = 0.88;
const EXTENSION_SHARE = 0.05;
const AFFILIATED_SHARE = 0.35;
/** These addresses are as users typed them, while those of the main file are in capitals. */
const LOCATION_SHARES = { telephone: 0.96, fax: 0.34, mixedCase: 0.35 };
const ENDPOINT_SHARES = { telephone: 0, fax: 0, mixedCase: 0.35 };

/** Code, description, and endpoint or other description. */
const { content, type, use } = lists(
  "content type use",
  `
type: 62 DIRECT|Direct_Messaging_Address|{npi}@direct.example.com 12 FHIR|FHIR_URL|https://fhir.example.com/{npi}/r4
9 WEBSITE|Website_URL|https://www.example.com/{npi} 6 CONNECT|CONNECT_URL|https://connect.example.com/{npi}
4 RESTFUL|RESTful_URL|https://api.example.com/{npi} REGULAR|Regular_Email|{npi}@example.com
2 SOAP|SOAP_URL|https://soap.example.com/{npi}?wsdl 1 OTHERS|Other_URL|https://example.com/{npi}
use: 30 || 42 DIRECT|Direct| 21 HIE|Health_Information_Exchange_(HIE)| 5.6 OTHER|Other|Referrals 1.4 OTHER|Other|So-called_""all""
content: 70 || 12 CSV|CSV| 18 OTHER|Other|`,
);

/**
 * A file next to the main one, in the registry's zip: which providers have rows in it, and their cells after the NPI.
 */
export interface OtherFile {
  /** The start of its name. */
  readonly kind: string;
  readonly columns: readonly string[];
  /** Its random numbers (`providers.ts`). */
  readonly stream: number;
  readonly share: number;
  /** True if an update of the provider's name changes its rows, and not one of its place. */
  readonly isNames: boolean;
  readonly draw: (random: Random, provider: Provider) => string[];
  /** The number of its rows of a provider. */
  readonly counts: Choice<number>;
}

/** Columns are spaced and named as the registry does (NPPES Data Dissemination, Readme). */
export const OTHER_FILES: readonly OtherFile[] = [
  {
    kind: "othername",
    columns: columnsOf(
      "NPI|Provider Other Organization Name|Provider Other Organization Name Type Code",
    ),
    // Of the organizations with another name in their own row: about 7 % of all have more.
    stream: 10,
    share: 0.26,
    isNames: true,
    counts: numbersBy([80, 16, 3, 1]),
    draw: drawOtherName,
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
    stream: 11,
    share: 0.093,
    isNames: false,
    counts: numbersBy([66, 18, 8, 5, 3]),
    draw: drawLocation,
  },
  {
    kind: "endpoint",
    columns:
      columnsOf(`NPI|Endpoint Type|Endpoint Type Description|Endpoint|Affiliation|Endpoint Description
      |Affiliation Legal Business Name|Use Code|Use Description|Other Use Description|Content Type|Content Description
      |Other Content Description|Affiliation Address Line One|Affiliation Address Line Two|Affiliation Address City
      |Affiliation Address State|Affiliation Address Country|Affiliation Address Postal Code`),
    stream: 12,
    share: 0.045,
    isNames: false,
    counts: numbersBy([72, 19, 6, 3]),
    draw: drawEndpoint,
  },
];

function drawLocation(random: Random, { place: practice }: Provider): string[] {
  const place = random.chance(SAME_STATE_SHARE)
    ? placeMap().drawNear(random, practice)
    : placeMap().draw(random);
  const extension = random.chance(EXTENSION_SHARE)
    ? String(1 + random.below(9999))
    : "";
  const cells: string[] = drawAddress(random, place, LOCATION_SHARES);
  return cells.toSpliced(7, 0, extension);
}

function drawEndpoint(
  random: Random,
  { npi, place, specialty }: Provider,
): string[] {
  const isAffiliated = random.chance(AFFILIATED_SHARE);
  const [line1, line2, city, state, postalCode, country] = drawAddress(
    random,
    place,
    ENDPOINT_SHARES,
  );
  return [
    ...type.draw(random, { npi }).split("|"),
    isAffiliated ? "Y" : "N",
    "",
    isAffiliated ? drawOrganization(random, specialty.trade, place) : "",
    ...use.draw(random).split("|"),
    ...content.draw(random).split("|"),
    line1,
    line2,
    city,
    state,
    country,
    postalCode,
  ];
}

function columnsOf(list: string): string[] {
  return list.split(/\s*\|/);
}
