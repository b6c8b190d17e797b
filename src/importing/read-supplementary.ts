import {
  SUPPLEMENTARY_FILES,
  type SupplementaryName,
} from "../registry/details/supplementary-file.ts";
import { FileSource, type FileRange } from "../registry/files/file-source.ts";
import { RegistryFileError } from "../registry/files/registry-file-error.ts";
import { moving, TaskProgram } from "../threads/task-thread.ts";
import {
  readSorted,
  SupplementaryRows,
  type SortedRows,
} from "./supplementary-rows.ts";

/** With less CSV, reading takes less time than starting a thread. */
const MIN_THREAD_BYTES = 20_000_000;

/** A supplementary file of a zip. */
export interface FoundFile {
  readonly name: SupplementaryName;
  readonly source: FileSource;
}

interface SortingTask {
  name: SupplementaryName;
  range: FileRange;
}

const SORTING = new TaskProgram(
  import.meta.url,
  {
    name: "supplementary",
    purpose: "reads a supplementary file",
    errors: [RegistryFileError],
  },
  ({ name, range }: SortingTask) => ({
    async sorted() {
      const source = new FileSource(range);
      const rows = await readSorted(source, SUPPLEMENTARY_FILES[name]);
      const { bytes, npis, order, starts, table } = rows;
      const buffers = [bytes, npis, order, starts, table]
        .map(({ buffer }) => buffer)
        .filter((buffer) => buffer instanceof ArrayBuffer);
      return moving(rows, buffers);
    },
  }),
);

/**
 * Reads the supplementary files of a zip; the longest one in a thread, next to the rest, if it has at least
 * `minThreadBytes` of CSV. Throws RegistryFileError if one is broken. Aborting `signal` stops it within two megabytes
 * and throws the signal's reason.
 */
export async function readSupplementary(
  files: readonly FoundFile[],
  signal?: AbortSignal,
  minThreadBytes: number = MIN_THREAD_BYTES,
): Promise<SupplementaryRows[]> {
  const longest = files.toSorted(
    (a, b) => b.source.contentBytes - a.source.contentBytes,
  )[0];
  const isApart =
    longest !== undefined &&
    files.length > 1 &&
    longest.source.contentBytes >= minThreadBytes;
  await using thread = isApart
    ? SORTING.inThread(
        { name: longest.name, range: longest.source.range },
        { signal },
      )
    : null;
  const apart = thread?.ask("sorted");
  const reading: Promise<SortedRows>[] = [];
  for (const file of files) {
    const isHere = file !== longest || apart === undefined;
    const kind = SUPPLEMENTARY_FILES[file.name];
    if (isHere)
      reading.push(
        Promise.resolve(await readSorted(file.source, kind, signal)),
      );
    else reading.push(apart);
  }
  const read = await Promise.all(reading);
  return files.map(
    ({ name }, index) =>
      new SupplementaryRows(SUPPLEMENTARY_FILES[name], read[index]!),
  );
}
