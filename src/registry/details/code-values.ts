/** Meanings of the registry's codes in provider details (NPPES Data Dissemination, Code Values). */

export const OTHER_NAME_TYPES: ReadonlyMap<string, string> = new Map([
  ["1", "Former Name"],
  ["2", "Professional Name"],
  ["3", "Doing Business As"],
  ["4", "Former Legal Business Name"],
  ["5", "Other Name"],
]);

export const IDENTIFIER_TYPES: ReadonlyMap<string, string> = new Map([
  ["01", "OTHER"],
  ["02", "MEDICARE UPIN"],
  ["04", "MEDICARE ID-TYPE UNSPECIFIED"],
  ["05", "MEDICAID"],
  ["06", "MEDICARE OSCAR/CERTIFICATION"],
  ["07", "MEDICARE NSC"],
  ["08", "MEDICARE PIN"],
]);

/** The types that the registry's API describes in other words than its files. */
export const IDENTIFIER_TYPES_OF_API: ReadonlyMap<string, string> = new Map([
  ["01", "Other (non-Medicare)"],
]);

export const DEACTIVATION_REASONS: ReadonlyMap<string, string> = new Map([
  ["DT", "Death"],
  ["DB", "Disbandment"],
  ["FR", "Fraud"],
  ["OT", "Other"],
]);

export const TAXONOMY_GROUPS: ReadonlyMap<string, string> = new Map([
  ["193200000X", "Multi-Specialty Group"],
  ["193400000X", "Single Specialty Group"],
]);
