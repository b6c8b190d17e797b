import { NEARBY_COLUMNS } from "../../../contract/export-columns.ts";
import {
  CELL_SEPARATOR,
  ROW_SEPARATOR,
} from "../../../search/render/plain-cells.ts";
import { moving, TaskProgram } from "../../../threads/task-thread.ts";

const SHEET = "Providers";
const NUMBERS = new Set(
  NEARBY_COLUMNS.filter(({ type }) => type === "number").map(
    ({ name }) => name,
  ),
);
/** Characters that XML can't have. Renderers replace control characters. */
const NOT_XML = /[\uFFFE\uFFFF]/g;

/** Makes a workbook of rows: with their bytes in order, both return the next bytes of the workbook. */
export interface WorkbookRequests {
  /** Takes whole rows of plain cells; the first row of all has the names of the columns. */
  add(rows: Uint8Array): Promise<Uint8Array>;
  end(): Promise<Uint8Array>;
}

/** Encodes rows as a workbook with one sheet. Cells are text, which no spreadsheet runs, except distances. */
export const WORKBOOK_ENCODER = new TaskProgram<object, WorkbookRequests>(
  import.meta.url,
  { name: "workbook", purpose: "encodes a workbook" },
  () => {
    const rows = new TransformStream<Uint8Array, Uint8Array>();
    const writer = rows.writable.getWriter();
    let chunks: Uint8Array[] = [];
    const encoded = encode(rows.readable, (chunk) => chunks.push(chunk));
    // Its error is that of the request that runs, or of the next one.
    encoded.catch((error: unknown) => writer.abort(error));
    return {
      async add(bytes) {
        // Resolves once the rows before these are encoded.
        await writer.write(bytes);
        return taken();
      },
      async end() {
        await writer.close();
        await encoded;
        return taken();
      },
    };

    /** Takes the bytes that were written since the last call. */
    function taken(): Uint8Array {
      const bytes = new Uint8Array(Buffer.concat(chunks));
      chunks = [];
      return moving(bytes, [bytes.buffer]);
    }
  },
);

async function encode(
  rows: ReadableStream<Uint8Array>,
  write: (chunk: Uint8Array) => void,
): Promise<void> {
  // Only this thread needs it.
  const { writeXlsxStream } = await import("hucre/xlsx");
  const stream = writeXlsxStream(cellsOf(rows), {
    name: SHEET,
    freezePane: { rows: 1 },
  });
  for await (const chunk of stream) write(chunk);
}

/** Reads the cells of each row; null for an empty one. */
async function* cellsOf(
  rows: ReadableStream<Uint8Array>,
): AsyncGenerator<(string | number | null)[]> {
  let isNumber: boolean[] | null = null;
  for await (const bytes of rows) {
    const text = Buffer.from(bytes).toString().replace(NOT_XML, "\uFFFD");
    for (const row of text.split(ROW_SEPARATOR).slice(0, -1)) {
      const cells = row.split(CELL_SEPARATOR);
      const types = isNumber;
      isNumber ??= cells.map((name) => NUMBERS.has(name));
      yield cells.map((cell, index) => {
        if (cell === "") return null;
        return types?.[index] === true ? Number(cell) : cell;
      });
    }
  }
}
