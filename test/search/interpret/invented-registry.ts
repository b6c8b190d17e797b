/**
 * A registry of invented providers in which the sentences (`sentences.txt`) mean something: their cities, their names,
 * and people who are called like cities and states. Numbers are small, in proportions as in the real registry.
 */

import { commonCodesOf } from "../../../src/search/aliases/common-specialties.ts";
import { cityKey, fold } from "../../../src/text/fold.ts";
import { buildDirectory } from "../../support/pure/engine/built-directory.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow, type RawRow } from "../../support/pure/registry/raw-row.ts";

/** City, state, providers; their ZIPs follow. The last provider has the last ZIP, all others the first. */
const CITIES = `
CHICAGO IL 70 60601 60611|NEW YORK NY 90 10001|BROOKLYN NY 40 11201|LOS ANGELES CA 80 90012
SAN FRANCISCO CA 40 94110|SAN JOSE CA 40 95112|SAN DIEGO CA 45 92101|OAKLAND CA 20 94612|PITTSBURG CA 3 94565
PITTSBURGH PA 30 15222|PHILADELPHIA PA 50 19103 19104|SCRANTON PA 9 18503|HARRISBURG PA 9 17101|INDIANA PA 4 15701
HOUSTON TX 60 77002|DALLAS TX 50 75201|AUSTIN TX 40 78701|EL PASO TX 20 79901|SAN ANTONIO TX 40 78205
FORT WORTH TX 25 76102|THE WOODLANDS TX 8 77380|PARIS TX 3 75460|DEL RIO TX 2 78840|ST. LOUIS MO 40 63101
KANSAS CITY MO 30 64106|KANSAS CITY KS 12 66101|O'FALLON MO 6 63366|SPRINGFIELD IL 15 62701|SPRINGFIELD MO 15 65806
SAINT PAUL MN 20 55101|ROCHESTER MN 20 55905|ROCHESTER NY 15 14604|NEW ORLEANS LA 25 70112|LA CROSSE WI 7 54601
PORT SAINT LUCIE FL 7 34952|MIAMI FL 50 33130|TAMPA FL 35 33602|JACKSONVILLE FL 30 32202|WESTON FL 5 33326
MOUNT VERNON NY 6 10550|WASHINGTON DC 40 20001|WASHINGTON PA 5 15301|PORTLAND OR 40 97205|PORTLAND ME 14 04101
BANGOR ME 8 04401|TERRE HAUTE IN 7 47807|INDIANAPOLIS IN 40 46204|CALIFORNIA MD 3 20619|BALTIMORE MD 40 21201
OREGON CITY OR 5 97045|DELAWARE OH 5 43015|COLUMBUS OH 40 43215|CINCINNATI OH 35 45202|TRUTH OR CONSEQUENCES NM 2 87901
ALBUQUERQUE NM 25 87102|WINSTON SALEM NC 20 27101|CHARLOTTE NC 45 28202|VIRGINIA BEACH VA 20 23451|SAN JUAN PR 20 00901
BOSTON MA 55 02115|SEATTLE WA 45 98101|DENVER CO 45 80202|SALT LAKE CITY UT 25 84101|EUGENE OR 12 97401
LINCOLN NE 20 68508|SAVANNAH GA 15 31401|ATLANTA GA 45 30301|JACKSON MS 15 39201|JACKSON TN 8 38301
WILMINGTON DE 15 19801|DOVER DE 8 19901|TUCSON AZ 30 85701|PHOENIX AZ 45 85001|BIRMINGHAM AL 30 35203
BOISE ID 20 83702|HONOLULU HI 25 96813|TULSA OK 25 74103|CLEVELAND OH 40 44113|CHEYENNE WY 8 82001|BOZEMAN MT 6 59718
SAINT JOHN IN 1 46373|SMITH NV 1 89430|GEORGIA VT 1 05468|MAY TX 1 76857|BERG KY 1 41001|FALL RIVER MA 6 02720|CHIGACO IL 1 60601
`;

/**
 * First name, with its middle name after a slash, last name, and how many are called so. The first is in every city
 * that a sentence asks for.
 */
