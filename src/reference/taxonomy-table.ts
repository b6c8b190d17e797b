import { readFileSync, statSync } from "node:fs";
import { csvRecords } from "./csv-records.ts";

/** NUCC's taxonomy codes and their display names. */
export interface TaxonomyTable {
  /** The display name of a code (ten letters and digits, upper case), or null when the table lacks it. */
  name(code: string): string | null;
  /** Codes and display names, in the order of the source. */
  entries(): Iterable<[code: string, name: string]>;
}

/** The file is not a NUCC taxonomy CSV; the message says why and what to do. */
export class TaxonomyFileError extends Error {
  override readonly name = "TaxonomyFileError";
}

const CODE_COLUMN = "Code";
const NAME_COLUMN = "Display Name";
/** NUCC's file has half a megabyte. */
const LARGEST_BYTES = 1 << 24;
const CODE = /^[0-9A-Z]{10}$/;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Reads NUCC's CSV (`nucc_taxonomy_251.csv`), columns by header name. Throws a TaxonomyFileError for a file that is
 * not one, and the file system's own error when there is no such file.
 */
export function readTaxonomyFile(path: string): TaxonomyTable {
  const { size } = statSync(path);
  if (size > LARGEST_BYTES)
    throw notTaxonomy(path, `it has ${Math.ceil(size / 1e6)} MB`);
  return parseTaxonomy(readFileSync(path), path);
}

/** The same over bytes in memory; `source` names them in errors. */
export function parseTaxonomy(
  bytes: Uint8Array,
  source: string,
): TaxonomyTable {
  const [header = [], ...records] = csvRecords(decode(bytes));
  const columns = header.map((name) => name.trim());
  const codeAt = columns.indexOf(CODE_COLUMN);
  const nameAt = columns.indexOf(NAME_COLUMN);
  for (const [column, at] of [
    [CODE_COLUMN, codeAt],
    [NAME_COLUMN, nameAt],
  ] as const) {
    if (at === -1) throw notTaxonomy(source, `it has no column "${column}"`);
  }
  const names = new Map<string, string>();
  records.forEach((record, index) => {
    const code = record[codeAt]?.trim() ?? "";
    const name = record[nameAt]?.trim() ?? "";
    if (code === "") return;
    if (!CODE.test(code))
      throw notTaxonomy(
        source,
        `record ${index + 2} has the code "${code.slice(0, 40)}"`,
      );
    if (name !== "") names.set(code, name);
  });
  if (names.size === 0) throw notTaxonomy(source, "it names no code");
  return taxonomyTable(names);
}

/** A table over the given codes and names. */
export function taxonomyTable(
  names: ReadonlyMap<string, string>,
): TaxonomyTable {
  return {
    name: (code) => names.get(code) ?? null,
    entries: () => names.entries(),
  };
}

/** UTF-8, or Latin-1 where the bytes are not UTF-8; older editions of the file are. */
function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
  } catch {
    text = Buffer.from(
      bytes.buffer,
      bytes.byteOffset,
      bytes.byteLength,
    ).toString("latin1");
  }
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function notTaxonomy(source: string, why: string): TaxonomyFileError {
  return new TaxonomyFileError(
    `${source} is not a NUCC taxonomy file, because ${why}: give the CSV that NUCC publishes, with the columns "${CODE_COLUMN}" and "${NAME_COLUMN}".`,
  );
}
