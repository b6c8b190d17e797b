import { moving, TaskProgram } from "../../threads/task-thread.ts";
import type { BadRow } from "../rows/provider-row.ts";
import {
  DEACTIVATION_SHEET,
  DeactivationSheet,
  type DeactivationRows,
} from "./deactivation-sheet.ts";
import { dateByName } from "../files/file-name.ts";
import type { FileSource } from "../files/file-source.ts";
import type { RegistryFileSummary } from "../rows/read-registry-file.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";
import { readSheetRows, WorkbookError } from "./workbook.ts";

/** The registry's report has about 6 MB, and no Excel sheet with its maximum of a million rows has this much. */
const MAX_WORKBOOK_BYTES = 1 << 26;
/** Row objects are short-lived; the results are outside the heap. */
const MEMORY_MB = 128;

const SENTENCES: Readonly<
  Record<WorkbookError["fault"], (path: string, message: string) => string>
> = {
  missing: (path, message) =>
    `${path} is not a report of deactivated NPIs: ${message}. Give the registry's report (NPPES_Deactivated_NPI_Report).`,
  large: (path, message) =>
    `${path} is too large for a report of deactivated NPIs: ${message}. Give the registry's report.`,
  broken: (path) =>
    `${path} is not a readable Excel workbook. Download it again.`,
};

/** A report of deactivated NPIs. */
export interface DeactivationReport {
  summary: RegistryFileSummary;
  /** The listed NPIs, and the day number of each deactivation. */
  npis: Uint32Array;
  days: Uint16Array;
  /** Only the first ones. */
  badRows: readonly BadRow[];
}

/**
 * Reads the registry's report of deactivated NPIs: an Excel workbook, or the zip that contains it. Throws
 * RegistryFileError if it is broken or a different workbook. Aborting `signal` stops it and throws the signal's reason.
 */
export async function readDeactivations(
  source: FileSource,
  signal?: AbortSignal,
): Promise<DeactivationReport> {
  signal?.throwIfAborted();
  const { path } = source.range;
  const workbook = await contentOf(source, signal);
  const { asOf, badRows, badRowsByReason, days, npis } = await readInThread(
    path,
    workbook,
    signal,
  );
  const end = dateByName(path, source.name) ?? asOf;
  if (end === null)
    throw new RegistryFileError(
      `${path} has no date in its name or title. Rename it to NPPES_Deactivated_NPI_Report_MMDDYY, with its date.`,
    );
  const summary: RegistryFileSummary = {
    name: source.name,
    period: { kind: "deactivations", begin: null, end },
    bytes: source.contentBytesRead,
    crc32: source.checksum,
    columns: 2,
    rows: npis.length,
    badRows: Array.from(badRowsByReason.values()).reduce((a, b) => a + b, 0),
    badRowsByReason: new Map(badRowsByReason),
    warnings: new Map(),
    // Only NPIs and dates are read.
    maskedNumbers: 0,
  };
  return { summary, npis, days, badRows };
}

async function contentOf(
  source: FileSource,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { contentBytes, range } = source;
  if (contentBytes > MAX_WORKBOOK_BYTES) throw tooLarge(range.path);
  const whole = new Uint8Array(contentBytes);
  let at = 0;
  for await (const chunk of source.chunks()) {
    signal?.throwIfAborted();
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

interface ReportTask {
  /** For messages. */
  path: string;
  workbook: Uint8Array<ArrayBuffer>;
}

/** Reads the workbook in a thread, which limits memory and can be stopped. */
const REPORT = new TaskProgram(
  import.meta.url,
  {
    name: "report",
    purpose: "reads the workbook",
    errors: [RegistryFileError],
  },
  (task: ReportTask) => ({ rows: () => readRows(task) }),
);

async function readInThread(
  path: string,
  workbook: Uint8Array<ArrayBuffer>,
  signal: AbortSignal | undefined,
): Promise<DeactivationRows> {
  await using thread = REPORT.inThread(
    moving({ path, workbook }, [workbook.buffer]),
    { signal, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } },
  );
  try {
    return await thread.ask("rows");
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function readRows({
  path,
  workbook,
}: ReportTask): Promise<DeactivationRows> {
  const sheet = new DeactivationSheet(path);
  try {
    await readSheetRows(workbook, DEACTIVATION_SHEET, (cells, line) =>
      sheet.row(cells, line),
    );
    const rows = sheet.end();
    return moving(rows, [rows.npis.buffer, rows.days.buffer]);
  } catch (error) {
    if (error instanceof WorkbookError)
      throw new RegistryFileError(SENTENCES[error.fault](path, error.message));
    throw error;
  }
}

function faultOf(error: unknown, path: string): unknown {
  const isMemory =
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? tooLarge(path, error) : error;
}

function tooLarge(path: string, cause?: unknown): RegistryFileError {
  return new RegistryFileError(
    `${path} is too large for a report of deactivated NPIs. Give the registry's report.`,
    { cause },
  );
}
