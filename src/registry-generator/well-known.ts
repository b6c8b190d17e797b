import { dayNumber } from "./calendar.ts";
import { columnNumber } from "./csv-row.ts";

/** Cells of consecutive columns of the main file, with the first one's number. */
type Run = readonly [column: number, ...cells: readonly string[]];

/** The rows of one provider: its run in the main file, and the cells after the NPI in other files. */
export interface WellKnown {
  readonly main: readonly Run[];
  readonly otherNames?: readonly (readonly string[])[];
  readonly locations?: readonly (readonly string[])[];
  readonly endpoints?: readonly (readonly string[])[];
}

const at = columnNumber;
const NAME = at("Entity Type Code");
const MAILING = at("Provider First Line Business Mailing Address");
const TAXONOMY = at("Healthcare Provider Taxonomy Code_1");
const IDENTIFIER = at("Other Provider Identifier_1");
const SOLE_PROPRIETOR = at("Is Sole Proprietor");
const SUBPART = at("Is Organization Subpart");
const GROUP = at("Healthcare Provider Taxonomy Group_1");
const CERTIFIED = at("Certification Date");
const REASON = at("NPI Deactivation Reason Code");
const REPLACEMENT = at("Replacement NPI");
const SMITHS_CLINIC = "676 N LAKE SHORE DR|STE 1400|CHICAGO|IL|606112923|US";
const HOSPITAL = "1200 N MICHIGAN AVE||CHICAGO|IL|606112204|US";

/** The day number of the last day in them. */
export const WELL_KNOWN_SINCE = dayNumber("2026-09-21");

/**
 * The first providers of every file, in full, so that documents can show them: with the default seed their NPIs are
 * 1976056766 (an individual with everything), 1544821568 (an organization with everything), 1496412788 (deactivated,
 * replaced by the first), 1760614523 (deactivated, and the registry shows only that), and
 * 1711584304 (a clinic in a city with two spellings). They do not depend on tables
 * or chance, and weeks do not change them.
 */
export const WELL_KNOWN: readonly WellKnown[] = [
  {
    main: [
      run(NAME, "1||||SMITH|JOHN|QUINCY|DR.|JR.|MD, PHD||"),
      run(at("Provider Other Last Name"), "SMITH|JACK|Q|DR.||MD|2"),
      run(MAILING, `PO BOX 1290||CHICAGO|IL|606801290|US|3125550142|`),
      run(MAILING + 8, `${SMITHS_CLINIC}|3125550140|3125550141`),
      run(MAILING + 16, "06/14/2006|09/21/2026||03/02/2015|05/11/2015|M"),
      run(TAXONOMY, "207RC0000X|036123456|IL|Y|207R00000X|036123456|IL|N"),
      run(TAXONOMY + 8, "208M00000X|54321|WI|N"),
      run(IDENTIFIER, "036123456|05|IL||0012345678|01|IL|BCBS"),
      run(SOLE_PROPRIETOR, "Y"),
      run(GROUP, "193400000X SINGLE SPECIALTY GROUP"),
      run(CERTIFIED, "09/21/2026"),
    ],
    locations: [
      cells(
        "2045 Maple Ave|Ste 210|Evanston|IL|602013110|US|8475550150|12|8475550151",
      ),
      cells("411 E Wisconsin Ave||Milwaukee|WI|532024461|US|4145550160||"),
    ],
    endpoints: [
      cells(
        `DIRECT|Direct Messaging Address|1976056766@direct.example.com|Y|Referrals|ST MARYS LAKESIDE HOSPITAL & CLINICS, INC.|DIRECT|Direct||OTHER|Other|Referrals|${endpointAddress(HOSPITAL)}`,
      ),
      cells(
        `FHIR|FHIR URL|https://fhir.example.com/1976056766/r4|N|||HIE|Health Information Exchange (HIE)||CSV|CSV||${endpointAddress(SMITHS_CLINIC)}`,
      ),
    ],
  },
  {
    main: [
      run(NAME, "2||<UNAVAIL>|ST MARYS LAKESIDE HOSPITAL & CLINICS, INC."),
      run(at("Provider Other Organization Name"), "ST. MARY'S LAKESIDE|3"),
      run(
        MAILING,
        "PO BOX 4400||CHICAGO|IL|606804400|US|3125550101|3125550102",
      ),
      run(MAILING + 8, `${HOSPITAL}|3125550100|3125550103`),
      run(MAILING + 16, "05/23/2005|08/03/2026||||"),
      run(
        at("Authorized Official Last Name"),
        "O'BRIEN|MARY|ELIZABETH|CHIEF EXECUTIVE OFFICER|3125550104",
      ),
      run(TAXONOMY, "282N00000X|0005678|IL|Y|261QU0200X|||N"),
      run(IDENTIFIER, "36001122|05|IL||140123|01|IL|BLUE CROSS"),
      run(SUBPART, "Y|LAKESIDE HEALTH PARTNERS, INC.|<UNAVAIL>|MS.||RN, MBA"),
      run(GROUP, "193200000X MULTI-SPECIALTY GROUP"),
      run(CERTIFIED, "08/03/2026"),
    ],
    otherNames: [
      cells("LAKESIDE COMMUNITY HOSPITAL|4"),
      cells("ST. MARY'S URGENT CARE|3"),
    ],
    locations: [
      cells(
        "3300 N Clark St|Fl 2|Chicago|IL|606573102|US|7735550170||7735550171",
      ),
    ],
    endpoints: [
      cells(
        `FHIR|FHIR URL|https://fhir.example.com/1544821568/r4|N|||||||||${endpointAddress(HOSPITAL)}`,
      ),
    ],
  },
  {
    main: [
      run(NAME, "1"),
      run(REPLACEMENT, "1976056766"),
      run(NAME + 4, "SMITH|JOHN|Q||JR.|MD"),
      run(MAILING, `${SMITHS_CLINIC}|3125550140||${SMITHS_CLINIC}|3125550140|`),
      run(MAILING + 16, "08/01/2005|03/15/2019"),
      run(REASON, "OT"),
      run(REASON + 1, "03/15/2019|02/01/2007|M"),
      run(TAXONOMY, "207R00000X|036123456|IL|Y"),
      run(SOLE_PROPRIETOR, "N"),
    ],
  },
  { main: [run(REASON + 1, "04/18/2012")] },
  {
    main: [
      run(NAME, "2||<UNAVAIL>|MAYO CREEK CLINIC, PLLC"),
      run(MAILING, "9 S MAIN ST||O FALLON|MO|633661234|US||"),
      run(MAILING + 8, "9 S MAIN ST||O'FALLON|MO|633661234|US|6365550180|"),
      run(MAILING + 16, "11/02/2016|11/02/2016"),
      run(at("Authorized Official Last Name"), "NGUYEN|ANNA||OWNER|6365550181"),
      run(TAXONOMY, "261QP2300X|||Y"),
      run(SUBPART, "N"),
    ],
  },
];

function run(column: number, text: string): Run {
  return [column, ...cells(text)];
}

function cells(text: string): string[] {
  return text.split("|");
}

/** Of an endpoint file, where the country comes before the postal code. */
function endpointAddress(address: string): string {
  const [line1, line2, city, state, postalCode, country] = cells(address);
  return [line1, line2, city, state, country, postalCode].join("|");
}
