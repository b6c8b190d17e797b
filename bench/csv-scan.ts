/**
 * How fast is a registry file read, once its bytes are in memory? Reads an invented file in the official layout
 * (330 columns, about 1.2 KB a row) in chunks of 1 MB on one thread, next to two floors over the same bytes: a bare
 * loop that counts line ends, and the same count by the engine's native search.
 *
 *   node_modules/.bin/node bench/csv-scan.ts [megabytes]
 */
import {
  CELL_COUNT,
  OFFICIAL_COLUMNS,
  bindHeader,
} from "../src/registry/rows/header.ts";
import { CsvScanner } from "../src/csv/csv-scanner.ts";
import { checkDigit } from "../src/registry/npi.ts";
import { RowReader } from "../src/registry/rows/row-reader.ts";

const CHUNK_BYTES = 1 << 20;
const ROUNDS = 7;
const LF = 0x0a;

const megabytes = Number(process.argv[2] ?? 256);
const header = bindHeader(OFFICIAL_COLUMNS, "the bench");
const file = inventedRows(megabytes * 1_000_000);
const rows = countLineEnds(file);
console.log(
  `${rows} rows, ${(file.length / 1e6).toFixed(0)} MB, ${(file.length / rows).toFixed(0)} bytes a row`,
);

measure("floor: a loop that counts line ends", () => countLineEnds(file));
measure("floor: native search for line ends", () => findLineEnds(file));
measure("CsvScanner: cell ranges", scanAll);
measure("RowReader: provider rows", readAll);

function scanAll(): number {
  let seen = 0;
  const sink = { row: () => void seen++, fault: () => {} };
  const scanner = new CsvScanner(
    { ...header, cellCount: CELL_COUNT, firstLine: 2 },
    sink,
  );
  for (let at = 0; at < file.length; at += CHUNK_BYTES)
    scanner.push(file.subarray(at, at + CHUNK_BYTES));
  scanner.end();
  return seen;
}

function readAll(): number {
  const reader = new RowReader(header, 2, { onRow: () => {} });
  for (let at = 0; at < file.length; at += CHUNK_BYTES)
    reader.push(file.subarray(at, at + CHUNK_BYTES));
  reader.end();
  return reader.rows;
}

function countLineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF) count++;
  }
  return count;
}

function findLineEnds(bytes: Uint8Array): number {
  let count = 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(LF); at >= 0; at = buffer.indexOf(LF, at + 1))
    count++;
  return count;
}

/**
 * Prints the best of some rounds, by the processor's time for this thread: what else the machine does hardly counts.
 */
function measure(name: string, run: () => number): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = process.threadCpuUsage();
    if (run() !== rows) throw new Error(`${name} did not see all rows`);
    const { user, system } = process.threadCpuUsage(begin);
    best = Math.min(best, (user + system) / 1e6);
  }
  const speed = file.length / 1e6 / best;
  console.log(
    `${name.padEnd(40)} ${speed.toFixed(0).padStart(6)} MB/s  ${((best / rows) * 1e9).toFixed(0)} ns a row`,
  );
}

/** Rows as the registry has them: three persons to an organization, most of the 330 cells empty. */
function inventedRows(bytes: number): Uint8Array {
  const kinds = Array.from({ length: 64 }, (_, index) => inventedRow(index));
  const out = new Uint8Array(bytes);
  let at = 0;
  for (let number = 0; ; number++) {
    const nine = 100_000_000 + number;
    const row = kinds[(number * 29) % kinds.length]!;
    const line = Buffer.from(`"${nine}${checkDigit(nine)}",${row}\n`);
    if (at + line.length > bytes) return out.subarray(0, at);
    out.set(line, at);
    at += line.length;
  }
}

function inventedRow(index: number): string {
  const isPerson = index % 4 !== 0;
  const street = `${100 + index * 37} ${["MAPLE", "OAK RIDGE", "SAINT CLAIR", "1ST"][index % 4]} AVE`;
  const city = ["SPRINGFIELD", "FT WORTH", "ST. LOUIS", "NEW HAVEN"][
    (index >> 2) % 4
  ]!;
  const values: Record<string, string> = {
    "Entity Type Code": isPerson ? "1" : "2",
    "Provider Enumeration Date": `05/${String((index % 28) + 1).padStart(2, "0")}/2007`,
    "Last Update Date": "01/05/2024",
    "Healthcare Provider Taxonomy Code_1": "207Q00000X",
    "Provider License Number_1": `MD${index}0042`,
    "Provider License Number State Code_1": "TX",
    "Healthcare Provider Primary Taxonomy Switch_1":
      index % 9 === 0 ? "N" : "Y",
    "Certification Date": "01/05/2024",
    "Is Sole Proprietor": isPerson ? "N" : "",
    "Is Organization Subpart": isPerson ? "" : "N",
  };
  if (isPerson) {
    values["Provider Last Name (Legal Name)"] = `EXEMPLAR${index}`;
    values["Provider First Name"] = "JOSEPHINE";
    values["Provider Middle Name"] = index % 2 === 0 ? "Q" : "";
    values["Provider Credential Text"] = "M.D.";
    values["Provider Sex Code"] = "F";
  } else {
    values["Employer Identification Number (EIN)"] = "<UNAVAIL>";
    values["Provider Organization Name (Legal Business Name)"] =
      `EXEMPLARY FAMILY MEDICINE OF ${city}, LLC`;
    values["Authorized Official Last Name"] = "EXEMPLAR";
    values["Authorized Official First Name"] = "JOSEPH";
    values["Authorized Official Title or Position"] = "OFFICE MANAGER";
    values["Authorized Official Telephone Number"] = "5555550100";
  }
  for (const kind of ["Mailing", "Practice Location"]) {
    values[`Provider First Line Business ${kind} Address`] = street;
    values[`Provider Second Line Business ${kind} Address`] =
      index % 3 === 0 ? "SUITE 200" : "";
    values[`Provider Business ${kind} Address City Name`] = city;
    values[`Provider Business ${kind} Address State Name`] = "TX";
    values[`Provider Business ${kind} Address Postal Code`] = "761021234";
    values[`Provider Business ${kind} Address Country Code (If outside U.S.)`] =
      "US";
    values[`Provider Business ${kind} Address Telephone Number`] = "5555550100";
  }
  if (index % 5 === 0) {
    values["Healthcare Provider Taxonomy Code_2"] = "208D00000X";
    values["Healthcare Provider Primary Taxonomy Switch_2"] =
      index % 9 === 0 ? "Y" : "N";
    values["Other Provider Identifier_1"] = `${index}00001`;
    values["Other Provider Identifier Type Code_1"] = "05";
    values["Other Provider Identifier State_1"] = "TX";
  }
  return OFFICIAL_COLUMNS.slice(1)
    .map((column) => `"${values[column] ?? ""}"`)
    .join(",");
}
