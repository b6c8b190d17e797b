import { builtinTaxonomy } from "../reference/builtin-specialties.ts";
import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import { compactDate, dayNumber, FIRST_DAY } from "./calendar.ts";
import { headerLine, MAX_ROW_BYTES } from "./csv-row.ts";
import { ProviderWriter } from "./providers/provider-writer.ts";
import { allCodes, commonCodes } from "./specialties/specialty-mix.ts";
import { DEFAULT_SEED } from "./random.ts";
import { RegistryGeneratorError } from "./registry-generator-error.ts";
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
   * `all` (default): as many primary taxonomies as the registry has. `named`: only common ones with a name in
   * `taxonomy`.
   */
  specialties?: "all" | "named";
  /**
   * The taxonomy codes to use; default is the built-in table. With `all`, invented codes are added if it has too few.
   */
  taxonomy?: TaxonomyTable;
}

export interface SyntheticWeek {
  /** ISO dates of the first and last day, after the full file's `asOf`. */
  from: string;
  to: string;
  /** Rows of the file: 1 to 200,000. More than the number of providers repeats some. */
  changes: number;
}

/** The rows of a synthetic registry file, header first, in chunks. Only what all rows share is in memory. */
export class RegistryRows {
  /** The number of rows, without the header. */
  readonly total: number;
  /** The official name of a file with these rows: `npidata_pfile_20050523-20261109.csv`. */
  readonly fileName: string;
  readonly #providers: number;
  readonly seed: number;
  readonly #week: Week | null;
  readonly writer: ProviderWriter;
  #written = 0;
  #isHeaderWritten = false;

  /** Throws RegistryGeneratorError for impossible contents. */
  constructor(contents: SyntheticContents) {
    const {
      providers,
      seed = DEFAULT_SEED,
      asOf = DEFAULT_AS_OF,
      taxonomy = builtinTaxonomy(),
    } = contents;
    requireWhole("The number of providers", providers, 1, MAX_PROVIDERS);
    requireWhole("The seed", seed, 0, MAX_SEED);
    const asOfDay = dayNumber(asOf);
    if (asOfDay < FIRST_DAY)
      throw new RegistryGeneratorError(
        `The registry has no file for ${asOf}: it started on 2005-05-23.`,
      );
    this.#week =
      contents.week === undefined ? null : parseWeek(contents.week, asOfDay);
    this.#providers = providers;
    this.seed = seed;
    this.total = this.#week?.changes ?? providers;
    this.fileName = registryFileName(
      this.#week?.first ?? FIRST_DAY,
      this.#week?.last ?? asOfDay,
    );
    const codes =
      contents.specialties === "named"
        ? commonCodes(taxonomy)
        : allCodes(taxonomy);
    if (codes.length === 0) {
      throw new RegistryGeneratorError(
        "The taxonomy table has no common specialty. Use NUCC's table, or none.",
      );
    }
    this.writer = new ProviderWriter({
      seed,
      asOf: asOfDay,
      lastDay: Math.max(asOfDay, this.#week?.last ?? 0),
      codes,
      hasReasons: contents.otherFiles ?? false,
    });
  }

  /** The number of rows written so far. */
  get written(): number {
    return this.#written;
  }

  /** Fills a buffer (16 KB or more) with whole lines. Returns the number of bytes, 0 at the end. */
  fill(target: Uint8Array): number {
    let at = 0;
    if (!this.#isHeaderWritten) {
      const header = headerLine();
      target.set(header);
      at = header.length;
      this.#isHeaderWritten = true;
    }
    while (this.#written < this.total && at + MAX_ROW_BYTES <= target.length) {
      at = this.#writeRow(target, at, this.#written++);
    }
    return at;
  }

  /** The provider of row `number` (from 0), and its change in a week. */
  providerAt(number: number): { index: number; change?: WeekChange } {
    if (this.#week === null) return { index: number };
    return weekChange(
      this.seed,
      this.#providers,
      this.#week,
      number,
      (provider) => this.writer.life(provider).isWithheld,
    );
  }

  #writeRow(target: Uint8Array, at: number, number: number): number {
    if (this.#week === null) return this.writer.write(target, at, number);
    const { index, change } = this.providerAt(number);
    return this.writer.write(target, at, index, change);
  }
}

/** The whole file in memory, for tests and other small files. */
export function syntheticCsv(contents: SyntheticContents): Buffer {
  const rows = new RegistryRows(contents);
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = rows.fill(chunk);
    if (bytes === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytes));
  }
}

const CHUNK_BYTES = 1 << 18;

/** The official name of a file by its first and last day. */
function registryFileName(first: number, last: number): string {
  return `npidata_pfile_${compactDate(first)}-${compactDate(last)}.csv`;
}

/** The official name of the file with only the header of another one. */
export function columnHeaderFileName(fileName: string): string {
  return fileName.replace(/\.csv$/, "_fileheader.csv");
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
