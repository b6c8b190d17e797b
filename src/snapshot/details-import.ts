import { LOCATIONS_FILE, OTHER_NAMES_FILE } from "../registry/further-file.ts";
import type { FurtherSummary } from "../registry/further-file.ts";
import { DETAIL_PARTS, type DetailPart } from "../registry/detail-parts.ts";
import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import type { BaseSnapshot } from "./base-snapshot.ts";
import { DetailsWriter, type CopiedEntries } from "./details-writer.ts";
import { DiskSections } from "./disk-sections.ts";
import { FurtherRows } from "./further-rows.ts";
import { ascendingNpis } from "./npi-index.ts";
import { release } from "./release.ts";
import { RowDetails } from "./row-details.ts";

/** What an import needs to keep details. */
export interface DetailsRequest {
  /** The registry's zip or CSV. */
  path: string;
  /** The parts to keep. */
  parts: ReadonlySet<DetailPart>;
  base: BaseSnapshot | null;
  /** Whether the file is merged into the base. */
  isUpdate: boolean;
  /** The details file to write. */
  target: string;
  signal?: AbortSignal | undefined;
}

/** The details of an import, on their way into a file. */
export class DetailsImport implements Disposable {
  readonly rows: RowDetails;
  /** The parts that rows have to carry. */
  readonly parts: ReadonlySet<DetailPart>;
  /** The parts that the snapshot will hold, of every provider. */
  readonly held: readonly DetailPart[];
  /** How many rows the further files had; null for a file that is not there. */
  readonly otherNames: FurtherSummary | null;
  readonly locations: FurtherSummary | null;
  readonly #writer: DetailsWriter;
  /** What is held already and was copied. */
  readonly #base: BaseSnapshot | null;

  private constructor(
    {
      base,
      isUpdate,
      parts,
      target,
    }: Pick<DetailsRequest, "base" | "isUpdate" | "parts" | "target">,
    held: readonly DetailPart[],
    otherNames: FurtherRows | null,
    locations: FurtherRows | null,
  ) {
    this.parts = parts;
    this.held = held;
    this.otherNames = otherNames?.summary ?? null;
    this.locations = locations?.summary ?? null;
    this.#writer = new DetailsWriter(target);
    this.#base = isUpdate ? base : null;
    const details = base?.details ?? null;
    this.rows = new RowDetails(this.#writer, {
      parts,
      otherNames,
      locations,
      base:
        base === null || details === null ? null : { snapshot: base, details },
      isUpdate,
    });
    if (isUpdate) details?.copyEntries((bytes) => this.#writer.copy(bytes));
  }

  /**
   * Begins to keep details; null where none are to be kept. A part is kept where it is held of every provider: a full
   * file has to offer it, and an update keeps those alone that the base holds. Throws a RegistryFileError where one of the zip's further files is broken.
   */
  static async begin(request: DetailsRequest): Promise<DetailsImport | null> {
    const { base, isUpdate, parts, path, signal } = request;
    const isMerge = isUpdate && base !== null;
    const wanted = isMerge
      ? new Set((base.metadata.details ?? []).filter((each) => parts.has(each)))
      : parts;
    if (wanted.size === 0) return null;
    const otherNames = wanted.has("other_names")
      ? await FurtherRows.read(path, OTHER_NAMES_FILE, signal)
      : null;
    const locations = wanted.has("locations")
      ? await FurtherRows.read(path, LOCATIONS_FILE, signal)
      : null;
    const held = DETAIL_PARTS.filter(
      (part) =>
        wanted.has(part) &&
        (isMerge ||
          (part === "other_names"
            ? otherNames !== null
            : part !== "locations" || locations !== null)),
    );
    if (held.length === 0) return null;
    return new DetailsImport(
      { ...request, isUpdate: isMerge, parts: new Set(held) },
      held,
      otherNames,
      locations,
    );
  }

  /** Takes over all that is held, as it is; null where nothing is. */
  static copy(base: BaseSnapshot, target: string): DetailsImport | null {
    const held = base.metadata.details ?? [];
    if (held.length === 0) return null;
    const parts = new Set(held);
    return new DetailsImport(
      { base, isUpdate: true, parts, target },
      held,
      null,
      null,
    );
  }

  /** After all rows; `isNewest` says whether the file is newer than what is held. Memory that rows need is given back. */
  endRows(isNewest: boolean): void {
    if (isNewest) this.rows.addRest();
    this.rows.forget();
  }

  /** Completes the file for the snapshot `id`, written to `snapshotPath`. */
  finish(id: string, snapshotPath: string, taxonomy: TaxonomyTable): void {
    using sections = new DiskSections(snapshotPath);
    const npis = ascendingNpis(sections);
    const copied = this.#copied();
    this.#writer.finish(
      { id, parts: [...this.held] },
      taxonomy.entries(),
      npis,
      copied,
    );
    release(npis);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }

  #copied(): CopiedEntries | null {
    const base = this.#base;
    if (base?.details == null) return null;
    return {
      npis: ascendingNpis(base.sections),
      index: base.details.index(),
      superseded: base.details.superseded(),
    };
  }
}
