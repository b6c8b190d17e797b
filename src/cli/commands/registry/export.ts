import { basename, extname } from "node:path";
import type { DetailPart } from "../../../contract/detail-parts.ts";
import {
  ROW_FORMATS,
  rowFormatOf,
  titlesOf,
} from "../../../contract/row-formats.ts";
import type { Rows } from "../../../search/render/rows.ts";
import { allOf, oneOf } from "../../../text/lists.ts";
import { command, misuse, type Context } from "../../command.ts";
import { noCurrentSnapshot, storeIn } from "../../data-folder.ts";
import { GzipFile, NewFile, type FileWriter } from "../../output/files.ts";
import { counted, printable } from "../../output/format.ts";
import { Progress } from "../../output/progress.ts";
import {
  DATA_DIR,
  EXPORT_FORMAT,
  FILE_FORMATS,
  OUT,
  type FileFormat,
} from "../../settings/settings.ts";
import { untilAborted } from "../../stop-signal.ts";
import { openCurrent } from "./current-directory.ts";
import {
  errorOf,
  isFailure,
  notCurrent,
  queryOfOperands,
  requireParameters,
} from "./query-operands.ts";

/** Rows are written about this many bytes at a time. */
const CHUNK_BYTES = 1 << 20;
/** The number of characters that may wait for the reader of standard output. */
const MAX_WAITING = 4 << 20;
const STDOUT = "-";

/** The contents of a file. */
interface FileKind {
  readonly format: FileFormat;
  readonly isGzip: boolean;
  /** True if the file's name says the format. */
  readonly isNamed: boolean;
}

interface Options {
  readonly dataDir: string;
  readonly format: FileFormat | null;
  readonly out: string;
}

/** The target of an export. */
interface Target extends AsyncDisposable {
  /** Takes whole rows, whose bytes may change once the next call resolves; false if no more can be taken. */
  write(rows: Uint8Array): Promise<boolean>;
  finish(): Promise<void>;
}

export const exportCommand = command({
  operands: {
    text: "[PARAMETER=VALUE...]",
    min: 0,
    max: Number.POSITIVE_INFINITY,
  },
  summary:
    "Write all results of a search of the data folder to a file, without a service or a key: state=CA --out ca.parquet.",
  details: [
    `Takes the filters of /v1/providers/search, include for ${allOf([...titlesOf(false), "Parquet"])}, and columns for ${allOf(titlesOf(true))}. Without any, writes the whole registry, in the API's order. The columns are those of /v1/providers/export; in Parquet, dates have the type date, and each part of include is a nested column.`,
    `FILE's extension decides the format: ${oneOf(FILE_FORMATS.map((format) => `.${format}`))}. For any other name, set --format. To compress ${oneOf(ROW_FORMATS.map(({ title }) => title))}, add .gz.`,
    "The file appears under its name once it is complete. Without --out, or with --out -, rows go to standard output.",
  ],
  options: { format: EXPORT_FORMAT, out: OUT, dataDir: DATA_DIR },
  run: ({ out, ...values }, context, operands) =>
    exportRows(operands, { ...values, out: out ?? STDOUT }, context),
});

async function exportRows(
  operands: readonly string[],
  { dataDir, format: chosen, out }: Options,
  context: Context,
): Promise<void> {
  requireParameters(operands);
  if (operands.some((operand) => operand.startsWith("format=")))
    throw misuse(
      `Set the format with an option: --format ${oneOf(FILE_FORMATS)}.`,
    );
  const kind = kindOfFile(out, chosen);
  const { format } = kind;
  // Loaded here: other commands start without the API's schemas.
  const { needsDetails, parseExport, rowsOfExport } =
    await import("../../../http/exports/export-request.ts");
  const { missingDataFailure } =
    await import("../../../http/queries/data-operation.ts");
  const rowFormat = format === "parquet" ? "ndjson" : format;
  const asked = parseExport(
    { url: queryOfOperands([...operands, `format=${rowFormat}`]) },
    insteadOfTable(kind, chosen),
  );
  if (isFailure(asked)) throw errorOf(asked);
  const { parameters } = asked;
  const store = storeIn(dataDir);
  using data = needsDetails(parameters)
    ? openCurrent(store, "held")
    : openCurrent(store);
  if (data === null) throw noCurrentSnapshot(store);
  const { snapshot } = parameters;
  if (snapshot !== undefined && snapshot !== data.id)
    throw notCurrent(snapshot, data.id);
  const shown =
    missingDataFailure(parameters, data) ?? rowsOfExport(data, parameters);
  if (isFailure(shown)) throw errorOf(shown);

  const { parts } = shown;
  const rows = data.lookup.rows(
    data.search.all(parameters),
    shown.format,
    parts,
  );
  await using target =
    out === STDOUT
      ? standardOutput(context)
      : await fileTarget(out, kind, parts, context);
  if (!(await writeRows(rows, target, out, context))) return;
  await target.finish();
  if (out !== STDOUT)
    context.out(
      `${printable(basename(out))}: ${counted(rows.total, "provider")}.`,
    );
}

