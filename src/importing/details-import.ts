import { dirname } from "node:path";
import {
  SUPPLEMENTARY_FILES,
  SUPPLEMENTARY_NAMES,
  type SupplementaryName,
  type SupplementarySummary,
} from "../registry/details/supplementary-file.ts";
import type { RegistryFile } from "../registry/files/open-file.ts";
import { DETAIL_PARTS, type DetailPart } from "../contract/detail-parts.ts";
import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import {
  DetailsWriter,
  type BaseDetails,
} from "../snapshot/details/details-writer.ts";
import { readSupplementary, type FoundFile } from "./read-supplementary.ts";
import type { SupplementaryRows } from "./supplementary-rows.ts";
import { RowDetails } from "./row-details.ts";
import type { RowsByNpi } from "../snapshot/postings/npi-index.ts";

/** The request of an import that keeps details. */
export interface DetailsRequest {
  /** The registry's zip or CSV. */
  file: RegistryFile;
  /** The parts to keep. */
  parts: ReadonlySet<DetailPart>;
  base: BaseSnapshot | null;
  /** True if the file is merged into the base. */
  isUpdate: boolean;
  /** The details file to write, and the id of its snapshot. */
  target: string;
  id: string;
  signal?: AbortSignal | undefined;
}

/** The details of an import while it runs. */
export class DetailsImport implements Disposable {
  readonly rows: RowDetails;
  /** The parts that rows must have. */
  readonly parts: ReadonlySet<DetailPart>;
  /** The parts that the snapshot will have for every provider. */
  readonly keptParts: readonly DetailPart[];
  /** Row counts of the supplementary files; null for a file that was not read, or that the zip does not contain. */
  readonly supplementary: SupplementarySummaries;
  readonly #writer: DetailsWriter;

  private constructor(
    {
      base,
      id,
      isUpdate,
      parts,
      target,
    }: Pick<DetailsRequest, "base" | "id" | "isUpdate" | "parts" | "target">,
    keptParts: readonly DetailPart[],
    supplementary: readonly SupplementaryRows[],
  ) {
    this.parts = parts;
    this.keptParts = keptParts;
    this.supplementary = summariesOf(supplementary);
    const details = base?.details ?? null;
    this.#writer = new DetailsWriter(
      target,
      id,
      isUpdate ? baseDetails(base) : null,
    );
    this.rows = new RowDetails(this.#writer, {
      parts,
      supplementary,
      base:
        base === null || details === null ? null : { snapshot: base, details },
      isUpdate,
    });
    if (isUpdate) details?.linkEntries(dirname(target));
  }

  /**
   * Starts keeping details; null if no part can be kept. A part is kept only if it is known for every provider: a full
   * file must contain it; for an update, the base must have it. Throws RegistryFileError if one of the zip's further
   * files is broken.
   */
  static async begin(request: DetailsRequest): Promise<DetailsImport | null> {
    const { base, file, isUpdate, parts, signal } = request;
    const isMerge = isUpdate && base !== null;
    const wanted = isMerge
      ? new Set((base.metadata.details ?? []).filter((each) => parts.has(each)))
      : parts;
    if (wanted.size === 0) return null;
    const found: FoundFile[] = [];
    const lacking = new Set<DetailPart>();
    for (const name of SUPPLEMENTARY_NAMES) {
      const kind = SUPPLEMENTARY_FILES[name];
      if (!wanted.has(kind.part)) continue;
      const source = await file.supplementary(kind.isWanted);
      if (source === null) lacking.add(kind.part);
      else found.push({ name, source });
    }
    const supplementary = await readSupplementary(found, signal);
    const keptParts = DETAIL_PARTS.filter(
      (part) => wanted.has(part) && (isMerge || !lacking.has(part)),
    );
    if (keptParts.length === 0) return null;
    return new DetailsImport(
      { ...request, isUpdate: isMerge, parts: new Set(keptParts) },
      keptParts,
      supplementary,
    );
  }

  /** Copies all details of the base; null if it has none. */
  static copy({
    base,
    id,
    target,
  }: {
    base: BaseSnapshot;
    id: string;
    target: string;
  }): DetailsImport | null {
    const keptParts = base.metadata.details ?? [];
    if (keptParts.length === 0) return null;
    const parts = new Set(keptParts);
    return new DetailsImport(
      { base, id, isUpdate: true, parts, target },
      keptParts,
      [],
    );
  }

  /** Frees the memory that rows needed, after the last one; `isNewest` says whether the file is newer than the base. */
  endRows(isNewest: boolean): void {
    if (isNewest) this.rows.addRest();
    this.rows.forget();
  }

  /**
   * Completes the files. `rows` has the rows of a file that is not merged into the base. Returns the number of NPIs
   * that the snapshot must have.
   */
  finish(taxonomy: TaxonomyTable, rows?: RowsByNpi): number {
    return this.#writer.finish([...this.keptParts], taxonomy.entries(), rows);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }
}

/** Row counts by the files' names in reports. */
export type SupplementarySummaries = Readonly<
  Record<SupplementaryName, SupplementarySummary | null>
>;

/** The row counts of an import that reads no supplementary file. */
export const NOT_READ: SupplementarySummaries = summariesOf([]);

function summariesOf(
  read: readonly SupplementaryRows[],
): SupplementarySummaries {
  const of = (name: SupplementaryName): SupplementarySummary | null =>
    read.find(({ file }) => file === SUPPLEMENTARY_FILES[name])?.summary ??
    null;
  return {
    otherNames: of("otherNames"),
    locations: of("locations"),
    endpoints: of("endpoints"),
  };
}

function baseDetails(base: BaseSnapshot | null): BaseDetails | null {
  if (base?.details == null) return null;
  const { details, npiIndex: npis } = base;
  return {
    files: details.metadata.files,
    index: () => details.index(),
    superseded: () => details.superseded(),
    npis,
  };
}
