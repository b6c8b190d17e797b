import { serviceBusy } from "../../limits/account-share.ts";
import type { Failure } from "../../pipeline/failure.ts";
import { Workbook } from "./workbook.ts";

/** Workbooks that are made at the same time in a process: each takes 50 MB and, for 100,000 rows, seconds of a core. */
export const MAX_WORKBOOKS = 2;

/** Makes the memory in which all threads count the workbooks that are made. */
export function createWorkbookMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Limits the workbooks that are made at the same time in a process. */
export class WorkbookPlaces {
  readonly #taken: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#taken = new Int32Array(memory);
  }

  /** Makes an empty workbook, which frees its place when it is disposed of and its thread gone; a failure without one. */
  open(): Workbook | Failure {
    if (Atomics.add(this.#taken, 0, 1) < MAX_WORKBOOKS)
      return new Workbook(() => this.#free());
    this.#free();
    return serviceBusy(
      `Only ${MAX_WORKBOOKS} Excel workbooks are made at the same time.`,
    );
  }

  #free(): void {
    Atomics.sub(this.#taken, 0, 1);
  }
}
