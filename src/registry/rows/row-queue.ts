import {
  ProviderRow,
  TEXT_COUNT,
  type BadRow,
  type BadRowReason,
  type RowHandlers,
} from "./provider-row.ts";
import { ByteCopier } from "../../text/byte-copier.ts";

/**
 * Rows as bytes, passed between two threads in batches of shared memory that are filled and emptied in turn. Two
 * counters have the number of batches filled and emptied; each is written by one thread, and the other one waits for it
 * to change.
 *
 * A batch starts with the progress in the file (f64) and the number of four-byte numbers that follow (u32). Then come
 * entries: rows and bad rows, each at a multiple of four bytes.
 */

/** How many batches may be filled ahead. */
const BATCHES = 8;
const FILLED = 0;
const EMPTIED = 1;

/** The texts of one row need 3 MB at most (1 MB of Latin-1), and its details as much again. */
const BATCH_BYTES = 1 << 23;
/** A batch is full from here on, so it is still in the processor's cache when the other thread reads it. */
const FULL_NUMBERS = (1 << 18) / 4;
const BEGIN = 4;
const USED = 2;

/** The numbers of a row, before its texts. A bad row has only the first four. */
const Field = {
  /** 0, or for a bad row the index of its reason in REASONS, plus one. */
  kind: 0,
  /** For a bad row, the first five digits, with the last five in `line`; NO_NPI for none. */
  npi: 1,
  line: 2,
  npiEnd: 3,
  flags: 2,
  dates: 3,
  statusDates: 4,
  zip: 5,
  /** The end of each text, in bytes from the start of the first one. */
  textEnds: 6,
  /** The end of the details, which follow the texts at the next multiple of four bytes. */
  detailsEnd: 6 + TEXT_COUNT,
} as const;
const ROW_NUMBERS = Field.detailsEnd + 1;
const BAD_ROW_NUMBERS = 4;
/** Rows of a batch without any texts. */
const MAX_ROWS = Math.ceil(FULL_NUMBERS / ROW_NUMBERS);
const NO_NPI = 0xffffffff;
const NPI_HALF = 100_000;

const DEACTIVATED = 1 << 2;
const US_ADDRESS = 1 << 3;
const STATE_SHIFT = 4;
const ENTITY_MASK = 3;

const REASONS: readonly BadRowReason[] = [
  "invalid_npi",
  "unknown_entity_type",
  "wrong_column_count",
  "unterminated_quote",
  "row_too_long",
];

/** The memory that two threads share. Pass it to the other thread as is. Only the used bytes of a batch take memory. */
export interface RowQueue {
  readonly counters: SharedArrayBuffer;
  readonly batches: readonly SharedArrayBuffer[];
}

export function makeRowQueue(): RowQueue {
  return {
    counters: new SharedArrayBuffer(8),
    batches: Array.from(
      { length: BATCHES },
      () => new SharedArrayBuffer(BATCH_BYTES),
    ),
  };
}

/**
 * The sending side. Each call may block until there is room; the receiver stops the thread if it does not want more.
 */
export class RowSender {
  /** Progress in the file; sent with each batch. */
  bytesRead = 0;
  readonly #counters: Int32Array;
  readonly #batches: readonly BatchWriter[];
  #filled = 0;
  #batch: BatchWriter;

  constructor({ batches, counters }: RowQueue) {
    this.#counters = new Int32Array(counters);
    this.#batches = batches.map((memory) => new BatchWriter(memory));
    this.#batch = this.#nextBatch();
  }

