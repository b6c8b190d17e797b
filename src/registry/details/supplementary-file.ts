import { CsvScanner } from "../../csv/csv-scanner.ts";
import { VALUE_CLASSES } from "../rows/values.ts";
import {
  BlobSection,
  ENDPOINT_TEXTS,
  LOCATION_TEXTS,
  OTHER_NAME_TEXTS,
} from "./detail-blob.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  isEndpointFile,
  isLocationFile,
  isOtherNameFile,
} from "../files/file-name.ts";
import { bindColumns, type FileColumns } from "../rows/header.ts";
import { isAssignableNpi, npiOfBytes } from "../npi.ts";
import { scanCsv, type FileSource } from "../files/file-source.ts";
import { TextWriter } from "./text-writer.ts";

const NPI_CELL = 1;
const FIRST_TEXT_CELL = 2;

/** Another file in the zip, with any number of rows per NPI. */
export interface SupplementaryFile {
  /** What its rows become: a section of a blob, which belongs to a part. */
  readonly section: number;
  readonly part: DetailPart;
  readonly isWanted: (name: string) => boolean;
  /** The NPI, then the texts of a record in the order of `detail-blob.ts`. */
  readonly columns: FileColumns;
  readonly texts: number;
}

const ADVICE = "Download the zip again";

/** Other names of organizations. */
const OTHER_NAMES_FILE: SupplementaryFile = {
  section: BlobSection.otherNames,
  part: "other_names",
  isWanted: isOtherNameFile,
  columns: {
    needed: [
      "NPI",
      "Provider Other Organization Name",
      "Provider Other Organization Name Type Code",
    ],
    optional: [],
    what: "an other-names file",
    advice: ADVICE,
  },
  texts: OTHER_NAME_TEXTS,
};

const LOCATION = "Provider Secondary Practice Location Address -";

/** Secondary practice locations. Column names are compared without case and white space. */
const LOCATIONS_FILE: SupplementaryFile = {
  section: BlobSection.locations,
  part: "locations",
  isWanted: isLocationFile,
  columns: {
    needed: [
      "NPI",
      `${LOCATION} Address Line 1`,
      `${LOCATION} Address Line 2`,
      `${LOCATION} City Name`,
      `${LOCATION} State Name`,
      `${LOCATION} Postal Code`,
      `${LOCATION} Country Code (If outside U.S.)`,
    ],
    optional: [
      [`${LOCATION} Telephone Number`],
      [`${LOCATION} Telephone Extension`],
      ["Provider Practice Location Address - Fax Number"],
    ],
    what: "a practice-locations file",
    advice: ADVICE,
  },
  texts: LOCATION_TEXTS,
};

/** Electronic addresses for health information. */
const ENDPOINTS_FILE: SupplementaryFile = {
  section: BlobSection.endpoints,
  part: "endpoints",
  isWanted: isEndpointFile,
  columns: {
    needed: ["NPI", "Endpoint Type", "Endpoint Type Description", "Endpoint"],
    optional: [
      ["Endpoint Description"],
      ["Affiliation"],
      ["Affiliation Legal Business Name"],
      ["Use Code"],
      ["Use Description"],
      ["Other Use Description"],
      ["Content Type"],
      ["Content Description"],
      ["Other Content Description"],
      ["Affiliation Address Line One"],
      ["Affiliation Address Line Two"],
      ["Affiliation Address City"],
      ["Affiliation Address State"],
      ["Affiliation Address Postal Code"],
      ["Affiliation Address Country"],
    ],
    what: "an endpoints file",
    advice: ADVICE,
  },
  texts: ENDPOINT_TEXTS,
};

/** By the name that reports use, in the order of the sections. */
export const SUPPLEMENTARY_FILES = {
  otherNames: OTHER_NAMES_FILE,
  locations: LOCATIONS_FILE,
  endpoints: ENDPOINTS_FILE,
} as const satisfies Record<string, SupplementaryFile>;

export type SupplementaryName = keyof typeof SUPPLEMENTARY_FILES;

export const SUPPLEMENTARY_NAMES: readonly SupplementaryName[] = [
  "otherNames",
  "locations",
  "endpoints",
];

/** Row counts of a supplementary file. */
export interface SupplementarySummary {
  rows: number;
  badRows: number;
  /** Values of the shape of a Social Security number that were masked, in any row. */
  maskedNumbers: number;
}

/**
 * Reads a supplementary file of a zip: `onRow` gets each row's NPI and its record for a blob, `bytes[0, end)`, valid
 * during the call. Throws RegistryFileError if it is broken.
 */
export async function readSupplementaryFile(
  source: FileSource,
  { columns, texts }: SupplementaryFile,
  onRow: (npi: number, bytes: Uint8Array, end: number) => void,
  signal?: AbortSignal,
): Promise<SupplementarySummary> {
  const summary = { rows: 0, badRows: 0, maskedNumbers: 0 };
  const out = new TextWriter();
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
            out.at = 0;
            out.filledTo = 0;
            for (let text = 0; text < texts; text++)
              out.cell(scanner, FIRST_TEXT_CELL + text);
            if (out.filledTo > 0) onRow(npi, out.bytes, out.at);
          },
          fault() {
            summary.badRows++;
          },
        },
      );
      return scanner;
    },
    undefined,
    signal,
  );
  summary.maskedNumbers = source.maskedNumbers;
  return summary;
}
