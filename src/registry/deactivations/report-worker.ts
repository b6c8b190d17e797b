import { parentPort, workerData } from "node:worker_threads";
import {
  DEACTIVATION_SHEET,
  DeactivationSheet,
  type DeactivationRows,
} from "./deactivation-sheet.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { readSheetRows, WorkbookError } from "./workbook.ts";

/** Program of the thread that reads a workbook: it may take no more memory than it is given, and can be stopped. */

export interface ReportTask {
  /** For messages. */
  path: string;
  workbook: Uint8Array<ArrayBuffer>;
}

export type ReportResult =
  | { kind: "read"; rows: DeactivationRows }
  /** The message of a RegistryFileError. */
  | { kind: "refused"; message: string };

const task: ReportTask = workerData;

const SENTENCES: Readonly<
  Record<WorkbookError["fault"], (path: string, message: string) => string>
> = {
  missing: (path, message) =>
    `${path} is no report of deactivated NPIs, for ${message}: give the registry's own (NPPES_Deactivated_NPI_Report).`,
  large: (path, message) =>
    `${path} is too large for a report of deactivated NPIs, for ${message}: give the registry's own.`,
  broken: (path) =>
    `${path} cannot be read as an Excel workbook: download it again.`,
};

async function read({ path, workbook }: ReportTask): Promise<ReportResult> {
  const sheet = new DeactivationSheet(path);
  try {
    await readSheetRows(workbook, DEACTIVATION_SHEET, (cells, line) =>
      sheet.row(cells, line),
    );
    return { kind: "read", rows: sheet.end() };
  } catch (error) {
    if (error instanceof RegistryFileError)
      return { kind: "refused", message: error.message };
    if (error instanceof WorkbookError)
      return {
        kind: "refused",
        message: SENTENCES[error.fault](path, error.message),
      };
    throw error;
  }
}

const result = await read(task);
const transfer =
  result.kind === "read"
    ? [result.rows.npis.buffer, result.rows.days.buffer]
    : [];
parentPort?.postMessage(result, transfer);
