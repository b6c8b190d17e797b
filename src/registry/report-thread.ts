import { parentPort, workerData } from "node:worker_threads";
import { readSheet } from "read-excel-file/node";
import {
  DEACTIVATION_SHEET,
  readDeactivationSheet,
  type DeactivationRows,
} from "./deactivation-sheet.ts";
import { RegistryFileError } from "./registry-file-error.ts";

/** Program of the thread that reads a workbook: its cells take some hundred megabytes, which end with it. */

export interface ReportTask {
  /** For messages. */
  path: string;
  workbook: Uint8Array;
}

export type ReportResult =
  | { kind: "read"; rows: DeactivationRows }
  /** The message of a RegistryFileError. */
  | { kind: "refused"; message: string };

const task: ReportTask = workerData;

async function read({ path, workbook }: ReportTask): Promise<ReportResult> {
  try {
    const cells = await readCells(path, workbook);
    return { kind: "read", rows: readDeactivationSheet(cells, path) };
  } catch (error) {
    if (!(error instanceof RegistryFileError)) throw error;
    return { kind: "refused", message: error.message };
  }
}

async function readCells(
  path: string,
  { buffer, byteLength, byteOffset }: Uint8Array,
): Promise<unknown[][]> {
  try {
    return await readSheet(
      Buffer.from(buffer, byteOffset, byteLength),
      DEACTIVATION_SHEET,
    );
  } catch (error) {
    const isOther =
      error instanceof Error && error.name === "SheetNotFoundError";
    throw new RegistryFileError(
      isOther
        ? `${path} is no report of deactivated NPIs, for it has no sheet ${DEACTIVATION_SHEET}: give the registry's own (NPPES_Deactivated_NPI_Report).`
        : `${path} cannot be read as an Excel workbook: download it again.`,
      { cause: error },
    );
  }
}

// The library parses a sheet in pieces. It halves them while one takes longer than 7 ms, and copies all rows so far after
// each, so that on a slow or busy machine it runs out of stack within a report. A clock that stands still, in this thread
// alone, lets the pieces grow.
Date.now = () => 0;

const result = await read(task);
const transfer =
  result.kind === "read"
    ? [result.rows.npis.buffer, result.rows.days.buffer]
    : [];
parentPort?.postMessage(result, transfer);
