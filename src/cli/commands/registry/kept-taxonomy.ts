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
import { crc32 } from "node:zlib";
import { withPath } from "../../../registry/files/with-path.ts";
import { builtinTaxonomy } from "../../../reference/builtin-specialties.ts";
import {
  parseTaxonomy,
  readTaxonomyFile,
  type TaxonomyTable,
} from "../../../reference/taxonomy-table.ts";

const KEPT_FILE = "taxonomy.csv";
const KEPT_FACTS = "taxonomy.json";

/** What is known of the file that is kept. */
export interface KeptTaxonomy {
  /** The name under which it came. */
  readonly name: string;
  /** Whether an update brought it; otherwise the operator gave it. */
  readonly isFromUpdate: boolean;
}

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
  isFromUpdate = false,
): ChosenTaxonomy {
  const kept = join(dataDir, KEPT_FILE);
  if (given !== null) {
    const bytes = withPath(given, () => readFileSync(given));
    const table = parseTaxonomy(bytes, given);
    const isNew =
      !existsSync(kept) ||
      !withPath(kept, () => readFileSync(kept)).equals(bytes);
    if (isNew) replaceFile(kept, bytes);
    const name = basename(given);
    // After the file, and with its checksum: what does not go with the file is not believed.
    const facts = { name, isFromUpdate, crc32: crc32(bytes) };
    replaceFile(
      join(dataDir, KEPT_FACTS),
      Buffer.from(`${JSON.stringify(facts)}\n`),
    );
    return { table, source: sourceOf(name), isNew };
  }
  if (existsSync(kept)) {
    const name = keptTaxonomy(dataDir)?.name;
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

/** What is known of the file kept in a data folder; null when there is none, or none of which anything is known. */
export function keptTaxonomy(dataDir: string): KeptTaxonomy | null {
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
