import type { RowFault } from "../../csv/csv-scanner.ts";

/**
 * Why a row cannot be used:
 * - `invalid_npi`: the NPI is not ten digits starting with 1 or 2, or its check digit is wrong;
 * - `unknown_entity_type`: neither 1 nor 2, and the NPI is not deactivated;
 * - `wrong_column_count`: another number of columns than the header has;
 * - `unterminated_quote`: a quoted value does not end within the file or within 1 MB;
 * - `row_too_long`: a line of more than 1 MB;
 * - `invalid_deactivation_date`: in a report of deactivated NPIs, a date that is none.
 */
export type BadRowReason =
  | RowFault
  | "invalid_npi"
  | "unknown_entity_type"
  | "invalid_deactivation_date";

/** A row that cannot be used. */
export interface BadRow {
  /** The physical line of the file, from 1, on which the row begins; of a workbook the row of its sheet. */
  line: number;
  reason: BadRowReason;
  /** What the row names as its NPI, when that is ten digits. */
  npi?: string;
}

/** What is odd in a row and does not make it unusable. `invalid_date`: a date that is none; it is read as no date. */
export type RowWarning = "invalid_date";
