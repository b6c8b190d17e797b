import { builtinTaxonomy } from "../reference/builtin-specialties.ts";
import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import { OFFICIAL_COLUMNS } from "../registry/rows/header.ts";
import { compactDate, dayNumber, FIRST_DAY } from "./calendar.ts";
import { CsvRow, MAX_ROW_BYTES } from "./csv-row.ts";
import { OTHER_FILES } from "./other-files.ts";
import { Providers } from "./providers.ts";
import { DEFAULT_SEED } from "./random.ts";
import { RegistryGeneratorError } from "./registry-generator-error.ts";
import { allCodes, commonCodes, SpecialtyMix } from "./specialties.ts";
import {
  MAX_CHANGES,
  MAX_PROVIDERS,
  type Week,
  type WeekChange,
  weekChange,
} from "./week-changes.ts";

/** The default last day of a full file: fixed, so the same seed gives the same file. */
export const DEFAULT_AS_OF = "2026-11-09";
const MAX_SEED = 0xffff_ffff;

/** The contents of a synthetic registry file. The same contents give the same bytes on every machine. */
export interface SyntheticContents {
  /** Providers in the full file: 1 to 50,000,000. */
  providers: number;
  /** 0 to 4,294,967,295; default DEFAULT_SEED. */
  seed?: number;
  /** ISO date of the last day in the full file; default DEFAULT_AS_OF. No date in the full file is later. */
  asOf?: string;
  /**
   * Adds the registry's other files to the zip: other names of organizations, secondary practice locations, and
   * endpoints. Deactivated providers with details then have reasons and replacements, which the registry leaves blank.
   */
  otherFiles?: boolean;
  /** Writes that week's changes of the full file instead of the full file. */
  week?: SyntheticWeek;
  /**
   * `all` (default): as many primary taxonomies as the registry has. `named`: common ones with a name in `taxonomy`.
   */
  specialties?: "all" | "named";
  /** The taxonomy codes to use; default is the built-in table. With `all`, codes are invented if it has too few. */
  taxonomy?: TaxonomyTable;
}

export interface SyntheticWeek {
  /** ISO dates of the first and last day, after the full file's `asOf`. */
  from: string;
  to: string;
  /** Rows of the file: 1 to 200,000. More than the number of providers repeats some. */
  changes: number;
}

/** A file of the registry, whose rows are generated on request. Only what all rows share is in memory. */
export interface SyntheticFile {
  /** Its official name: `npidata_pfile_20050523-20261109.csv`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The providers that it is about. */
  readonly total: number;
  /** Writes the rows, if any, of provider `number` (from 0). */
  readonly write: (row: CsvRow, number: number) => void;
}

/** Describes the files with these contents, the main one first. Throws RegistryGeneratorError for impossible ones. */
export function syntheticFiles(contents: SyntheticContents): SyntheticFile[] {
  const {
    providers: count,
    seed = DEFAULT_SEED,
    asOf = DEFAULT_AS_OF,
  } = contents;
  requireWhole("The number of providers", count, 1, MAX_PROVIDERS);
  requireWhole("The seed", seed, 0, MAX_SEED);
  const asOfDay = dayNumber(asOf);
  if (asOfDay < FIRST_DAY)
    throw new RegistryGeneratorError(
      `The registry has no file for ${asOf}: it started on 2005-05-23.`,
    );
  const week =
    contents.week === undefined ? null : parseWeek(contents.week, asOfDay);
  const providers = new Providers({
    seed,
    asOf: asOfDay,
    specialties: new SpecialtyMix(codesOf(contents)),
    hasReasons: contents.otherFiles ?? false,
  });
  const isWithheld = (index: number) => providers.history(index).isWithheld;
  const period = `${compactDate(week?.first ?? FIRST_DAY)}-${compactDate(week?.last ?? asOfDay)}`;
  const file = (
    kind: string,
    columns: readonly string[],
    write: (row: CsvRow, index: number, change?: WeekChange) => void,
  ): SyntheticFile => ({
    name: `${kind}_pfile_${period}.csv`,
    columns,
    total: week?.changes ?? count,
    write(row, number) {
      if (week === null) return write(row, number);
      const { change, index } = weekChange(
        seed,
        count,
        week,
        number,
        isWithheld,
      );
      write(row, index, change);
    },
  });
  const others = contents.otherFiles === true ? OTHER_FILES : [];
  return [
    file("npidata", OFFICIAL_COLUMNS, (...provider) =>
      providers.write(...provider),
    ),
    ...others.map((other) =>
      file(other.kind, other.columns, (...provider) =>
        providers.writeOthers(other, ...provider),
      ),
    ),
  ];
}

/** Returns the official name of the file with only the header of another one. */
export function columnHeaderFileName(name: string): string {
  return name.replace(/\.csv$/, "_fileheader.csv");
}

/** A part of a file: whole lines, and the number of providers so far. */
export interface Chunk {
  bytes: Uint8Array;
  providers: number;
}

/** Yields the file, header first, in chunks of at most `chunkBytes` (32 KB or more), each in memory from `allocate`. */
export function* chunksOf(
  { columns, total, write }: SyntheticFile,
  chunkBytes: number,
  allocate = (bytes: number) => Buffer.allocUnsafe(bytes),
): Generator<Chunk> {
  const row = new CsvRow();
  row.target = allocate(chunkBytes);
  row.add(...columns);
  row.end();
  for (let number = 0; number < total; number++) {
    write(row, number);
    if (row.at + MAX_ROW_BYTES <= chunkBytes) continue;
    yield { bytes: row.target.subarray(0, row.at), providers: number + 1 };
    row.target = allocate(chunkBytes);
    row.at = 0;
  }
  yield { bytes: row.target.subarray(0, row.at), providers: total };
}

/** Makes the main file in memory, for tests and other small files. */
export function syntheticCsv(contents: SyntheticContents): Buffer {
  const [main] = syntheticFiles(contents);
  return Buffer.concat(
    Array.from(chunksOf(main!, 1 << 18), ({ bytes }) => bytes),
  );
}

function codesOf({
  specialties,
  taxonomy = builtinTaxonomy(),
}: SyntheticContents): string[] {
  const codes =
    specialties === "named" ? commonCodes(taxonomy) : allCodes(taxonomy);
  if (codes.length > 0) return codes;
  throw new RegistryGeneratorError(
    "The taxonomy table has no common specialty. Use NUCC's table, or none.",
  );
}

function parseWeek({ from, to, changes }: SyntheticWeek, asOf: number): Week {
  const first = dayNumber(from);
  const last = dayNumber(to);
  if (last < first)
    throw new RegistryGeneratorError(
      `The week ends on ${to}, before it starts on ${from}.`,
    );
  if (first <= asOf)
    throw new RegistryGeneratorError(
      `The week starts on ${from}, which the full file already covers. Choose a later week.`,
    );
  requireWhole("The number of changes", changes, 1, MAX_CHANGES);
  return { first, last, changes };
}

function requireWhole(
  what: string,
  value: number,
  least: number,
  most: number,
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RegistryGeneratorError(
    `${what} must be a whole number from ${least} to ${most}, not ${value}.`,
  );
}
