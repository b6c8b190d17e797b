import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { builtinTaxonomy } from "../reference/builtin-specialties.ts";
import {
  parseTaxonomy,
  readTaxonomyFile,
  type TaxonomyTable,
} from "../reference/taxonomy-table.ts";

const KEPT_FILE = "taxonomy.csv";

/** The names of specialties for an import. */
export interface ChosenTaxonomy {
  readonly table: TaxonomyTable;
  /** Where they come from, in words. */
  readonly source: string;
  /** Whether a file other than the one kept before was given. */
  readonly isNew: boolean;
}

/**
 * The table of the file given, of which a copy stays in the data folder for later imports; else the one kept there;
 * else the built-in one. Throws TaxonomyFileError for a file that is none; then nothing is kept.
 */
export function chooseTaxonomy(
  dataDir: string,
  given: string | null,
): ChosenTaxonomy {
  const kept = join(dataDir, KEPT_FILE);
  if (given !== null) {
    const bytes = readFileSync(given);
    const table = parseTaxonomy(bytes, given);
    const isNew = !existsSync(kept) || !readFileSync(kept).equals(bytes);
    if (isNew) replaceFile(kept, bytes);
    return { table, source: `NUCC's taxonomy file ${basename(given)}`, isNew };
  }
  if (existsSync(kept))
    return {
      table: readTaxonomyFile(kept),
      source: "NUCC's taxonomy file, kept from an earlier import",
      isNew: false,
    };
  return {
    table: builtinTaxonomy(),
    source: "the built-in table of common specialties",
    isNew: false,
  };
}

/** Whoever reads the file meanwhile gets the old one or the new one, whole. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.new`;
  const fd = openSync(temporary, "w", 0o644);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
}
