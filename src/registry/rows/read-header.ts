import { readFirstRow } from "./first-row.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";

/** A header is some 12 KB; a first line that does not end within this is no header. */
const LONGEST_HEADER_BYTES = 1 << 20;

/** How a CSV file begins. */
export interface FileBegin {
  /** The texts of its first row, the names of its columns. */
  names: string[];
  /** The bytes behind the first row that came with it, and the physical line on which they begin. */
  rest: Uint8Array;
  line: number;
}

/** Reads the first row of a CSV file. Throws a RegistryFileError where it does not end. */
export async function readHeader(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  path: string,
): Promise<FileBegin> {
  let begin = new Uint8Array(0);
  for (;;) {
    const chunk = await chunks.next();
    if (chunk.done !== true) begin = joined(begin, chunk.value);
    const first = readFirstRow(begin, chunk.done === true);
    if (first !== null) {
      return {
        names: first.cells,
        rest: begin.subarray(first.next),
        line: first.nextLine,
      };
    }
    if (begin.length > LONGEST_HEADER_BYTES) {
      throw new RegistryFileError(
        `${path} is no CSV file, for its first line does not end: give the registry's zip or CSV.`,
      );
    }
  }
}

function joined(
  first: Uint8Array,
  second: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
