import { NO_DATE } from "../../text/dates.ts";
import type { RowFault } from "../../csv/csv-scanner.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";

/**
 * A usable row of a registry file, as numbers and byte ranges. One instance is reused for every row, so rows allocate
 * nothing; its values are valid only during the call.
 */

/** The text values of a row, in the order of `start` and `end`. */
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
  /** The primary taxonomy code: ten upper-case letters and digits, or whatever the registry has. */
  taxonomy: 11,
} as const;
export const TEXT_COUNT = 12;

/** 0 is a deactivated NPI of which the registry publishes only the NPI and the date. */
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
  /** The row's last reactivation date, whatever its status. */
  reactivationDate = NO_DATE;
  /** True if the practice address is a U.S. address, as defined in `docs/importing.md`. */
  isUsAddress = false;
  /**
   * The number of a U.S. address's state (`states.ts`), or NO_STATE if it is unknown. If it is known, Text.state is its
   * two letters.
   */
  state = 0;
  /** The first five digits of a U.S. address's postal code as a number (00000–99999), or -1. */
  zip = -1;
  /** Valid UTF-8. A value is `bytes[start[i], end[i])` without outer spaces; empty for null (blank or masked). */
  bytes: Uint8Array = new Uint8Array(0);
  /**
   * The row's details as the start of a blob (`detail-blob.ts`), if requested: `bytes[detailsStart, detailsEnd)`. They
   * are at the first multiple of four after the texts, which follow each other from a multiple of four on.
   */
  detailsStart = 0;
  detailsEnd = 0;
  readonly start: Int32Array;
  readonly end: Int32Array;

  constructor(
    start = new Int32Array(TEXT_COUNT),
    end = new Int32Array(TEXT_COUNT),
  ) {
    this.start = start;
    this.end = end;
  }
}

/**
 * The reason why a row is unusable:
 * - `invalid_npi`: the NPI is not ten digits starting with 1 or 2, or its check digit is wrong;
 * - `unknown_entity_type`: neither 1 nor 2, and the NPI is not deactivated;
 * - `wrong_column_count`: not as many columns as the header;
 * - `unterminated_quote`: a quoted value does not end within the file or within 1 MB;
 * - `row_too_long`: a line of more than 1 MB;
 * - `invalid_deactivation_date`: in a report of deactivated NPIs, an invalid date.
 */
export type BadRowReason =
  | RowFault
  | "invalid_npi"
  | "unknown_entity_type"
  | "invalid_deactivation_date";

/** An unusable row. */
export interface BadRow {
  /** The physical line, from 1, on which the row starts; in a workbook, the row of its sheet. */
  line: number;
  reason: BadRowReason;
  /** The row's NPI, if that is ten digits. */
  npi?: string;
}

/** Oddities that do not make a row unusable. `invalid_date`: an invalid date, read as no date. */
export type RowWarning = "invalid_date";

/** Receives rows. */
export interface RowHandlers {
  /** The details that rows carry; none by default. */
  readonly details?: ReadonlySet<DetailPart> | null;
  /** Takes the NPIs of rows that come next, if they are known: what a handler has of them can be read ahead. */
  onNpis?(npis: Uint32Array): void;
  /** Takes a row in an object that is reused: its values are valid during the call. */
  onRow(row: ProviderRow): void;
  onBadRow?(bad: BadRow): void;
}
