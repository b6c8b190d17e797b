import { TaskProgram } from "../../threads/task-thread.ts";
import { MemorySections } from "../container/memory-sections.ts";
import { Has, RecordReader } from "../records/records.ts";

/** The days of fewer records are read sooner than a thread starts. */
const LEAST_RECORDS = 200_000;

/** When the registry last updated each record, in memory that threads share. Plain data. */
export interface UpdatedColumn {
  /** Per document the day number (text/dates.ts), 0 for none. */
  readonly days: Uint16Array;
  /** One number: 1 once the days are there. */
  readonly isRead: Int32Array;
}

/** When the registry last updated each record. */
export class UpdatedDays {
  readonly #column: UpdatedColumn;
  /** Per day how many documents have an earlier one, or none; made when it is first asked for. */
  #before: Uint32Array | null = null;

  constructor(column: UpdatedColumn) {
    this.#column = column;
  }

  /** Whether all days are there; until then nothing else may be asked. */
  get isRead(): boolean {
    return Atomics.load(this.#column.isRead, 0) === 1;
  }

  /** Per document the day number, 0 for none. */
  get days(): Uint16Array {
    return this.#column.days;
  }

  /** How many documents were updated on a day or later. */
  countSince(day: number): number {
    this.#before ??= countsBefore(this.days);
    return this.days.length - this.#before[day]!;
  }
}

/** Reads the days of all records: some 150 ns for each. */
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
 * Begins to read the days of a snapshot of `count` records, those of many in a thread of its own. `done` is kept when they are
 * there, and rejects with what kept them from being read.
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
  if (input.column.days.length >= LEAST_RECORDS) {
    try {
      await using reading = READING.inThread(input);
      return await reading.ask("read");
    } catch {
      // No thread could be had: what is wrong with the bytes shows below.
    }
  }
  await using reading = READING.here(input);
  await reading.ask("read");
}

function emptyColumn(count: number): UpdatedColumn {
  return {
    days: new Uint16Array(new SharedArrayBuffer(count * 2)),
    isRead: new Int32Array(new SharedArrayBuffer(4)),
  };
}

function fill({ days, isRead }: UpdatedColumn, records: RecordReader): void {
  for (let doc = 0; doc < days.length; doc++) {
    records.open(doc);
    days[doc] = records.day(Has.lastUpdated);
  }
  Atomics.store(isRead, 0, 1);
}

function countsBefore(days: Uint16Array): Uint32Array {
  const before = new Uint32Array(0x1_0001);
  for (const day of days) before[day + 1]!++;
  for (let day = 1; day < before.length; day++)
    before[day]! += before[day - 1]!;
  return before;
}