const PEOPLE = `
JOHN SMITH 60|JANE DOE 20|MARIA GARCIA 50|THI NGUYEN 20|AN NGUYEN 3|MY NGUYEN 2|MINH DO 6|MARY O'BRIEN 5|MARY OBRIEN 2
MARY O BRIEN 1|MARIA GARCIA-LOPEZ 2|JANE SMITH-JONES 1|JAN VAN DER BERG 1|MARIA DE LA CRUZ 4|JUAN DE LEON 3
JANE ST JOHN 4|ANNE-MARIE D'ANGELO 1|MARY SMITH 15|JOHN MACDONALD 3|WEI MA 5|CARLOS DEL RIO 3|LISA WASHINGTON 6
AUSTIN DALLAS 1|AUSTIN JONES 4|PARIS HILTON 1|GEORGIA MAY 2|VIRGINIA YOUNG 4|CAROLINA LOPEZ 4|GEORGIA SMITH 2
CHARLOTTE NGUYEN 2|CHARLOTTE JONES 3|MARK JACKSON 40|LINCOLN BAKER 1|SAVANNAH JONES 2|JAMES GOOD 3|ELLEN BEST 2
WILL MAY 1|JOHN PARK 5|MARY LANE 3|JOHN STREET 1|AMY HILL 12|JOHN NULL 1|PETER FOOT 1|KIM LEE 20|JOHN KIM 10
EUGENE MILLER 4|AL SMITH 2|ANA LOPEZ 25|JOSE GARCIA 15|LUIS PENA 4|WILLIAM JOHNSON 45|ELIZABETH JONES 30
JOHN/QUINCY SMITH 2|JOHN/Q. SMITH 1|MARY/ANN SMITH 2|JANE/DENISE DOE 1|WILLIAM/R JOHNSON 1|JACK/JAMES JOHNSON 1|QUINCY STONE 1
ROBERT BROWN 35|MICHAEL JOHNSON 60|MICHEAL STONE 2|OLE JONSON 2|SAM HOUSTON 2|TOM DROP 1|ANN TABLE 1|JHON CASTRO 1
BON BROWN 1|BILL JOHNSON 1
`;

/** Organization, city, state. */
const ORGANIZATIONS = `
MAYO CLINIC/ROCHESTER MN|MAYO CLINIC/JACKSONVILLE FL|MAYO CLINIC ARIZONA/PHOENIX AZ|CLEVELAND CLINIC/CLEVELAND OH
CLEVELAND CLINIC FLORIDA/WESTON FL|CVS PHARMACY 1234/CHICAGO IL|CVS PHARMACY/BOSTON MA|WALGREENS/HOUSTON TX
WALGREENS CO/CHICAGO IL|KAISER PERMANENTE/OAKLAND CA|QUEST DIAGNOSTICS/TAMPA FL|MD ANDERSON CANCER CENTER/HOUSTON TX
MASSACHUSETTS GENERAL HOSPITAL/BOSTON MA|HOUSTON METHODIST HOSPITAL/HOUSTON TX|BOSTON CHILDREN'S HOSPITAL/BOSTON MA
CHILDREN'S HOSPITAL OF PHILADELPHIA/PHILADELPHIA PA|UNIVERSITY OF CHICAGO MEDICAL CENTER/CHICAGO IL
NEW YORK PRESBYTERIAN HOSPITAL/NEW YORK NY|ST. MARY'S HOSPITAL/TUCSON AZ|SMITH FAMILY DENTISTRY/AUSTIN TX
CLINIC 24 7/MIAMI FL|3RD STREET DENTAL/DENVER CO|SMITH & JONES LLC/DOVER DE|JOHN SMITH MD PC/BOSTON MA
JORDAN STREET CLINIC/DALLAS TX|FARMACIA SAN JUAN/SAN JUAN PR|WASHINGTON UNIVERSITY/ST. LOUIS MO
`;

