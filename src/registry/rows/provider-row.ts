import { NO_DATE } from "../../text/dates.ts";

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
