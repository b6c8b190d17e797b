import { NO_DATE } from "../../text/dates.ts";
import type { RowFault } from "../../csv/csv-scanner.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";

/**
 * One usable row of a registry file, as numbers and byte ranges: what the reader hands to the snapshot builder.
 * One instance is reused for every row, so nothing is allocated per row; its values hold during the call only.
 */

/** The text values of a row, in this order in `start` and `end`. */
export const Text = {
  organization: 0,
  last: 1,
  first: 2,
  middle: 3,
  credential: 4,
  address1: 5,
  address2: 6,
  city: 7,
  state: 8,
  postalCode: 9,
  country: 10,
  /** The primary taxonomy's code: ten letters and digits in upper case, or whatever the registry holds. */
  taxonomy: 11,
} as const;
export const TEXT_COUNT = 12;

/** `entityType` 0 is a deactivated NPI of which the registry shows the NPI and the date alone. */
export const Entity = { withheld: 0, individual: 1, organization: 2 } as const;

export { NO_DATE };

export class ProviderRow {
  npi = 0;
  entityType = 0;
  deactivated = false;
  enumerationDate = NO_DATE;
  lastUpdated = NO_DATE;
  /** NO_DATE unless `deactivated`. */
  deactivationDate = NO_DATE;
  /** The last reactivation that the row dates, whatever its status. */
  reactivationDate = NO_DATE;
  /** Whether the practice address is a U.S. address, as `docs/importing.md` defines it. */
  isUsAddress = false;
  /** The number of the known state of a U.S. address (`states.ts`), else NO_STATE. Where it is one, Text.state holds its two letters. */
  state = 0;
  /** The first five digits of a U.S. address's postal code as a number (00000–99999), or -1. */
  zip = -1;
  /** Valid UTF-8. A value is `bytes[start[i], end[i])`, outer spaces trimmed; empty for null (blank or masked). */
  bytes: Uint8Array = new Uint8Array(0);
  /**
   * Where details are asked for, what the row says of them, as the beginning of a blob (`detail-blob.ts`):
   * `details[detailsStart, detailsEnd)`.
   */
  details: Uint8Array = new Uint8Array(0);
  detailsStart = 0;
  detailsEnd = 0;
  readonly start = new Int32Array(TEXT_COUNT);
  readonly end = new Int32Array(TEXT_COUNT);
}

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

/** Where rows go. */
export interface RowHandlers {
  /** Which details the rows carry; without it none. */
  readonly details?: ReadonlySet<DetailPart> | null;
  /** The row is one object that is reused: its values hold during the call. */
  onRow(row: ProviderRow): void;
  onBadRow?(bad: BadRow): void;
}
