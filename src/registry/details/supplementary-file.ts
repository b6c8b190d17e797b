import { CsvScanner } from "../../csv/csv-scanner.ts";
import { RowValues, VALUE_CLASSES, VALUES_ROOM } from "../rows/values.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  SECTIONS,
  type Section,
  type SectionName,
} from "../../contract/provider-fields.ts";
import {
  isEndpointFile,
  isLocationFile,
  isOtherNameFile,
} from "../files/file-name.ts";
import { bindColumns, type FileColumns } from "../rows/header.ts";
import { isAssignableNpi, npiOfBytes } from "../npi.ts";
import { scanCsv, type FileSource } from "../files/file-source.ts";

const NPI_CELL = 1;
const FIRST_TEXT_CELL = 2;

/** Another file in the zip, with any number of rows per NPI. */
export interface SupplementaryFile {
  /** The section of a blob that its rows become, and the part of the details that it belongs to. */
  readonly section: number;
  readonly part: DetailPart;
  readonly isWanted: (name: string) => boolean;
  /** The NPI, then the texts of a record in the order of `SECTIONS`. */
  readonly columns: FileColumns;
  readonly texts: number;
}

const ADVICE = "Download the zip again";

/** By the name that reports use, in the order of the sections. */
export const SUPPLEMENTARY_FILES = {
  otherNames: fileOf("otherNames", 2, "an other-names file", isOtherNameFile),
  locations: fileOf(
    "locations",
    6,
    "a practice-locations file",
    isLocationFile,
  ),
  endpoints: fileOf("endpoints", 3, "an endpoints file", isEndpointFile),
} as const satisfies Record<string, SupplementaryFile>;

export type SupplementaryName = keyof typeof SUPPLEMENTARY_FILES;

export const SUPPLEMENTARY_NAMES: readonly SupplementaryName[] = [
  "otherNames",
  "locations",
  "endpoints",
];

/** Describes the file of a section, which must have the columns of its first `needed` texts. */
function fileOf(
  name: SectionName,
  needed: number,
  what: string,
  isWanted: (name: string) => boolean,
): SupplementaryFile {
  const { number: section, part, texts }: Section = SECTIONS[name];
  const columns = Object.values(texts).map((names) => [names].flat());
  return {
    section,
    part,
    isWanted,
    columns: {
      needed: ["NPI", ...columns.slice(0, needed).flat()],
      optional: columns.slice(needed),
      what,
      advice: ADVICE,
    },
    texts: columns.length,
  };
}

/** Row counts of a supplementary file. */
export interface SupplementarySummary {
  rows: number;
  badRows: number;
  /** Values of the shape of a Social Security number that were masked, in any row. */
  maskedNumbers: number;
}

/**
 * Reads a supplementary file of a zip: `onRow` gets each row's NPI and its record for a blob, `bytes[start, end)`,
 * valid during the call. Throws RegistryFileError if it is broken.
 */
export async function readSupplementaryFile(
  source: FileSource,
  { columns, texts }: SupplementaryFile,
  onRow: (npi: number, bytes: Uint8Array, start: number, end: number) => void,
  signal?: AbortSignal,
): Promise<SupplementarySummary> {
  const summary = { rows: 0, badRows: 0, maskedNumbers: 0 };
  await scanCsv(
    source,
    (names, firstLine) => {
      const name = `${source.name} in ${source.range.path}`;
      const scanner: CsvScanner = new CsvScanner(
        {
          ...bindColumns(names, name, columns),
          cellCount: FIRST_TEXT_CELL + texts,
          firstLine,
          classes: VALUE_CLASSES,
          room: VALUES_ROOM,
        },
        {
          row() {
            const { bytes, ends, starts } = scanner;
            const npi = npiOfBytes(bytes, starts[NPI_CELL]!, ends[NPI_CELL]!);
            if (!isAssignableNpi(npi)) {
              summary.badRows++;
              return;
            }
            summary.rows++;
            values.begin();
            const end = values.record(cells);
            if (end > values.out) onRow(npi, bytes, values.out, end);
          },
          fault() {
            summary.badRows++;
          },
        },
      );
      const values = new RowValues(scanner);
      const cells = values.list(
        Array.from({ length: texts }, (_, text) => FIRST_TEXT_CELL + text),
      );
      return scanner;
    },
    undefined,
    signal,
  );
  summary.maskedNumbers = source.maskedNumbers;
  return summary;
}
