import type { Trade } from "../names/organization-words.ts";

/** What follows from a taxonomy code's prefix. The longest prefix that fits decides. */
export interface SpecialtyRule {
  /** The trade of an organization with this specialty. */
  trade: Trade;
  /** Credentials of individuals with this specialty, all equally likely, so a repeated one counts more. */
  credentials: readonly string[];
}

const PHYSICIAN = list(
  "MD|MD|MD|MD|M.D.|M.D.|M.D.|M.D.|M.D.|DO|D.O.|MD, PHD|MD MPH|M. D.|MBBS|",
);
const NURSE_PRACTITIONER = list(
  "NP|FNP|FNP-C|FNP-BC|APRN|CRNP|ARNP|NP-C|DNP|APN|CNP|MSN, FNP-C|PMHNP-BC|",
);
const NONE = [""];

const RULES: readonly (readonly [
  prefix: string,
  trade: Trade,
  credentials: readonly string[],
])[] = [
  ["", "medical", NONE],
  [
    "101",
    "counseling",
    list("LPC|LMHC|LPCC|LCPC|MA, LPC|LAC|LCMHC|M.A.|MS||||"),
  ],
  ["103", "counseling", list("PHD|PH.D.|PSYD|PSY.D.|ED.D.|")],
  ["103K", "therapy", list("BCBA|BCBA|M.ED., BCBA|BCBA-D|")],
  ["104", "counseling", list("LCSW|LCSW|LMSW|LICSW|MSW|LSW|L.C.S.W.|")],
  ["106", "counseling", list("LMFT|LMFT|AMFT|MFT|MA, LMFT|")],
  ["106S", "therapy", list("RBT||||")],
  ["106E", "therapy", list("BCABA||")],
  ["111N", "chiropractic", list("DC|DC|D.C.|D.C.|")],
  ["12", "dental", list("DDS|DDS|D.D.S.|DMD|D.M.D.|DDS, MS|")],
  ["124Q", "dental", list("RDH|R.D.H.|")],
  ["133", "medical", list("RD|RDN|RD, LD|MS, RDN|")],
  ["152W", "eye", list("OD|O.D.|OD|")],
  ["163W", "homeCare", list("RN|RN|R.N.|BSN, RN|")],
  ["164", "homeCare", list("LPN|LPN|LVN|")],
  ["1711", "chiropractic", list("LAC|L.AC.|DACM|")],
  ["17", "counseling", list("|||CHW|CPS|MA")],
  ["172A", "transport", NONE],
  ["1835", "pharmacy", list("PHARMD|RPH|PHARM.D.|R.PH.|PHARMD, BCPS|")],
  ["20", "specialist", PHYSICIAN],
  ["207Q", "medical", PHYSICIAN],
  ["207R0", "medical", PHYSICIAN],
  ["207W", "eye", PHYSICIAN],
  ["2080", "pediatric", PHYSICIAN],
  ["2084P", "counseling", PHYSICIAN],
  ["208D", "medical", PHYSICIAN],
  ["208M", "medical", PHYSICIAN],
  ["213E", "foot", list("DPM|D.P.M.|DPM|")],
  ["22", "therapy", list("PT|DPT|PT, DPT|PTA|COTA|ATC|LMT|")],
  ["224Z", "therapy", list("COTA/L|COTA|")],
  ["225X", "therapy", list("OTR/L|OT|OTD, OTR/L|MS, OTR/L|")],
  ["2257", "therapy", list("LMT|LMT|")],
  ["231H", "supply", list("AUD|AU.D.|CCC-A|")],
  ["235", "therapy", list("CCC-SLP|MS, CCC-SLP|M.A., CCC-SLP|SLP|")],
  ["237", "supply", list("HIS||BC-HIS|")],
  ["251", "homeCare", NONE],
  ["251S", "counseling", NONE],
  ["253Z", "homeCare", NONE],
  ["261Q", "clinic", NONE],
  ["261QM", "counseling", NONE],
  ["261QD", "dental", NONE],
  ["261QP2000", "therapy", NONE],
  ["261QR0405", "counseling", NONE],
  ["28", "hospital", NONE],
  ["291", "laboratory", NONE],
  ["31", "residence", NONE],
  ["32", "residence", NONE],
  ["332", "supply", NONE],
  ["3336", "pharmacy", NONE],
  ["335", "supply", NONE],
  ["34", "transport", NONE],
  ["363A", "medical", list("PA-C|PA-C|PA-C|PA|P.A.|PAC|MPAS, PA-C|")],
  ["363L", "medical", NURSE_PRACTITIONER],
  ["364S", "medical", list("CNS|APRN|RN, CNS|")],
  ["3675", "specialist", list("CRNA|CRNA|C.R.N.A.|MSN, CRNA|")],
  ["367A", "specialist", list("CNM|CNM|C.N.M.|")],
  ["37", "homeCare", list("|||HHA|CNA|CD(DONA)")],
  ["385", "homeCare", NONE],
  ["3902", "medical", list("MD||DO||")],
];

/** The rule for a taxonomy code. */
export function specialtyRule(code: string): SpecialtyRule {
  let best = -1;
  let found: SpecialtyRule = { trade: "medical", credentials: NONE };
  for (const [prefix, trade, credentials] of RULES) {
    if (prefix.length > best && code.startsWith(prefix)) {
      best = prefix.length;
      found = { trade, credentials };
    }
  }
  return found;
}

function list(words: string): readonly string[] {
  return words.split("|");
}