  row(row: ProviderRow): void {
    this.#batch.row(row);
    if (this.#batch.isFull) this.#goOn();
  }

  badRow(bad: BadRow): void {
    this.#batch.badRow(bad);
    if (this.#batch.isFull) this.#goOn();
  }

  /** Sends what is left, after the last row. */
  end(): void {
    this.#batch.end(this.bytesRead);
    this.#filled++;
    Atomics.store(this.#counters, FILLED, this.#filled);
    Atomics.notify(this.#counters, FILLED);
  }

  #goOn(): void {
    this.end();
    this.#batch = this.#nextBatch();
  }

  #nextBatch(): BatchWriter {
    for (;;) {
      const emptied = Atomics.load(this.#counters, EMPTIED);
      if (this.#filled - emptied < BATCHES) break;
      Atomics.wait(this.#counters, EMPTIED, emptied);
    }
    const batch = this.#batches[this.#filled % BATCHES]!;
    batch.begin();
    return batch;
  }
}

/** The receiving side. */
export class RowReceiver {
  /** Rows so far, and the progress in the file when the last of them were sent. */
  rows = 0;
  bytesRead = 0;
  readonly #counters: Int32Array;
  readonly #batches: readonly BatchReader[];
  readonly #row = new ProviderRow();
  #emptied = 0;

  constructor({ batches, counters }: RowQueue) {
    this.#counters = new Int32Array(counters);
    this.#batches = batches.map((memory) => new BatchReader(memory));
  }

  /** Passes on the entries of the next batch in order; false if no batch is filled. */
  receive(handlers: RowHandlers): boolean {
    if (Atomics.load(this.#counters, FILLED) === this.#emptied) return false;
    const batch = this.#batches[this.#emptied % BATCHES]!;
    this.rows += batch.read(this.#row, handlers);
    this.bytesRead = batch.bytesRead;
    this.#emptied++;
    Atomics.store(this.#counters, EMPTIED, this.#emptied);
    Atomics.notify(this.#counters, EMPTIED);
    return true;
  }

  /** Resolves when a batch was filled after the last one received, or `wake` was called. */
  async filled(): Promise<void> {
    const { async, value } = Atomics.waitAsync(
      this.#counters,
      FILLED,
      this.#emptied,
    );
    if (async) await value;
  }

  wake(): void {
    Atomics.notify(this.#counters, FILLED);
  }
}

class BatchWriter {
  readonly #numbers: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #bytesRead: Float64Array;
  readonly #copier = new ByteCopier();
  #at = BEGIN;

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Uint32Array(memory);
    this.#bytes = new Uint8Array(memory);
    this.#bytesRead = new Float64Array(memory, 0, 1);
  }

  begin(): void {
    this.#at = BEGIN;
  }

  get isFull(): boolean {
    return this.#at >= FULL_NUMBERS;
  }

  row(row: ProviderRow): void {
    const numbers = this.#numbers;
    const at = this.#at;
    numbers[at + Field.kind] = 0;
    numbers[at + Field.npi] = row.npi;
    numbers[at + Field.flags] =
      row.entityType |
      (row.deactivated ? DEACTIVATED : 0) |
      (row.isUsAddress ? US_ADDRESS : 0) |
      (row.state << STATE_SHIFT);
    numbers[at + Field.dates] = row.enumerationDate | (row.lastUpdated << 16);
    numbers[at + Field.statusDates] =
      row.deactivationDate | (row.reactivationDate << 16);
    numbers[at + Field.zip] = row.zip + 1;
    const from = row.start[0]!;
    for (let text = 0; text < TEXT_COUNT; text++)
      numbers[at + Field.textEnds + text] = row.end[text]! - from;
    const begin = (at + ROW_NUMBERS) * 4;
    this.#copier.copy(row.bytes, from, row.detailsEnd, this.#bytes, begin);
    const end = begin + row.detailsEnd - from;
    numbers[at + Field.detailsEnd] = end - begin;
    this.#at = aligned(end) >>> 2;
  }

  badRow({ line, npi, reason }: BadRow): void {
    const numbers = this.#numbers;
    const at = this.#at;
    numbers[at + Field.kind] = REASONS.indexOf(reason) + 1;
    numbers[at + Field.line] = line;
    numbers[at + Field.npi] =
      npi === undefined ? NO_NPI : Math.floor(Number(npi) / NPI_HALF);
    numbers[at + Field.npiEnd] = Number(npi ?? 0) % NPI_HALF;
    this.#at = at + BAD_ROW_NUMBERS;
  }

  /** Ends the batch, which can then be read; `bytesRead` is the progress in the file. */
  end(bytesRead: number): void {
    this.#bytesRead[0] = bytesRead;
    this.#numbers[USED] = this.#at;
  }
}

function aligned(bytes: number): number {
  return (bytes + 3) & -4;
}

class BatchReader {
  readonly #numbers: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #bytesRead: Float64Array;
  readonly #npis = new Uint32Array(MAX_ROWS);

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Uint32Array(memory);
    this.#bytes = new Uint8Array(memory);
    this.#bytesRead = new Float64Array(memory, 0, 1);
  }

  /** The progress in the file when the batch was ended. */
  get bytesRead(): number {
    return this.#bytesRead[0]!;
  }

  /** Passes on the entries in order. Returns the number of rows; `row` is reused for each. */
  read(row: ProviderRow, handlers: RowHandlers): number {
    const numbers = this.#numbers;
    const end = numbers[USED]!;
    handlers.onNpis?.(this.#readNpis(end));
    let rows = 0;
    for (let at = BEGIN; at < end;) {
      if (numbers[at + Field.kind] === 0) {
        at = this.#readRow(at, row);
        rows++;
        handlers.onRow(row);
      } else {
        handlers.onBadRow?.(this.#badRow(at));
        at += BAD_ROW_NUMBERS;
      }
    }
    return rows;
  }

  #readNpis(end: number): Uint32Array {
    const numbers = this.#numbers;
    let count = 0;
    for (let at = BEGIN; at < end;) {
      if (numbers[at + Field.kind] !== 0) {
        at += BAD_ROW_NUMBERS;
        continue;
      }
      this.#npis[count++] = numbers[at + Field.npi]!;
      const bytes = aligned(numbers[at + Field.detailsEnd]!);
      at += ROW_NUMBERS + (bytes >>> 2);
    }
    return this.#npis.subarray(0, count);
  }

  #readRow(at: number, row: ProviderRow): number {
    const numbers = this.#numbers;
    const flags = numbers[at + Field.flags]!;
    const dates = numbers[at + Field.dates]!;
    const statusDates = numbers[at + Field.statusDates]!;
    row.npi = numbers[at + Field.npi]!;
    row.entityType = flags & ENTITY_MASK;
    row.deactivated = (flags & DEACTIVATED) !== 0;
    row.isUsAddress = (flags & US_ADDRESS) !== 0;
    row.state = flags >>> STATE_SHIFT;
    row.enumerationDate = dates & 0xffff;
    row.lastUpdated = dates >>> 16;
    row.deactivationDate = statusDates & 0xffff;
    row.reactivationDate = statusDates >>> 16;
    row.zip = numbers[at + Field.zip]! - 1;
    row.bytes = this.#bytes;
    const begin = (at + ROW_NUMBERS) * 4;
    let start = begin;
    for (let text = 0; text < TEXT_COUNT; text++) {
      row.start[text] = start;
      start = begin + numbers[at + Field.textEnds + text]!;
      row.end[text] = start;
    }
    row.detailsStart = aligned(start);
    row.detailsEnd = begin + numbers[at + Field.detailsEnd]!;
    return aligned(row.detailsEnd) >>> 2;
  }

  #badRow(at: number): BadRow {
    const numbers = this.#numbers;
    const bad: BadRow = {
      line: numbers[at + Field.line]!,
      reason: REASONS[numbers[at + Field.kind]! - 1]!,
    };
    const begin = numbers[at + Field.npi]!;
    if (begin !== NO_NPI) {
      const npi = begin * NPI_HALF + numbers[at + Field.npiEnd]!;
      bad.npi = String(npi).padStart(10, "0");
    }
    return bad;
  }
}
