import { NOWHERE, SharedIndex } from "../../accounts/metering/shared-index.ts";
import { FILE_NAMES } from "../../contract/files.ts";

const DAY_MS = 86_400_000;
/** Files of accounts that a process knows; for any more, each request counts. */
const CAPACITY = 1 << 18;
/** Ids of the index have 31 bits. */
const MAX_ACCOUNT = Math.floor(0x7fffffff / FILE_NAMES.length) - 1;

/** The memory in which all threads of a process note the files that accounts have taken today. */
export interface FileDaysMemory {
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly ids: Int32Array<SharedArrayBuffer>;
  readonly count: Int32Array<SharedArrayBuffer>;
  readonly days: Int32Array<SharedArrayBuffer>;
}

/** Makes that memory: 4 MB, of which only what is used takes room. */
export function createFileDaysMemory(): FileDaysMemory {
  return {
    slots: cells(2 * CAPACITY),
    ids: cells(CAPACITY),
    count: cells(1),
    days: cells(CAPACITY),
  };
}

/** A file of an account, for `FileDays`. */
export interface TakenFile {
  readonly accountId: number;
  readonly name: string;
  readonly nowMs: number;
}

/** The files that accounts have taken today (UTC): the first request for one counts, and no other of the day. */
export class FileDays {
  readonly #index: SharedIndex;
  readonly #days: Int32Array<SharedArrayBuffer>;

  constructor({ days, ...index }: FileDaysMemory) {
    this.#index = new SharedIndex(index);
    this.#days = days;
  }

  /** True if the file was taken today. */
  has(file: TakenFile): boolean {
    const place = this.#placeOf(file);
    return (
      place !== NOWHERE && Atomics.load(this.#days, place) === dayOf(file.nowMs)
    );
  }

  /** Notes that it was. True if this is the first time today. */
  take(file: TakenFile): boolean {
    const place = this.#placeOf(file);
    const day = dayOf(file.nowMs);
    return (
      place === NOWHERE || Atomics.exchange(this.#days, place, day) !== day
    );
  }

  /** Forgets that it was. */
  giveBack(file: TakenFile): void {
    const place = this.#placeOf(file);
    if (place !== NOWHERE) Atomics.store(this.#days, place, 0);
  }

  #placeOf({ accountId, name }: TakenFile): number {
    const file = FILE_NAMES.findIndex((each) => each === name);
    return file < 0 || accountId > MAX_ACCOUNT
      ? NOWHERE
      : this.#index.claim(accountId * FILE_NAMES.length + file + 1);
  }
}

function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

function cells(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(
    new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT),
  );
}
