import { OFFICIAL_COLUMNS } from "../registry/rows/header.ts";
import { dayNumber } from "./calendar.ts";

/** The rows of one provider. */
export interface WellKnown {
  /** The cells of the main file, by column. */
  readonly main: ReadonlyMap<string, string>;
  /** The cells after the NPI of each row in the other files, by the file's kind. */
  readonly others: ReadonlyMap<string, readonly (readonly string[])[]>;
}

/** The day number of the last day in them. */
export const WELL_KNOWN_SINCE = dayNumber("2026-09-21");

const SMITHS_CLINIC = "676 N LAKE SHORE DR|STE 1400|CHICAGO|IL";
const HOSPITAL = "1200 N MICHIGAN AVE||CHICAGO|IL";

/**
 * The first providers of every file, in full, so that documents can show them: with the default seed their NPIs are
 * 1976056766 (an individual with everything), 1544821568 (an organization with everything), 1496412788 (deactivated,
 * replaced by the first), 1760614523 (deactivated, and the registry shows only that), and 1711584304 (a clinic in a
 * city with two spellings). They do not depend on tables or chance, and weeks do not change them.
 */
export const WELL_KNOWN: readonly WellKnown[] = [
  `
Entity Type Code: 1||||SMITH|JOHN|QUINCY|DR.|JR.|MD, PHD
Provider Other Last Name: SMITH|JACK|Q|DR.||MD|2
Provider First Line Business Mailing Address: PO BOX 1290||CHICAGO|IL|606801290|US|3125550142||${SMITHS_CLINIC}
|606112923|US|3125550140|3125550141|06/14/2006|09/21/2026||03/02/2015|05/11/2015|M
Healthcare Provider Taxonomy Code_1: 207RC0000X|036123456|IL|Y|207R00000X|036123456|IL|N|208M00000X|54321|WI|N
Other Provider Identifier_1: 036123456|05|IL||0012345678|01|IL|BCBS
Is Sole Proprietor: Y
Healthcare Provider Taxonomy Group_1: 193400000X SINGLE SPECIALTY GROUP
Certification Date: 09/21/2026
pl: 2045 Maple Ave|Ste 210|Evanston|IL|602013110|US|8475550150|12|8475550151
pl: 411 E Wisconsin Ave||Milwaukee|WI|532024461|US|4145550160||
endpoint: DIRECT|Direct Messaging Address|1976056766@direct.example.com|Y|Referrals
|ST MARYS LAKESIDE HOSPITAL & CLINICS, INC.|DIRECT|Direct||OTHER|Other|Referrals|${HOSPITAL}|US|606112204
endpoint: FHIR|FHIR URL|https://fhir.example.com/1976056766/r4|N|||HIE|Health Information Exchange (HIE)||CSV|CSV|
|${SMITHS_CLINIC}|US|606112923`,
  `
Entity Type Code: 2||<UNAVAIL>|ST MARYS LAKESIDE HOSPITAL & CLINICS, INC.
Provider Other Organization Name: ST. MARY'S LAKESIDE|3
Provider First Line Business Mailing Address: PO BOX 4400||CHICAGO|IL|606804400|US|3125550101|3125550102|${HOSPITAL}
|606112204|US|3125550100|3125550103|05/23/2005|08/03/2026
Authorized Official Last Name: O'BRIEN|MARY|ELIZABETH|CHIEF EXECUTIVE OFFICER|3125550104
Healthcare Provider Taxonomy Code_1: 282N00000X|0005678|IL|Y|261QU0200X|||N
Other Provider Identifier_1: 36001122|05|IL||140123|01|IL|BLUE CROSS
Is Organization Subpart: Y|LAKESIDE HEALTH PARTNERS, INC.|<UNAVAIL>|MS.||RN, MBA
Healthcare Provider Taxonomy Group_1: 193200000X MULTI-SPECIALTY GROUP
Certification Date: 08/03/2026
othername: LAKESIDE COMMUNITY HOSPITAL|4
othername: ST. MARY'S URGENT CARE|3
pl: 3300 N Clark St|Fl 2|Chicago|IL|606573102|US|7735550170||7735550171
endpoint: FHIR|FHIR URL|https://fhir.example.com/1544821568/r4|N|||||||||${HOSPITAL}|US|606112204`,
  `
Entity Type Code: 1
Replacement NPI: 1976056766
Provider Last Name (Legal Name): SMITH|JOHN|Q||JR.|MD
Provider First Line Business Mailing Address: ${SMITHS_CLINIC}|606112923|US|3125550140||${SMITHS_CLINIC}
|606112923|US|3125550140||08/01/2005|03/15/2019
NPI Deactivation Reason Code: OT
NPI Deactivation Date: 03/15/2019|02/01/2007|M
Healthcare Provider Taxonomy Code_1: 207R00000X|036123456|IL|Y
Is Sole Proprietor: N`,
  `
NPI Deactivation Date: 04/18/2012`,
  `
Entity Type Code: 2||<UNAVAIL>|MAYO CREEK CLINIC, PLLC
Provider First Line Business Mailing Address: 9 S MAIN ST||O FALLON|MO|633661234|US|||9 S MAIN ST||O'FALLON|MO
|633661234|US|6365550180||11/02/2016|11/02/2016
Authorized Official Last Name: NGUYEN|ANNA||OWNER|6365550181
Healthcare Provider Taxonomy Code_1: 261QP2300X|||Y
Is Organization Subpart: N`,
].map((text) => {
  const main = new Map<string, string>();
  const others = new Map<string, string[][]>();
  for (const line of text.trim().split(/\n(?!\|)/)) {
    const [place = "", list = ""] = line.replaceAll("\n", "").split(/: (.*)/);
    const cells = list.split("|");
    const first = OFFICIAL_COLUMNS.indexOf(place);
    if (first === -1) others.set(place, [...(others.get(place) ?? []), cells]);
    else
      for (const [at, cell] of cells.entries())
        main.set(OFFICIAL_COLUMNS[first + at]!, cell);
  }
  return { main, others };
});
