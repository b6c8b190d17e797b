import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { withPath } from "../../../registry/files/registry-file-error.ts";
import { replaceDurably } from "../../../store/durable-files.ts";
import { builtinTaxonomy } from "../../../reference/builtin-specialties.ts";
import {
  parseTaxonomy,
  readTaxonomyFile,
  type TaxonomyTable,
} from "../../../reference/taxonomy-table.ts";

const KEPT_FILE = "taxonomy.csv";
const KEPT_FACTS = "taxonomy.json";

/** Facts about the kept file. */
export interface CurrentTaxonomy {
  /** Its original name. */
  readonly name: string;
  /** True if an update downloaded it; otherwise the operator imported it. */
  readonly isFromUpdate: boolean;
}

/** The specialty names for an import. */
export interface ChosenTaxonomy {
  readonly table: TaxonomyTable;
  /** A description of their source. */
  readonly source: string;
  /** True if the given file differs from the kept one. */
  readonly isNew: boolean;
}

/**
 * Reads the table of the given file, which is copied to the data folder for later imports; else the kept copy; else the
 * built-in table. Throws TaxonomyFileError for an invalid file and keeps nothing.
 */
export function chooseTaxonomy(
  dataDir: string,
  given: string | null,
  isFromUpdate = false,
): ChosenTaxonomy {
  const kept = join(dataDir, KEPT_FILE);
  if (given !== null) {
    const bytes = withPath(given, () => readFileSync(given));
    const table = parseTaxonomy(bytes, given);
    const isNew =
      !existsSync(kept) ||
      !withPath(kept, () => readFileSync(kept)).equals(bytes);
    if (isNew) replaceDurably(dataDir, KEPT_FILE, bytes);
    const name = basename(given);
    // Written after the file, with its checksum: facts that do not match the file are ignored.
    const facts = { name, isFromUpdate, crc32: crc32(bytes) };
    replaceDurably(dataDir, KEPT_FACTS, `${JSON.stringify(facts)}\n`);
    return { table, source: sourceOf(name), isNew };
  }
  if (existsSync(kept)) {
    const name = currentTaxonomy(dataDir)?.name;
    return {
      table: withPath(kept, () => readTaxonomyFile(kept)),
      source:
        name === undefined
          ? "NUCC's taxonomy file, kept from an earlier import"
          : sourceOf(name),
      isNew: false,
    };
  }
  return {
    table: builtinTaxonomy(),
    source: "the built-in table of common specialties",
    isNew: false,
  };
}

/** Facts about the kept file; null if there is none, or nothing is known about it. */
export function currentTaxonomy(dataDir: string): CurrentTaxonomy | null {
  let facts: unknown;
  let actual: number;
  try {
    facts = JSON.parse(readFileSync(join(dataDir, KEPT_FACTS), "utf8"));
    actual = crc32(readFileSync(join(dataDir, KEPT_FILE)));
  } catch {
    return null;
  }
  if (typeof facts !== "object" || facts === null) return null;
  if (!("name" in facts && "crc32" in facts)) return null;
  if (typeof facts.name !== "string" || facts.crc32 !== actual) return null;
  const isFromUpdate = "isFromUpdate" in facts && facts.isFromUpdate === true;
  return { name: facts.name, isFromUpdate };
}

function sourceOf(name: string): string {
  return `NUCC's taxonomy file ${name}`;
}
