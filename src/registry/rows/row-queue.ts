import {
  ProviderRow,
  TEXT_COUNT,
  type BadRow,
  type RowHandlers,
} from "./provider-row.ts";
import { ByteCopier } from "../../text/byte-copier.ts";

/**
 * Rows as bytes, passed between two threads in batches of shared memory that are filled and emptied in turn. Two
 * counters, at its start, have the number of batches filled and emptied; each is written by one thread, and the other
 * one waits for it to change.
 *
 * A batch starts with the progress in the file (f64) and the place of its end (u32). Then come entries: rows and bad
 * rows, each at a multiple of four bytes.
 */

/** The number of batches that may be filled ahead. */
const BATCHES = 8;
const FILLED = 0;
const EMPTIED = 1;
const COUNTER_BYTES = 8;

/** The texts of one row need 3 MB at most (1 MB of Latin-1), and its details as much again. */
const BATCH_BYTES = 1 << 23;
/** A batch is full from here on, so it is still in the processor's cache when the other thread reads it. */
const FULL_NUMBERS = (1 << 18) / 4;
const USED = 2;
const BEGIN = 4;

/** The numbers of a row, before its texts. */
const Field = {
  /** 0 for a bad row. */
  npi: 0,
  flags: 1,
  dates: 2,
  statusDates: 3,
  zip: 4,
  /** The end of each text, in bytes from the start of the first one. */
  textEnds: 5,
  /** The end of the details, which follow the texts at the next multiple of four bytes. */
  detailsEnd: 5 + TEXT_COUNT,
} as const;
const ROW_NUMBERS = Field.detailsEnd + 1;
/** A bad row has a zero, the number of bytes that follow, and itself as JSON. */
const BAD_ROW_NUMBERS = 2;
/** Rows of a batch without any texts. */
const MAX_ROWS = Math.ceil(FULL_NUMBERS / ROW_NUMBERS);

const DEACTIVATED = 1 << 2;
const US_ADDRESS = 1 << 3;
const STATE_SHIFT = 4;
const ENTITY_MASK = 3;

/** The memory that two threads share. Pass it to the other thread as is. Only its used bytes take memory. */
export type RowQueue = SharedArrayBuffer;

export function makeRowQueue(): RowQueue {
  return new SharedArrayBuffer(COUNTER_BYTES + BATCHES * BATCH_BYTES);
}

/** The memory of a queue, as each side sees it. */
class QueueMemory {
  readonly counters: Int32Array;
  readonly numbers: Uint32Array;
  readonly bytes: Uint8Array;
  readonly progress: Float64Array;

  constructor(memory: RowQueue) {
    this.counters = new Int32Array(memory, 0, 2);
    this.numbers = new Uint32Array(memory);
    this.bytes = new Uint8Array(memory);
    this.progress = new Float64Array(memory);
  }

  /** Counts one more batch as filled or emptied, and wakes the other side. */
  count(counter: number): void {
    Atomics.add(this.counters, counter, 1);
    Atomics.notify(this.counters, counter);
  }

  /** Returns the bytes of a bad row's JSON. */
  json(at: number, length: number): Buffer {
    const start = (at + BAD_ROW_NUMBERS) * 4;
    return Buffer.from(this.bytes.buffer, start, length);
  }
}

/**
 * The sending side. Each call may block until there is room; the receiver stops the thread if it does not want more.
 */
export class RowSender {
  /** Progress in the file; sent with each batch. */
  bytesRead = 0;
  readonly #memory: QueueMemory;
  readonly #copier = new ByteCopier();
  #filled = 0;
  /** The index of the first number of the batch, and of its next entry. */
  #begin = 0;
  #at = 0;

  constructor(queue: RowQueue) {
    this.#memory = new QueueMemory(queue);
    this.#beginBatch();
  }

  row(row: ProviderRow): void {
    const { bytes, numbers } = this.#memory;
    const at = this.#at;
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
    this.#copier.copy(row.bytes, from, row.detailsEnd, bytes, begin);
    numbers[at + Field.detailsEnd] = row.detailsEnd - from;
    this.#goOn(ROW_NUMBERS + numbersOf(row.detailsEnd - from));
  }

