import type { BadRow } from "../../../../src/registry/rows/provider-row.ts";
import { isoDate } from "../../../../src/text/dates.ts";
import { readFirstRow } from "../../../../src/text/csv-text.ts";
import { bindHeader } from "../../../../src/registry/rows/header.ts";
import {
  Entity,
  type ProviderRow,
  Text,
} from "../../../../src/registry/rows/provider-row.ts";
import { RowReader } from "../../../../src/registry/rows/row-reader.ts";
import { NO_STATE, STATE_CODES } from "../../../../src/contract/states.ts";

type TextName = keyof typeof Text;

/** A copied provider row: texts as strings, '' for null; dates in ISO format. */
export interface KeptRow extends Record<TextName, string> {
  npi: number;
  entity: string;
  deactivated: boolean;
  enumerationDate: string | null;
  lastUpdated: string | null;
  deactivationDate: string | null;
  isUsAddress: boolean;
  /** The known state's two letters, or null. */
  knownState: string | null;
  zip: number;
}

export interface ReadCsv {
  rows: KeptRow[];
  bad: BadRow[];
  reader: RowReader;
}

/** Reads a whole CSV file in memory, split into the given chunks (the last size is repeated). */
export function readCsv(
  csv: string | Uint8Array,
  chunkSizes: readonly number[] = [1 << 20],
): ReadCsv {
  const bytes = typeof csv === "string" ? Buffer.from(csv) : csv;
  const first = readFirstRow(bytes, true);
  if (first === null) throw new Error("the file has no header");
  const rows: KeptRow[] = [];
  const bad: BadRow[] = [];
  const reader = new RowReader(
    bindHeader(first.cells, "the test's file"),
    first.nextLine,
    {
      onRow: (row) => void rows.push(keptRow(row)),
      onBadRow: (row) => void bad.push(row),
    },
  );
  for (const chunk of chunksOf(bytes.subarray(first.next), chunkSizes))
    reader.push(chunk);
  reader.end();
  return { rows, bad, reader };
}

/** A copy of a row that outlives the call. */
export function keptRow(row: ProviderRow): KeptRow {
  const text = (name: TextName) =>
    Buffer.from(
      row.bytes.subarray(row.start[Text[name]], row.end[Text[name]]),
    ).toString();
  return {
    npi: row.npi,
    entity:
      Object.entries(Entity).find(([, code]) => code === row.entityType)?.[0] ??
      "none",
    deactivated: row.deactivated,
    enumerationDate: isoDate(row.enumerationDate),
    lastUpdated: isoDate(row.lastUpdated),
    deactivationDate: isoDate(row.deactivationDate),
    isUsAddress: row.isUsAddress,
    knownState:
      row.state === NO_STATE ? null : (STATE_CODES[row.state - 1] ?? null),
    zip: row.zip,
    organization: text("organization"),
    last: text("last"),
    first: text("first"),
    middle: text("middle"),
    credential: text("credential"),
    address1: text("address1"),
    address2: text("address2"),
    city: text("city"),
    state: text("state"),
    postalCode: text("postalCode"),
    country: text("country"),
    taxonomy: text("taxonomy"),
  };
}

/** Copies of the bytes in chunks of the given sizes, the last of which is repeated. */
export function* chunksOf(
  bytes: Uint8Array,
  sizes: readonly number[],
): Generator<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = Math.max(
      1,
      sizes[Math.min(index, sizes.length - 1)] ?? bytes.length,
    );
    yield bytes.slice(at, at + size);
    at += size;
  }
}