/** The first cities have a physician assistant, too. */
const ASSISTANTS = 20;
/** What providers of each city are, in turn. */
const KINDS = [
  "cardiologist",
  "dentist",
  "dermatologist",
  "pediatrician",
  "psychologist",
  "orthopedic surgeon",
  "chiropractor",
  "ophthalmologist",
  "hospital",
  "urgent care",
  "pharmacy",
  "gynecologist",
  "nurse",
  "physical therapist",
  "family doctor",
];

interface City {
  readonly city: string;
  readonly state: string;
  readonly zips: readonly string[];
  readonly providers: number;
}

/** Builds it. The first provider has the NPI 1234567893. */
export function inventedDirectory(): Promise<ParsedDirectory> {
  const cities = citiesOf(CITIES);
  const zips = cities.flatMap((city) => city.zips);
  return buildDirectory({
    id: "20261116T031500000Z",
    createdAt: "2026-11-16T03:15:00.000Z",
    rows: rowsOf(cities),
    taxonomyNames: new Map(
      [...KINDS, "physician assistant"].map((kind) => [codeOf(kind), kind]),
    ),
    centroids: new Map(
      [...new Set(zips)]
        .sort()
        .map((zip, index) => [
          zip,
          { lat: 25 + index / 8, lng: -120 + index / 3 },
        ]),
    ),
  });
}

/** The ZIPs of a city, in a state or in any. */
export function zipsOf(city: string, state: string | undefined): string[] {
  return citiesOf(CITIES)
    .filter(
      (each) =>
        cityKey(each.city) === cityKey(city) &&
        (state === undefined || each.state === state),
    )
    .flatMap(({ zips }) => zips);
}

function rowsOf(cities: readonly City[]): RawRow[] {
  const rows: RawRow[] = [];
  const add = (
    city: City,
    kind: string,
    values: Parameters<typeof rawRow>[0],
  ): void => {
    const { city: name, state, zips } = city;
    const isLast = rows.length % 10 === 9;
    rows.push(
      rawRow(
        {
          npi:
            rows.length === 0
              ? "1234567893"
              : inventedNpi(200_000_000 + rows.length),
          city: name,
          state,
          postalCode: zips.at(isLast ? -1 : 0) ?? "",
          country: "US",
          ...values,
        },
        [{ code: codeOf(kind), primary: "Y" }],
      ),
    );
  };
  for (const city of cities)
    for (let each = 0; each < city.providers; each++)
      add(city, KINDS[each % KINDS.length]!, {
        entityType: "1",
        first: "PAT",
        last: "EXAMPLE",
      });
  for (const city of cities.slice(0, ASSISTANTS))
    add(city, "physician assistant", {
      entityType: "1",
      first: "PAT",
      last: "EXAMPLE",
    });
  for (const line of linesOf(PEOPLE)) {
    const [called = "", ...rest] = line.split(" ");
    const [first = "", middle = ""] = called.split("/");
    const count = Number(rest.at(-1));
    const last = rest.slice(0, -1).join(" ");
    for (let each = 0; each < count; each++) {
      const city = cities[each % cities.length]!;
      add(city, "family doctor", { entityType: "1", first, middle, last });
    }
  }
  for (const line of linesOf(ORGANIZATIONS)) {
    const [organization = "", place = ""] = line.split("/");
    const city = cities.find((each) => `${each.city} ${each.state}` === place);
    if (city === undefined) throw new Error(`Unknown city: ${place}.`);
    add(city, "hospital", { entityType: "2", organization });
  }
  return rows;
}

function citiesOf(table: string): City[] {
  return linesOf(table).map((line) => {
    const { groups } =
      /^(?<city>.+) (?<state>[A-Z]{2}) (?<providers>\d+) (?<zips>[\d ]+)$/.exec(
        line,
      )!;
    return {
      city: groups!["city"]!,
      state: groups!["state"]!,
      providers: Number(groups!["providers"]),
      zips: groups!["zips"]!.split(" "),
    };
  });
}

function linesOf(table: string): string[] {
  return table.trim().split(/[|\n]/);
}

function codeOf(kind: string): string {
  const [code] = commonCodesOf(fold(kind)) ?? [];
  if (code === undefined) throw new Error(`No codes for ${kind}.`);
  return code;
}
