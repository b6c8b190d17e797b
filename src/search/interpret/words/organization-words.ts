/** Words at the end of what only organizations are called, folded. */
export const ORGANIZATION_WORDS: ReadonlySet<string> = new Set(
  (
    "CLINIC CLINICS HOSPITAL HOSPITALS PHARMACY PHARMACIES CENTER CENTERS CENTRE MEDICAL DENTAL DENTISTRY ORTHODONTICS " +
    "DIAGNOSTICS ASSOCIATES GROUP INSTITUTE FOUNDATION LABORATORY LABORATORIES SYSTEM SERVICES INFIRMARY UNIVERSITY " +
    "HEALTHCARE HEALTH CARE LLC INC PLLC PLC LLP LTD CORP CORPORATION PC LP"
  ).split(" "),
);

/** Of these, words that specialties and other phrases have too. Within one of those they say nothing. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  "HEALTH CARE MEDICAL SERVICES UNIVERSITY ORTHODONTICS".split(" "),
);

/** Of these, legal forms: needed neither to recognize nor to find an organization. */
export const LEGAL_FORMS: ReadonlySet<string> = new Set(
  "LLC INC PLLC PLC LLP LTD CORP CORPORATION PC LP".split(" "),
);