  badRow(bad: BadRow): void {
    const { numbers } = this.#memory;
    const json = Buffer.from(JSON.stringify(bad));
    numbers[this.#at] = 0;
    numbers[this.#at + 1] = json.length;
    this.#memory.json(this.#at, json.length).set(json);
    this.#goOn(BAD_ROW_NUMBERS + numbersOf(json.length));
  }

  /** Sends what is left, after the last row. */
  end(): void {
    this.#memory.progress[this.#begin / 2] = this.bytesRead;
    this.#memory.numbers[this.#begin + USED] = this.#at;
    this.#filled++;
    this.#memory.count(FILLED);
  }

  /** Goes on behind an entry. */
  #goOn(numbers: number): void {
    this.#at += numbers;
    if (this.#at - this.#begin < FULL_NUMBERS) return;
    this.end();
    this.#beginBatch();
  }

  #beginBatch(): void {
    const { counters } = this.#memory;
    for (;;) {
      const emptied = Atomics.load(counters, EMPTIED);
      if (this.#filled - emptied < BATCHES) break;
      Atomics.wait(counters, EMPTIED, emptied);
    }
    this.#begin = beginOf(this.#filled);
    this.#at = this.#begin + BEGIN;
  }
}

/** The receiving side. */
export class RowReceiver {
  /** Rows so far, and the progress in the file when the last of them were sent. */
  rows = 0;
  bytesRead = 0;
  readonly #memory: QueueMemory;
  readonly #row = new ProviderRow();
  readonly #npis = new Uint32Array(MAX_ROWS);
  #emptied = 0;

  constructor(queue: RowQueue) {
    this.#memory = new QueueMemory(queue);
    this.#row.bytes = this.#memory.bytes;
  }

  /** Passes on the entries of the next batch in order; false if no batch is filled. */
  receive(handlers: RowHandlers): boolean {
    const { counters, numbers, progress } = this.#memory;
    if (Atomics.load(counters, FILLED) === this.#emptied) return false;
    const begin = beginOf(this.#emptied);
    const end = numbers[begin + USED]!;
    handlers.onNpis?.(this.#readNpis(begin + BEGIN, end));
    for (let at = begin + BEGIN; at < end; at = this.#behind(at)) {
      if (numbers[at] === 0) handlers.onBadRow?.(this.#badRow(at));
      else {
        this.#readRow(at);
        this.rows++;
        handlers.onRow(this.#row);
      }
    }
    this.bytesRead = progress[begin / 2]!;
    this.#emptied++;
    this.#memory.count(EMPTIED);
    return true;
  }

  /** Resolves when a batch was filled after the last one received, or `wake` was called. */
  async filled(): Promise<void> {
    const { async, value } = Atomics.waitAsync(
      this.#memory.counters,
      FILLED,
      this.#emptied,
    );
    if (async) await value;
  }

  wake(): void {
    Atomics.notify(this.#memory.counters, FILLED);
  }

  #readNpis(begin: number, end: number): Uint32Array {
    const { numbers } = this.#memory;
    let count = 0;
    for (let at = begin; at < end; at = this.#behind(at))
      if (numbers[at] !== 0) this.#npis[count++] = numbers[at]!;
    return this.#npis.subarray(0, count);
  }

  /** Finds the start of the next entry. */
  #behind(at: number): number {
    const { numbers } = this.#memory;
    return numbers[at] === 0
      ? at + BAD_ROW_NUMBERS + numbersOf(numbers[at + 1]!)
      : at + ROW_NUMBERS + numbersOf(numbers[at + Field.detailsEnd]!);
  }

  #readRow(at: number): void {
    const row = this.#row;
    const { numbers } = this.#memory;
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
    const begin = (at + ROW_NUMBERS) * 4;
    let start = begin;
    for (let text = 0; text < TEXT_COUNT; text++) {
      row.start[text] = start;
      start = begin + numbers[at + Field.textEnds + text]!;
      row.end[text] = start;
    }
    row.detailsStart = numbersOf(start) * 4;
    row.detailsEnd = begin + numbers[at + Field.detailsEnd]!;
  }

  #badRow(at: number): BadRow {
    const length = this.#memory.numbers[at + 1]!;
    return JSON.parse(this.#memory.json(at, length).toString());
  }
}

/** Finds the start of a batch, in numbers. */
function beginOf(batch: number): number {
  return (COUNTER_BYTES + (batch % BATCHES) * BATCH_BYTES) / 4;
}

/** Counts the four-byte numbers that have room for some bytes. */
function numbersOf(bytes: number): number {
  return (bytes + 3) >>> 2;
}
