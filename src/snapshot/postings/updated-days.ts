import { TaskProgram } from "../../threads/task-thread.ts";
import { MemorySections } from "../container/sections.ts";
import { Has, RecordReader } from "../records/records.ts";

/** With fewer records, reading takes less time than starting a thread. */
const MIN_RECORDS = 200_000;

/** The update dates and countries of all records, in memory shared by threads. Plain data. */
export interface UpdatedColumn {
  /** Day number (text/dates.ts) per document, 0 for none. */
  readonly days: Uint16Array;
  /** The country of the practice address per document (`countryOf`), 0 for none. */
  readonly countries: Uint16Array;
  /** One number: 1 once the days are read. */
  readonly isRead: Int32Array;
}

/** The update date and the country of each record. */
export class UpdatedDays {
  readonly #column: UpdatedColumn;
  /** Per day, the number of documents with an earlier date or none; computed on first use. */
  #before: Uint32Array | null = null;
  /** Per country, the number of documents in it; computed on first use. */
  #inCountry: Uint32Array | null = null;

  constructor(column: UpdatedColumn) {
    this.#column = column;
  }

  /** True if all days are read. Nothing else may be called before. */
  get isRead(): boolean {
    return Atomics.load(this.#column.isRead, 0) === 1;
  }

  /** Day number per document, 0 for none. */
  get days(): Uint16Array {
    return this.#column.days;
  }

  /** The number of each document's country. */
  get countries(): Uint16Array {
    return this.#column.countries;
  }

  /** Counts the documents in a country. */
  countIn(country: number): number {
    this.#inCountry ??= countsOf(this.countries);
    return this.#inCountry[country]!;
  }

  /** Counts the documents updated on or after a day. */
  countSince(day: number): number {
    this.#before ??= countsBefore(this.days);
    return this.days.length - this.#before[day]!;
  }
}

/** Reads the update dates of all records: about 150 ns each. */
export function readUpdatedDays(
  records: RecordReader,
  count: number,
): UpdatedColumn {
  const column = emptyColumn(count);
  fill(column, records);
  return column;
}

const READING = new TaskProgram(
  import.meta.url,
  { name: "updated-days", purpose: "reads the update dates" },
  ({ bytes, column }: { bytes: SharedArrayBuffer; column: UpdatedColumn }) => ({
    read: () => fill(column, RecordReader.open(new MemorySections(bytes))),
  }),
);

/**
 * Starts reading the update dates of a snapshot with `count` records, in a thread if there are many. `done` resolves
 * when they are read, and rejects if they cannot be.
 */
export function readUpdatedDaysInBackground(
  bytes: SharedArrayBuffer,
  count: number,
): { column: UpdatedColumn; done: Promise<void> } {
  const column = emptyColumn(count);
  return { column, done: readInto({ bytes, column }) };
}

async function readInto(input: {
  bytes: SharedArrayBuffer;
  column: UpdatedColumn;
}): Promise<void> {
  if (input.column.days.length >= MIN_RECORDS) {
    try {
      await using reading = READING.inThread(input);
      return await reading.ask("read");
    } catch {
      // The thread could not start. If the bytes are bad, reading here throws.
    }
  }
  await using reading = READING.here(input);
  await reading.ask("read");
}

function emptyColumn(count: number): UpdatedColumn {
  return {
    days: new Uint16Array(new SharedArrayBuffer(count * 2)),
    countries: new Uint16Array(new SharedArrayBuffer(count * 2)),
    isRead: new Int32Array(new SharedArrayBuffer(4)),
  };
}

function fill(
  { countries, days, isRead }: UpdatedColumn,
  records: RecordReader,
): void {
  const us = countryOf("US");
  for (let doc = 0; doc < days.length; doc++) {
    records.open(doc);
    days[doc] = records.day(Has.lastUpdated);
    if (records.has(Has.country))
      countries[doc] = countryOf(records.text(Has.country) ?? "");
    else if (!records.has(Has.noCountry)) countries[doc] = us;
  }
  Atomics.store(isRead, 0, 1);
}

/** Returns the number of a country by its two letters, in any case; 0 for any other text. */
export function countryOf(code: string): number {
  if (!/^[A-Za-z]{2}$/.test(code)) return 0;
  const letters = code.toUpperCase();
  return (letters.charCodeAt(0) << 8) | letters.charCodeAt(1);
}

function countsOf(countries: Uint16Array): Uint32Array {
  const counts = new Uint32Array(0x1_0000);
  // By index: an iterator takes ten times as long in shared memory.
  for (let doc = 0; doc < countries.length; doc++) counts[countries[doc]!]!++;
  return counts;
}

function countsBefore(days: Uint16Array): Uint32Array {
  const before = new Uint32Array(0x1_0001);
  for (const day of days) before[day + 1]!++;
  for (let day = 1; day < before.length; day++)
    before[day]! += before[day - 1]!;
  return before;
}