/** Writes rows; false if the target did not take all. */
async function writeRows(
  rows: Rows,
  target: Target,
  out: string,
  context: Context,
): Promise<boolean> {
  using progress = new Progress(
    out === STDOUT ? "Exporting" : `Exporting ${basename(out)}`,
    context,
  );
  // One is filled while the other is written.
  let chunk = Buffer.allocUnsafe(2 * CHUNK_BYTES);
  let other = Buffer.allocUnsafe(2 * CHUNK_BYTES);
  let length = 0;
  let bytes = 0;
  for (let slice = rows.next(); slice !== null; slice = rows.next()) {
    if (length + slice.length > chunk.length)
      chunk = Buffer.concat([chunk], 2 * (length + slice.length));
    chunk.set(slice, length);
    length += slice.length;
    if (length < CHUNK_BYTES) continue;
    context.stop.throwIfAborted();
    if (!(await target.write(chunk.subarray(0, length)))) return false;
    [chunk, other] = [other, chunk];
    bytes += length;
    length = 0;
    progress.update({
      bytes,
      bytesTotal: null,
      rows: rows.rendered,
      rowsTotal: rows.total,
    });
  }
  return target.write(chunk.subarray(0, length));
}

/** Finds the format of a file, and whether it is compressed. Fails if its name and `--format` don't say. */
function kindOfFile(out: string, chosen: FileFormat | null): FileKind {
  const isGzip = /\.gz$/i.test(out);
  const name = isGzip ? out.slice(0, -".gz".length) : out;
  const extension = extname(name).slice(1).toLowerCase();
  const named = FILE_FORMATS.find((each) => each === extension) ?? null;
  const isNamed = named !== null;
  if (chosen !== null && isNamed && rowsOf(chosen) !== rowsOf(named))
    throw misuse(
      `--format ${chosen} contradicts the name ${printable(basename(out))}. Change one of them.`,
    );
  const format = chosen ?? named ?? (extension === "" ? "ndjson" : null);
  if (format === null)
    throw misuse(
      `The name ${printable(basename(out))} doesn't say the format. Add --format ${oneOf(FILE_FORMATS)}.`,
    );
  if (format === "parquet" && isGzip)
    throw misuse(
      "Parquet files are already compressed. Use a name without .gz.",
    );
  if (format === "parquet" && out === STDOUT)
    throw misuse(
      "Parquet cannot be written to standard output. Name a file with --out.",
    );
  return { format, isGzip, isNamed };
}

/** Names the renderer of a format's rows: files whose rows are the same can have each other's names. */
function rowsOf(format: FileFormat): string {
  return format === "parquet" ? format : rowFormatOf(format).renderer;
}

/** Names a way to get another format than a table. */
function insteadOfTable(
  { isNamed }: FileKind,
  chosen: FileFormat | null,
): string {
  if (!isNamed) return "--format ndjson";
  return `a name that ends in .ndjson, .jsonl or .parquet${chosen === null ? "" : ", without --format"}`;
}

/** Opens standard output, which takes no more once its reader is gone or it cannot be written; `run` says why. */
function standardOutput({ output, stop }: Context): Target {
  return {
    async write(rows) {
      output.write(Buffer.from(rows).toString());
      if (output.waiting > MAX_WAITING)
        await Promise.race([output.flush(), untilAborted(stop)]);
      stop.throwIfAborted();
      return output.fault === null;
    },
    finish: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Opens a file of a kind, whose rows have some parts of the details. */
async function fileTarget(
  out: string,
  { format, isGzip }: FileKind,
  parts: readonly DetailPart[],
  { stop }: Context,
): Promise<Target> {
  await using owned = new AsyncDisposableStack();
  const plain = await NewFile.open(out);
  const file = owned.use(isGzip ? new GzipFile(plain) : plain);
  let writer: FileWriter = file;
  if (format === "parquet") {
    const { ParquetFile } = await import("../../output/parquet-file.ts");
    writer = owned.use(new ParquetFile(file, parts, stop));
  }
  const dispose = owned.move();
  return {
    async write(rows) {
      await writer.write(rows);
      return true;
    },
    finish: () => writer.finish(),
    [Symbol.asyncDispose]: () => dispose.disposeAsync(),
  };
}
